"""jsonl: a JSON object on each line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .row import Row
from .source import Source, Text


class JsonLinesReader:
    """Rows of a file with a JSON object on each line; empty lines are none."""

    columns: tuple[str, ...] | None = None

    def __init__(self, source: Source) -> None:
        self.size = source.size
        self._text = Text(source)
        self.position, self.ready, self.close = source.position, source.ready, source.close

    def rows(self) -> Iterator[Row]:
        number = 0
        for line in self._text:
            wrong = self._text.wrong()
            if not line.strip() and not wrong:
                continue
            number += 1
            row = Row(number, self._text.count)
            yield row.bad(wrong) if wrong else _filled(row, line)


def _filled(row: Row, line: str) -> Row:
    try:
        values = json.loads(line)
    except json.JSONDecodeError as error:
        return row.bad(f"it is not JSON ({error.msg} at character {error.pos + 1:,}).")
    except (ValueError, RecursionError):
        return row.bad("it is JSON with a number too long or brackets too deep.")
    if not isinstance(values, dict):
        return row.bad('it is JSON, but not an object such as {"question": ..., "reply": ...}.')
    row.values = values
    return row


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
        return (json.dumps(row, ensure_ascii=False, default=str) + "\n").encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can carry
        return (json.dumps(row, default=str) + "\n").encode("ascii")
