"""Meter: how far a job is, on stderr: a bar on a terminal, elsewhere a plain line every ten seconds."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

_INTERVAL = 10.0  # seconds between plain lines


class Meter:
    """Shows rows done, rate and time left. `size` is how much there is to read, in the unit of `position`."""

    def __init__(self, size: int | None, bar: bool, plain: bool) -> None:
        self._size = size or None
        self._rows = 0
        self._began = self._told = time.monotonic()
        self._from = 0
        self._plain = plain and not bar
        self._bar: Any = None
        if bar:
            self._bar = _bar()
            self._task = self._bar.add_task("", total=self._size, rows="")

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, position: int) -> None:
        """Rate and time left count from here (a resumed job skips what is done much faster than it reads)."""
        self._began = self._told = time.monotonic()
        self._from = position
        if self._bar is not None:
            self._bar.reset(self._task, total=self._size, completed=position)

    def advance(self, rows: int, position: int) -> None:
        """So many more rows are done, and the input is read up to there."""
        self._rows += rows
        now = time.monotonic()
        rate = self._rows / max(now - self._began, 1e-9)
        if self._bar is not None:
            self._bar.update(self._task, completed=position, rows=f"{self._rows:,} rows  {rate:,.0f}/s")
        elif self._plain and now - self._told >= _INTERVAL:
            self._told = now
            self.say(f"{self._rows:,} rows, {rate:,.0f} a second{self._left(position, now - self._began)}")

    def _left(self, position: int, seconds: float) -> str:
        if not self._size or position <= self._from:
            return ""
        left = seconds * (self._size - position) / (position - self._from)
        return f", {position / self._size:.0%} done, {_duration(left)} to go"

    def say(self, sentence: str) -> None:
        """A line on stderr that does not tear the bar."""
        if self._bar is not None:
            self._bar.console.print(sentence, markup=False, highlight=False, soft_wrap=True)
        else:
            with suppress(OSError):  # a full disk behind stderr must not stop the rows
                print(sentence, file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    minutes, last = divmod(rest, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {last} s" if minutes else f"{last} s"


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    return Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rows]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
