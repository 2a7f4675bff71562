"""Corpora that are files of JSON objects, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError


def objects(path: Path, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The objects of a file, each with the fields that it must have."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                found = json.loads(line)
                missing = [field for field in fields if field not in found]
            except (ValueError, TypeError):
                raise InputError(f"{path}, line {number}: not a JSON object.") from None
            if missing:
                raise InputError(f"{path}, line {number}: the field {missing[0]} is missing.")
            yield found
