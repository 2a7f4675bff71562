"""Row: one row of a file on its way through, or the sentence that says what is wrong with it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(slots=True)
class Row:
    """A row by its number among the data rows (from 1), and the line of the file it begins on, if that has lines."""

    number: int
    line: int | None = None
    values: dict[str, Any] = field(default_factory=dict)
    problem: str | None = None
    size: int = 0
    """About how many bytes of the input it takes."""

    @property
    def where(self) -> str:
        """How a sentence names the row."""
        if self.line is None or self.line == self.number:
            return f"Row {self.number:,}"
        return f"Row {self.number:,} (line {self.line:,})"

    def bad(self, what: str) -> Row:
        """The same row, with a problem."""
        self.problem = f"{self.where}: {what}"
        return self


def told(value: Any) -> str:
    """What JSON has no form for, and parquet has, as a text: dates, times, decimals; bytes in base64."""
    return b64encode(value).decode("ascii") if isinstance(value, bytes) else str(value)


class Reader(Protocol):
    """What every format offers."""

    columns: tuple[str, ...] | None
    """The columns' names; None where only the rows know them."""

    size: int | None
    """How much there is to read, in the unit of `position`; None where nobody knows."""

    def rows(self) -> Iterator[Row]:
        """The rows in order, bad ones with their problem."""

    def position(self) -> int:
        """How much was read."""

    def ready(self) -> bool:
        """Whether the next row is there already, without waiting for whoever writes the input."""

    def seen(self) -> Mapping[str, Any]:
        """What tells the part of a file that was read so far from any other."""

    def begins_with(self, seen: Mapping[str, Any]) -> bool:
        """Whether an earlier run that had seen this was reading the same file."""

    def close(self) -> None:
        """Let go of the file."""
