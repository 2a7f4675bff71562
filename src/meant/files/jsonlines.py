"""jsonl: a JSON object on each line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .row import Row, told
from .source import Source, Text

_DEEPEST = 100  # brackets inside one another: far below what makes Python's own encoder give up


class JsonLinesReader:
    """Rows of a file with a JSON object on each line; empty lines are none."""

    columns: tuple[str, ...] | None = None

    def __init__(self, source: Source) -> None:
        self.size = source.size
        self._text = Text(source)
        self.position, self.ready, self.close = source.position, source.ready, source.close
        self.seen, self.begins_with = self._text.seen.told, self._text.begins_with

    def rows(self) -> Iterator[Row]:
        number = 0
        for line in self._text:
            wrong = self._text.wrong()
            if not line.strip() and not wrong:
                continue
            number += 1
            row = Row(number, self._text.count, size=len(line))
            yield row.bad(wrong) if wrong else _filled(row, line)


def _filled(row: Row, line: str) -> Row:
    try:
        values = json.loads(line, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        reason = error.msg.removesuffix(" at")  # some of them end in it
        return row.bad(f"it is not JSON ({reason} at character {error.pos + 1:,}).")
    except _Twice as error:
        return row.bad(f"it has the field {error.args[0]!r} twice.")
    except (ValueError, RecursionError):
        return row.bad("it is JSON with a number too long or brackets too deep.")
    if not isinstance(values, dict):
        return row.bad('it is JSON, but not an object such as {"question": ..., "reply": ...}.')
    if wrong := _unwritable(values):
        return row.bad(wrong)
    row.values = values
    return row


class _Twice(ValueError):
    """An object with two fields of one name, of which Python would keep the last without a word."""


def _object(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in fields:
        if name in found:
            raise _Twice(name[:80])
        found[name] = value
    return found


def _unwritable(values: dict[str, Any]) -> str | None:
    """What Python reads as JSON and cannot write as JSON again."""
    level: list[Any] = [values]
    for _ in range(_DEEPEST):
        inner = [it for outer in level for it in (outer.values() if isinstance(outer, dict) else outer)]
        if any(isinstance(it, float) and not math.isfinite(it) for it in inner):
            return "a number in it is NaN or infinite, which JSON does not know."
        level = [it for it in inner if isinstance(it, dict | list)]
        if not level:
            return None
    return f"it is JSON with brackets too deep (more than {_DEEPEST} inside one another)."


class JsonLinesEncoder:
    """Rows as bytes, an object on each line."""

    def header(self) -> bytes:
        """Nothing: each row names its own fields."""
        return b""

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> bytes:
        """The rows' lines."""
        return b"".join(_line(row) for row in rows)


def _line(row: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(row, ensure_ascii=False, default=told, allow_nan=False) + "\n").encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can carry
        return (json.dumps(row, default=told, allow_nan=False) + "\n").encode("ascii")
    except ValueError:  # NaN or an infinity, which parquet has
        return _line(_finite(row))


def _finite(value: Any) -> Any:
    """The value with null for numbers that JSON does not know."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
