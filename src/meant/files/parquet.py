"""parquet, by way of pyarrow (`meant[files]`).

A parquet file has its index at its end, so one that is not finished cannot be read or continued. Output therefore
goes to a folder of parts beside it, OUT.parts, one file for each block of rows; at the end the parts are joined into
OUT and the folder goes away.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, MissingExtra
from ..labels import Scheme
from .row import Row

try:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]
except ImportError:
    raise MissingExtra("files", "Reading or writing parquet") from None

_BATCH = 1024


class ParquetReader:
    """Rows of a parquet file, a batch at a time."""

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            raise InputError(f"{path} is a folder: name a parquet file in it.")
        try:
            self._file = pq.ParquetFile(path)
        except FileNotFoundError:
            raise InputError(f"There is no file {str(path)!r}: check the name.") from None
        except (OSError, ValueError, pa.ArrowException) as error:
            raise InputError(f"{path} is not a whole parquet file ({_first(error)}): get it again.") from None
        self._path = path
        self._position = 0
        self.schema = self._file.schema_arrow
        self.size: int | None = self._file.metadata.num_rows
        names = list(self.schema.names)
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError(f"{path} has two columns {twice!r}: rename one of them.")
        self.columns: tuple[str, ...] | None = tuple(names)

    def rows(self) -> Iterator[Row]:
        try:
            for batch in self._file.iter_batches(batch_size=_BATCH):
                for values in batch.to_pylist():
                    self._position += 1
                    yield Row(self._position, None, values)
        except (OSError, ValueError, pa.ArrowException) as error:
            where = f"after row {self._position:,}"
            raise InputError(f"{self._path} is damaged {where} ({_first(error)}): get it again.") from None

    def position(self) -> int:
        return self._position

    def ready(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()


class Parts:
    """The output: parts in a folder, joined at the end. Its state is the number of parts that are whole."""

    def __init__(self, path: Path, state: int, columns: Sequence[str] | None, given: Any, added: Any) -> None:
        self._path = path
        self._folder = path.with_name(path.name + ".parts")
        self._given = given if given is not None else _texts(columns)
        self._added = added
        self.state = state
        self._folder.mkdir(exist_ok=True)
        for part in self._folder.iterdir():
            if part.name not in {self._part(number).name for number in range(state)}:
                part.unlink()
        if state:
            if missing := next((n for n in range(state) if not self._part(n).is_file()), None):
                raise InputError(f"{self._part(missing)} is missing: start afresh with --overwrite.")
            whole = pq.read_schema(self._part(0))
            self._given = pa.schema(list(whole)[: len(whole) - len(added)])

    def _part(self, number: int) -> Path:
        return self._folder / f"{number:06}.parquet"

    def write(self, rows: Sequence[Mapping[str, Any]]) -> int:
        """Write a part; gives the state after it."""
        if rows:
            part = self._part(self.state)
            unfinished = part.with_suffix(".unfinished")
            pq.write_table(self._table(rows), unfinished)
            os.replace(unfinished, part)
            self.state += 1
        return self.state

    def _table(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        try:
            if self._given is None:
                names = list(rows[0])[: len(rows[0]) - len(self._added)]
                found = pa.Table.from_pylist([{name: row.get(name) for name in names} for row in rows]).schema
                self._given = pa.schema([_settled(column) for column in found])
            return pa.Table.from_pylist(rows, schema=pa.schema([*self._given, *self._added]))
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"A value does not fit its column in parquet ({_first(error)}): write jsonl instead."
            ) from None

    def finish(self) -> None:
        """Join the parts into OUT."""
        if self._given is None:
            raise InputError("There are no rows, so nobody knows the columns of a parquet file: write jsonl instead.")
        unfinished = self._path.with_name(self._path.name + ".unfinished")
        with pq.ParquetWriter(unfinished, pa.schema([*self._given, *self._added])) as writer:
            for number in range(self.state):
                writer.write_table(pq.read_table(self._part(number)))
        os.replace(unfinished, self._path)

    def close(self) -> None:
        """Nothing is held open between parts."""

    def clear(self) -> None:
        """Drop the parts, once OUT is whole."""
        shutil.rmtree(self._folder, ignore_errors=True)


def added_schema(scheme: Scheme, names: Sequence[str]) -> Any:
    """Arrow's types for the columns that `Added` names when rows are not flat."""
    shares = pa.struct([(label, pa.float64()) for label in scheme.labels])
    types = (pa.string(), pa.float64(), pa.float64(), shares, pa.string())
    return pa.schema(list(zip(names, types, strict=True)))


def _texts(columns: Sequence[str] | None) -> Any:
    return None if columns is None else pa.schema([(name, pa.string()) for name in columns])


def _settled(column: Any) -> Any:
    return pa.field(column.name, pa.string()) if pa.types.is_null(column.type) else column


def _first(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:160].rstrip(".")
