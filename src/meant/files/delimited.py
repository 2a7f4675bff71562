"""csv and tsv.

csv follows RFC 4180: a cell with a comma, a quote or a line end stands in double quotes. tsv has no quoting: a cell
is what stands between two tabs, quotes and all, as corpora are usually published.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import InputError
from .row import Row, told
from .source import Source, Text

_LARGEST_CELL = 16 * 1024 * 1024  # characters: a quote that is never closed must not fill the memory


class DelimitedReader:
    """Rows of a csv or tsv file whose first line names the columns."""

    def __init__(self, source: Source, kind: str) -> None:
        self._source = source
        self.size = source.size
        self._text = Text(source)
        self._records = _quoted(self._text) if kind == "csv" else _tabbed(self._text)
        self.columns: tuple[str, ...] | None = self._header()
        self.position, self.ready, self.close = source.position, source.ready, source.close
        self.seen, self.begins_with = self._text.seen.told, self._text.begins_with

    def _header(self) -> tuple[str, ...]:
        try:
            names = next((record for record in self._records if record), None)
        except csv.Error as error:
            raise InputError(f"The header of {self._source.name} is not csv ({_plainly(str(error))}).") from None
        if names is None:
            raise InputError(f"{self._source.name} is empty: its first line should name the columns.")
        if wrong := self._text.wrong():
            raise InputError(f"The header of {self._source.name} cannot be read: {wrong}")
        if (twice := next((name for name in names if names.count(name) > 1), None)) is not None:
            raise InputError(f"{self._source.name} has two columns {twice!r}: rename one of them.")
        return tuple(names)

    def rows(self) -> Iterator[Row]:
        columns = self.columns or ()
        number = 0
        while True:
            line, before = self._text.count + 1, self._text.seen.bytes
            try:
                record = next(self._records, None)
            except csv.Error as error:
                number += 1
                self._text.wrong()
                row = Row(number, line, size=self._text.seen.bytes - before)
                yield row.bad(_explained(error, line, self._text.count))
                continue
            if record is None:
                return
            wrong = self._text.wrong()
            if not record and not wrong:  # an empty line is no row
                continue
            number += 1
            row = Row(number, line, size=self._text.seen.bytes - before)
            if wrong:
                yield row.bad(wrong)
            elif len(record) != len(columns):
                yield row.bad(f"it has {_fields(len(record))} where the header names {len(columns)}.")
            else:
                row.values = dict(zip(columns, record, strict=True))
                yield row


def _quoted(lines: Iterable[str]) -> Iterator[Sequence[str]]:
    csv.field_size_limit(max(csv.field_size_limit(), _LARGEST_CELL))
    return csv.reader(lines, strict=True)


def _tabbed(lines: Iterable[str]) -> Iterator[Sequence[str]]:
    for line in lines:
        cells = line.rstrip("\r\n")
        yield cells.split("\t") if cells else []


def _explained(error: csv.Error, first: int, last: int) -> str:
    reason = str(error)
    lost = "" if first == last else f" All that stands in lines {first:,} to {last:,} is lost with it."
    if "unexpected end" in reason or "larger than field limit" in reason:
        return f"a quote is opened and not closed up to line {last:,}."
    if "expected after" in reason:
        return f"a quote ends before its cell does; a quote inside a cell is written twice.{lost}"
    return f"it is not csv ({_plainly(reason)}).{lost}"


def _plainly(reason: str) -> str:
    return "its lines end in carriage returns alone: save it with other line ends" if "new-line" in reason else reason


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"


class DelimitedEncoder:
    """Rows as bytes of csv or tsv; what is no text (from JSON or parquet) is written as JSON."""

    def __init__(self, kind: str, columns: Sequence[str]) -> None:
        self._kind = kind
        self.columns = tuple(columns)

    def header(self) -> bytes:
        """The line of names."""
        return self._encoded([self.columns])

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> bytes:
        """The rows' lines."""
        return self._encoded([_cell(row.get(name)) for name in self.columns] for row in rows)

    def _encoded(self, records: Iterable[Sequence[str]]) -> bytes:
        if self._kind == "csv":
            lines = _Lines()
            # Told that a line ends in both, it quotes a cell that holds either of them.
            csv.writer(lines, lineterminator="\r\n").writerows(records)
            return "".join(line.removesuffix("\r\n") + "\n" for line in lines).encode("utf-8", "replace")
        flat = ("\t".join(_flat(cell) for cell in record) + "\n" for record in records)
        return "".join(flat).encode("utf-8", "replace")


class _Lines(list[str]):
    """What csv.writer writes, a record at a time."""

    write = list.append


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float | list | tuple | Mapping):
        return json.dumps(value, ensure_ascii=False, default=told)
    return told(value)


def _flat(cell: str) -> str:
    return cell.replace("\t", " ").replace("\r", " ").replace("\n", " ")
