"""Corpora that are files of JSON objects, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError


def objects(path: Path, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The objects of a file, each with the fields that it must have."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                found = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError):
                found = None
            if not isinstance(found, dict):
                raise InputError(f"{path}, line {number}: not a JSON object.")
            if missing := [field for field in fields if field not in found]:
                raise InputError(f"{path}, line {number}: the field {missing[0]} is missing.")
            yield found
