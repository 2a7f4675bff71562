"""A job in this process, for the tests of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from meant import Interpreter
from meant.files.format import formats
from meant.files.job import Job, Summary, run
from meant.labels import STRICT

Read = Callable[..., Summary]


@pytest.fixture
def read(interpreter: Interpreter) -> Read:
    """Reads a file into another as `meant reply --file --out` does."""

    def job(source: Path, out: Path | None, *, format: str | None = None, **options: Any) -> Summary:
        reading, writing = formats(source, out, format)
        return run(Job(source, out, reading, writing, options.pop("scheme", STRICT), **options), interpreter)

    return job
