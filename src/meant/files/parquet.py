"""parquet, by way of pyarrow (`meant[files]`).

A parquet file has its index at its end, so one that is not finished cannot be read or continued. Output therefore
goes to a folder of parts beside it, OUT.parts, one file for each block of rows; at the end the parts are joined into
OUT and the folder goes away.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import InputError, MissingExtra, reason_of
from ..labels import Scheme
from .intake import HEAVY
from .row import Row
from .sidecar import Unfit, parts_path, unfinished_path
from .source import opening

try:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]
except ImportError:
    raise MissingExtra("files", "Reading or writing parquet") from None

_BATCH = 1024
_LOOKED_AT = 64 * 1024  # bytes at the input's start that tell it from another of the same size and time
_PART = re.compile(r"\d{6}\.(parquet|unfinished)")


class ParquetReader:
    """Rows of a parquet file, a batch at a time.

    Python has no dates before the year 1, no nanoseconds, and not every time zone. With `exact` a column that it cannot
    hold goes through as Arrow's own values, which only parquet can take.
    """

    def __init__(self, path: Path, *, exact: bool = False) -> None:
        with opening(path):
            if path.is_dir():
                raise InputError(f"{path} is a folder: name a parquet file in it.")
            self._identity = _identity(path)
        try:
            self._file = pq.ParquetFile(path)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise InputError(f"{path} is not a whole parquet file ({reason_of(error)}): get it again.") from None
        self._path = path
        self._exact = exact
        self._position = 0
        self.schema = self._file.schema_arrow
        about = self._file.metadata
        self.size: int | None = about.num_rows
        whole = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
        self._batch = max(1, min(_BATCH, HEAVY * about.num_rows // max(whole, 1)))
        names = list(self.schema.names)
        if (twice := next((name for name in names if names.count(name) > 1), None)) is not None:
            raise InputError(f"{path} has two columns {twice!r}: rename one of them.")
        self.columns: tuple[str, ...] | None = tuple(names)

    def rows(self) -> Iterator[Row]:
        for batch in self._batches():
            size = batch.nbytes // max(batch.num_rows, 1)
            columns = [self._values(*column) for column in zip(batch.schema.names, batch.columns, strict=True)]
            for values in zip(*columns, strict=True):
                self._position += 1
                yield Row(self._position, None, dict(zip(batch.schema.names, values, strict=True)), size=size)

    def _batches(self) -> Iterator[Any]:
        try:
            yield from self._file.iter_batches(batch_size=self._batch)
        except (OSError, ValueError, pa.ArrowException) as error:
            where = f"after row {self._position:,}"
            raise InputError(f"{self._path} is damaged {where} ({reason_of(error)}): get it again.") from None

    def _values(self, name: str, column: Any) -> list[Any]:
        if self._exact and "time64[ns]" in str(column.type):  # Python's times would drop the nanoseconds in silence
            return [value if value.is_valid else None for value in column]
        try:
            return list(column.to_pylist())
        except (ArithmeticError, ImportError, LookupError, ValueError, pa.ArrowException) as error:
            if self._exact and not _is_text(column.type):
                return [value if value.is_valid else None for value in column]
            way_out = "" if self._exact else ", or write parquet, which keeps them"
            raise InputError(
                f"{self._path}: from row {self._position + 1:,} on the column {name!r} of type {column.type} holds "
                f"values that cannot be read ({reason_of(error)}): leave the column out{way_out}."
            ) from None

    def seen(self) -> Mapping[str, Any]:
        return self._identity

    def begins_with(self, seen: Mapping[str, Any]) -> bool:
        return seen == self._identity

    def position(self) -> int:
        return self._position

    def ready(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()


def _identity(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        start = hashlib.sha256(stream.read(_LOOKED_AT)).hexdigest()
        status = os.fstat(stream.fileno())
    return {"size": status.st_size, "changed": status.st_mtime_ns, "start": start}


class Parts:
    """The output: parts in a folder, joined at the end. Its state is the number of parts that are whole.

    `given` is the schema of the input's columns; where it has none (jsonl), the first part's values tell the types of
    the columns `names`.
    """

    def __init__(self, path: Path, state: int, names: Sequence[str], given: Any, added: Any) -> None:
        self._path = path
        self._folder = parts_path(path)
        self._names = names
        self._given = given
        self._guessed = given is None
        self._added = added
        self.state = state
        self._folder.mkdir(exist_ok=True)
        for part in filter(_is_part, self._folder.iterdir()):
            if part.suffix == ".unfinished" or int(part.stem) >= state:
                part.unlink()
        missing = next((number for number in range(state) if not self._part(number).is_file()), None)
        if missing is not None:
            raise Unfit(f"{self._part(missing)} is missing: start afresh with --overwrite.")
        if state:
            whole = pq.read_schema(self._part(0))
            self._given = pa.schema(list(whole)[: len(whole) - len(added)])

    def _part(self, number: int) -> Path:
        return self._folder / f"{number:06}.parquet"

    def write(self, rows: Sequence[Mapping[str, Any]]) -> int:
        """Write a part; gives the state after it."""
        if rows:
            part = self._part(self.state)
            unfinished = part.with_suffix(".unfinished")
            try:
                pq.write_table(self._table(rows), unfinished)
            except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
                raise _misfit(error) from None
            if self.state == 0:
                try:
                    pq.read_schema(unfinished)
                except OSError as error:  # types that parquet writes and does not read, such as 50 lists in one another
                    raise _misfit(error) from None
            os.replace(unfinished, part)
            self.state += 1
        return self.state

    def _table(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        if self._given is None:
            found = pa.Table.from_pylist([{name: row.get(name) for name in self._names} for row in rows]).schema
            self._given = pa.schema([_settled(column) for column in found])
        elif self._guessed:
            # Arrow leaves out, without a word, what a nested value has more than its type.
            for column in filter(lambda column: pa.types.is_nested(column.type), self._given):
                if stray := _stray(pa.array([row.get(column.name) for row in rows]).type, column.type):
                    raise ValueError(f"{column.name!r} has a field {stray!r} that the first rows lack")
        return pa.Table.from_pylist(rows, schema=pa.schema([*self._given, *self._added]))

    def finish(self) -> None:
        """Join the parts into OUT."""
        if self._given is None:
            raise InputError("There are no rows, so nobody knows the columns of a parquet file: write jsonl instead.")
        # What parquet gives back may differ in trifles from what it was given; a later run knows only the former.
        schema = pq.read_schema(self._part(0)) if self.state else pa.schema([*self._given, *self._added])
        unfinished = unfinished_path(self._path)
        with pq.ParquetWriter(unfinished, schema) as writer:
            for number in range(self.state):
                writer.write_table(pq.read_table(self._part(number)))
        os.replace(unfinished, self._path)

    def close(self) -> None:
        """Nothing is held open between parts."""

    def clear(self) -> None:
        """Drop the parts, once OUT is whole."""
        with suppress(OSError):  # OUT is whole; what cannot go does no harm
            for part in filter(_is_part, self._folder.iterdir()):
                part.unlink()
            self._folder.rmdir()


def check_folder(folder: Path) -> None:
    """Refuse a folder for parts that holds anything else: whatever a job does not need there, it removes."""
    if not folder.exists():
        return
    other = next((path for path in folder.iterdir() if not _is_part(path)), None) if folder.is_dir() else folder
    if other is not None:
        raise InputError(
            f"{other} is in the way: {folder} is for the parts of an output. Move it, or choose another --out."
        )


def _is_part(path: Path) -> bool:
    return _PART.fullmatch(path.name) is not None and path.is_file()


def added_schema(scheme: Scheme, names: Sequence[str]) -> Any:
    """Arrow's types for the columns that `Added` names when rows are not flat."""
    shares = pa.struct([(label, pa.float64()) for label in scheme.labels])
    types = (pa.string(), pa.float64(), pa.float64(), shares, pa.string())
    return pa.schema(list(zip(names, types, strict=True)))


def texts_schema(names: Sequence[str]) -> Any:
    """Arrow's types for the columns of a csv or tsv file."""
    return pa.schema([(name, pa.string()) for name in names])


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _stray(found: Any, given: Any) -> str | None:
    """A field that the found type has, at any depth, and the given one lacks."""
    if pa.types.is_struct(found) and pa.types.is_struct(given):
        for field in found:
            if given.get_field_index(field.name) < 0:
                return str(field.name)
            if stray := _stray(field.type, given.field(field.name).type):
                return stray
    if pa.types.is_list(found) and pa.types.is_list(given):
        return _stray(found.value_type, given.value_type)
    return None


def _settled(column: Any) -> Any:
    return pa.field(column.name, pa.string()) if pa.types.is_null(column.type) else column


def _misfit(error: Exception) -> InputError:
    return InputError(f"A value does not fit its column in parquet ({reason_of(error)}): write jsonl instead.")
