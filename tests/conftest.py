"""What all tests share: the real bundle, and the command as a real process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from meant import Interpreter
from meant.runtime.bundle import Bundle

SOURCE = Path(__file__).parent.parent / "src"

Meant = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(scope="session")
def bundle() -> Path:
    """The folder of the bundle that ships (MEANT_BUNDLE names another one to test)."""
    return Bundle.load().folder


@pytest.fixture(scope="session")
def interpreter() -> Interpreter:
    return Interpreter()


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """For a process that runs the command of this checkout."""
    return os.environ | {"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"}


@pytest.fixture
def meant(environment: dict[str, str], tmp_path: Path) -> Meant:
    """Runs `meant ARGUMENTS` in an empty folder and gives what came out of it."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "meant", *map(str, arguments)]
        return subprocess.run(command, input=stdin, capture_output=True, env=environment, cwd=tmp_path, timeout=120)

    return run
