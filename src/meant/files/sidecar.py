"""Sidecar: OUT.progress, the small file beside an unfinished output that says how to go on.

It holds what was read of the input, what the options were, how many rows are done, and how long OUT was then. It is
replaced in one step after each block has reached OUT, so that at any moment it describes an output that can be
continued: whatever stands in OUT beyond that is cut off and written again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from .row import Reader

_FORMAT = 2


class Unfit(InputError):
    """What an earlier run left does not fit this one, which may only start afresh."""


@dataclass(frozen=True)
class Done:
    """Rows of the input that are dealt with, how many of those were bad, and the output's state then."""

    rows: int = 0
    bad: int = 0
    state: int = 0


def sidecar_path(output: Path) -> Path:
    """Where the sidecar of that output stands."""
    return output.with_name(output.name + ".progress")


def parts_path(output: Path) -> Path:
    """The folder for the parts of an output that cannot be continued as one file."""
    return output.with_name(output.name + ".parts")


def unfinished_path(path: Path) -> Path:
    """Where a file is written that takes the place of that one in one step."""
    return path.with_name(path.name + ".unfinished")


class Sidecar:
    """The progress of one output."""

    def __init__(self, output: Path, reader: Reader, options: Mapping[str, Any]) -> None:
        self._output = output
        self._reader = reader
        self.path = sidecar_path(output)
        self._about = {"format": _FORMAT, "options": dict(options)}

    def load(self) -> Done | None:
        """What is done, None where nothing was begun; a sentence where another job was."""
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            done = Done(**{key: _count(found["done"][key]) for key in ("rows", "bad", "state")})
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise Unfit(f"{self.path} cannot be read: start afresh with --overwrite.") from None
        if told := self._mismatch(found):
            raise Unfit(f"{self._output} was begun {told}: start afresh with --overwrite, or choose another --out.")
        return done

    def _mismatch(self, found: Mapping[str, Any]) -> str | None:
        if found.get("format") != _FORMAT:
            return "by another version of meant"
        if found.get("options") != self._about["options"]:
            return f"with other options ({self._difference(found)})"
        seen = found.get("input")
        # Of an input from which no row was taken, nothing has to be the same: its first row may have been mended.
        if found["done"]["rows"] and (not isinstance(seen, dict) or not self._reader.begins_with(seen)):
            return "from another input, or the input has changed in the part that was read"
        return None

    def _difference(self, found: Mapping[str, Any]) -> str:
        before, now = found.get("options"), self._about["options"]
        if not isinstance(before, dict) or not isinstance(now, dict):
            return "unknown ones"
        return ", ".join(name.replace("_", " ") for name in now if before.get(name) != now[name]) or "unknown ones"

    def save(self, done: Done) -> None:
        """Replace the file in one step."""
        unfinished = unfinished_path(self.path)
        counts = {"rows": done.rows, "bad": done.bad, "state": done.state}
        about = self._about | {"input": self._reader.seen(), "done": counts}
        unfinished.write_text(json.dumps(about, indent=1), encoding="utf-8")
        os.replace(unfinished, self.path)

    def remove(self) -> None:
        """The output is whole."""
        self.path.unlink(missing_ok=True)


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= sys.maxsize:
        raise ValueError
    return value
