"""Format: which of the four formats a file has, by its name or by option."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from .delimited import DelimitedReader
from .jsonlines import JsonLinesReader
from .row import Reader
from .source import open_source

FORMATS = ("csv", "tsv", "jsonl", "parquet")
_ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_SILENT = ("", ".txt")  # endings that promise no format


def by_ending(path: Path) -> str | None:
    """The format that the file's name says, or None."""
    name = path.name.lower().removesuffix(".gz")
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


def formats(input: Path | None, output: Path | None, option: str | None) -> tuple[str, str]:
    """The formats to read and to write.

    --format says what the input is, whatever its name; without it the name decides, and standard input is jsonl.
    The output's name decides for the output. One without an ending, and standard output, get the input's format; an
    ending that meant does not know is refused, for .json or .xlsx would promise what is not in the file.
    """
    if option is not None and option not in FORMATS:
        raise InputError(f"There is no format {option[:40]!r}: choose one of {', '.join(FORMATS)}.")
    reading = option or ("jsonl" if input is None else by_ending(input))
    if reading is None:
        raise InputError(f"The name {input} does not tell the format: add --format {'|'.join(FORMATS)}.")
    if output is None:
        return reading, reading
    if output.suffix.lower() == ".gz":
        raise InputError(f"{output}: meant writes no .gz files. Leave out the ending and compress the file afterwards.")
    writing = by_ending(output)
    if writing is None and option is None and output.suffix.lower() not in _SILENT:
        raise InputError(
            f"meant writes no {output.suffix[:40]} files ({str(output)[:200]}): let --out end in {', '.join(_ENDINGS)}."
        )
    return reading, writing or reading


def open_reader(path: Path | None, kind: str, *, exact: bool = False) -> Reader:
    """The rows of that file; None is standard input. `exact` is for parquet that becomes parquet again."""
    if kind == "parquet":
        from .parquet import ParquetReader

        if path is None:
            raise InputError("parquet cannot be read from a pipe: save it as a file and name that.")
        return ParquetReader(path, exact=exact)
    source = open_source(path)
    return JsonLinesReader(source) if kind == "jsonl" else DelimitedReader(source, kind)
