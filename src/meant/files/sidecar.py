"""Sidecar: OUT.progress, the small file beside an unfinished output that says how to go on.

It holds what the input and the options were, how many rows are done, and how long OUT was then. It is replaced in one
step after each block has reached OUT, so that at any moment it describes an output that can be continued: whatever
stands in OUT beyond that is cut off and written again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError

_FORMAT = 1
_LOOKED_AT = 64 * 1024  # bytes at the input's start that tell it from another of the same size and time


@dataclass(frozen=True)
class Done:
    """Rows of the input that are dealt with, how many of those were bad, and the output's state then."""

    rows: int = 0
    bad: int = 0
    state: int = 0


def sidecar_path(output: Path) -> Path:
    """Where the sidecar of that output stands."""
    return output.with_name(output.name + ".progress")


class Sidecar:
    """The progress of one output."""

    def __init__(self, output: Path, source: Path, options: Mapping[str, Any]) -> None:
        self._output = output
        self.path = sidecar_path(output)
        self._about = {"format": _FORMAT, "input": _identity(source), "options": dict(options)}

    def load(self) -> Done | None:
        """What is done, None where nothing was begun; a sentence where another job was."""
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            done = Done(**{key: int(found["done"][key]) for key in ("rows", "bad", "state")})
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise InputError(f"{self.path} cannot be read: start afresh with --overwrite.") from None
        for what, told in (
            ("input", f"{self._output} was begun from another input, or the input has changed since"),
            ("options", f"{self._output} was begun with other options ({self._difference(found)})"),
            ("format", f"{self._output} was begun by another version of meant"),
        ):
            if found.get(what) != self._about[what]:
                raise InputError(f"{told}: start afresh with --overwrite, or choose another --out.")
        return done

    def _difference(self, found: Mapping[str, Any]) -> str:
        before, now = found.get("options"), self._about["options"]
        if not isinstance(before, dict) or not isinstance(now, dict):
            return "unknown ones"
        return ", ".join(name.replace("_", " ") for name in now if before.get(name) != now[name]) or "unknown ones"

    def save(self, done: Done) -> None:
        """Replace the file in one step."""
        unfinished = self.path.with_name(self.path.name + ".unfinished")
        about = self._about | {"done": {"rows": done.rows, "bad": done.bad, "state": done.state}}
        unfinished.write_text(json.dumps(about, indent=1), encoding="utf-8")
        os.replace(unfinished, self.path)

    def remove(self) -> None:
        """The output is whole."""
        self.path.unlink(missing_ok=True)


def _identity(source: Path) -> dict[str, Any]:
    with source.open("rb") as stream:
        start = hashlib.sha256(stream.read(_LOOKED_AT)).hexdigest()
        status = os.fstat(stream.fileno())
    return {"size": status.st_size, "changed": status.st_mtime_ns, "start": start}
