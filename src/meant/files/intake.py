"""Intake: the rows of a reader in blocks, and of each row the pair that the model reads or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from ..errors import InputError
from ..tasks import replies
from .columns import Added, Columns, choose
from .row import Reader, Row

HEAVY = 8 * 1024 * 1024  # bytes of input after which a block ends however few its rows are
_PATIENCE = 1000  # bad rows one after another at the start of a file that has not named its columns yet


class Intake:
    """What comes in. `names` are the input's columns (None: no row has named any), `columns` the two that are read.

    `fixed` says that the output has the columns `names` and no others, so that a row with more has no place in it.
    """

    def __init__(
        self, reader: Reader, added: Added, question: str | None, reply: str | None, *, skip_bad: bool, fixed: bool
    ) -> None:
        self._reader = reader
        self._added = added
        self._skip_bad = skip_bad
        self._fixed = fixed
        self._rows: Iterator[Row] = reader.rows()
        self.names = reader.columns if reader.columns is not None else self._first_names()
        self.columns: Columns | None = None
        if self.names is not None:
            self.columns = choose(self.names, question, reply)
            if clash := added.clash(self.names):
                raise InputError(f"In the input {clash}")

    def _first_names(self) -> tuple[str, ...] | None:
        """The fields of the first good row, which stays to be read."""
        seen: list[Row] = []
        for row in islice(self._rows, _PATIENCE):
            seen.append(row)
            if row.problem is None:
                self._rows = chain(seen, self._rows)
                return tuple(row.values)
            if not self._skip_bad:
                raise stopped(row.problem)
        if len(seen) == _PATIENCE:
            raise InputError(f"The first {_PATIENCE:,} rows are all bad, such as: {seen[0].problem} Check --format.")
        self._rows = iter(seen)
        return None

    def skip(self, rows: int) -> None:
        """Pass over rows that an earlier run has dealt with."""
        for _ in islice(self._rows, rows):
            pass

    def blocks(self, size: int) -> Iterator[list[Row]]:
        """So many rows at a time; fewer where they are large, which bounds what is held, and where the next one is not
        there yet, so that nobody waits for an answer.

        Where a block ends depends on nothing before it: a later run that begins there makes the same blocks.
        """
        block: list[Row] = []
        weight = 0
        for row in self._rows:
            block.append(row)
            weight += row.size
            if len(block) == size or weight >= HEAVY or not self._reader.ready():
                yield block
                block, weight = [], 0
        if block:
            yield block

    def pair(self, row: Row) -> replies.Pair | str:
        """What the model reads of that row, or a sentence about what is wrong with it."""
        if row.problem is None and self._reader.columns is None:
            row = self._fitting(row)
        if row.problem is not None or self.columns is None:
            return row.problem or f"{row.where}: it has no columns."
        try:
            return replies.clean(row.values[self.columns.question], row.values[self.columns.reply], row.where)
        except InputError as error:
            return str(error)

    def _fitting(self, row: Row) -> Row:
        """Rows of jsonl may each have other fields than the first."""
        for name in (self.columns.question, self.columns.reply) if self.columns else ():
            if name not in row.values:
                return row.bad(f"it has no {name!r}.")
        if clash := self._added.clash(row.values):
            return row.bad(clash)
        extra = set(row.values) - set(self.names or ())
        if extra and self._fixed:
            return row.bad(f"it has a field {min(extra)!r} that the first row lacks, for which there is no column.")
        return row


def stopped(problem: str) -> InputError:
    """What ends a run at a bad row."""
    return InputError(f"{problem} Mend it, or leave such rows out with --skip-bad.")
