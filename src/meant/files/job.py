"""Job: read the replies in a file, block by block, and carry on where an earlier run stopped.

Rows go in blocks of a fixed number of input rows. After each block the output is on disk and the sidecar says so;
a run that was killed and started again writes the same bytes as one that was not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, MeantError, reason_of
from ..interpreter import Interpreter
from ..labels import Scheme
from ..tasks import replies
from .columns import Added
from .delimited import DelimitedEncoder
from .format import open_reader
from .intake import Intake, stopped
from .jsonlines import JsonLinesEncoder
from .lock import held, lock_path
from .meter import Meter
from .output import Encoder, FileOutput, Output, StreamOutput
from .row import Reader, Row
from .sidecar import Done, Sidecar, Unfit, parts_path, sidecar_path, unfinished_path

_BLOCK = 512  # rows: about a second of work, which is what a kill can cost
_PART = 8192  # rows of a parquet part
_STEP = 128  # rows between two looks at the meter


@dataclass(frozen=True)
class Job:
    """What to read, where to put it, and how. Paths of None are standard input and output."""

    input: Path | None
    output: Path | None
    input_format: str
    output_format: str
    scheme: Scheme
    question_column: str | None = None
    reply_column: str | None = None
    prefix: str = ""
    skip_bad: bool = False
    overwrite: bool = False

    @property
    def from_file(self) -> bool:
        """Whether the input can be read a second time."""
        return self.input is not None and not _is_device(self.input)

    @property
    def to_file(self) -> bool:
        """Whether the output stays."""
        return self.output is not None and not _is_device(self.output)


@dataclass(frozen=True)
class Summary:
    """How it went: rows of the input, how many were bad, and how many of them an earlier run had done."""

    rows: int
    bad: int
    resumed: int


def run(job: Job, interpreter: Interpreter) -> Summary:
    """Read all rows of the input and write them with their readings."""
    _check_output(job)
    alone = held(job.output) if job.output is not None and job.to_file else nullcontext()
    with alone, closing(open_reader(job.input, job.input_format, exact=job.output_format == "parquet")) as reader:
        return _Run(job, interpreter, reader).run()


def _check_output(job: Job) -> None:
    out = job.output
    try:
        if job.output_format == "parquet" and not job.to_file:
            raise InputError("parquet cannot be written to a pipe: name a file with --out.")
        if out is None:
            return
        if out.is_dir():
            raise InputError(f"{out} is a folder: name a file with --out.")
        if not out.parent.is_dir():
            raise InputError(f"There is no folder {str(out.parent)!r} for the output: make it first.")
        if job.input is not None and _same(out, job.input):
            raise InputError(f"{out} is the input: name another file with --out.")
        if job.to_file:
            _check_beside(job, out)
    except OSError as error:
        raise InputError(f"{str(out)[:200]!r} cannot be written ({reason_of(error)}): choose another --out.") from None


def _check_beside(job: Job, out: Path) -> None:
    """What stands beside the output until it is whole must be writable, and none of it the input or anybody else's."""
    if not os.access(out.parent, os.W_OK | os.X_OK):
        raise InputError(f"Nothing may be written to the folder {str(out.parent)!r}: choose another --out.")
    if out.exists() and not os.access(out, os.W_OK):
        raise InputError(f"{out} may not be written: choose another --out, or change who may write it.")
    sidecar = sidecar_path(out)
    with suppress(FileNotFoundError):
        unfinished_path(sidecar).lstat()  # the longest of the names
    if job.input is not None:
        own = (sidecar, lock_path(out), unfinished_path(out), unfinished_path(sidecar))
        folders = Path(os.path.realpath(job.input)).parents
        if any(_same(path, job.input) for path in own) or any(_same(parts_path(out), folder) for folder in folders):
            raise InputError(f"{job.input} would be lost in writing {out}: name another file with --out.")
    if job.output_format == "parquet":
        from .parquet import check_folder

        check_folder(parts_path(out))


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there, or may not be looked at, which opening it will tell
        return False


def _is_device(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


class _Run:
    """One run of a job, from its checks to its end."""

    def __init__(self, job: Job, interpreter: Interpreter, reader: Reader) -> None:
        self._job = job
        self._interpreter = interpreter
        self._reader = reader
        self._added = Added(job.scheme, job.prefix, job.output_format)
        self._intake = Intake(
            reader,
            self._added,
            job.question_column,
            job.reply_column,
            skip_bad=job.skip_bad,
            fixed=job.output_format != "jsonl",
        )
        # A bar would run through the rows where both go to the terminal.
        bar = job.from_file and sys.stderr.isatty() and (job.output is not None or not sys.stdout.isatty())
        self._meter = Meter(reader.size, bar=bar, plain=job.from_file)
        self._sidecar: Sidecar | None = None
        self._done = Done()

    def run(self) -> Summary:
        with self._meter:
            try:
                self._begin()
                with closing(self._open_output()) as output:
                    before = self._done.rows
                    self._read_all(output)
            except BrokenPipeError:
                raise
            except OSError as error:
                target = self._job.output or "standard output"
                raise MeantError(f"{target} could not be written ({reason_of(error)}).{self._advice()}") from None
            except KeyboardInterrupt:
                self._meter.say(f"Interrupted.{self._advice()}")
                raise
        return Summary(self._done.rows, self._done.bad, before)

    def _begin(self) -> None:
        """Find out what an earlier run has done; refuse to write over what is whole.

        --overwrite goes on too: an unfinished output that fits is what the same command left.
        """
        job = self._job
        if job.output is None or not job.to_file:
            return
        done = None
        if job.from_file:
            self._sidecar = Sidecar(job.output, self._reader, self._options())
            try:
                done = self._sidecar.load()
            except Unfit:
                if not job.overwrite:
                    raise
        if done is None and job.output.exists() and not job.overwrite:
            raise InputError(f"{job.output} exists already: add --overwrite, or choose another --out.")
        if self._sidecar is None:
            sidecar_path(job.output).unlink(missing_ok=True)  # of an earlier job, which this one puts an end to
        elif done is None:
            # Before the output exists, so that an unfinished output is never without its sidecar.
            self._sidecar.save(Done())
        self._done = done or Done()

    def _options(self) -> Mapping[str, Any]:
        columns = self._intake.columns
        return {
            "scheme": self._job.scheme.name,
            "input_format": self._job.input_format,
            "output_format": self._job.output_format,
            "question_column": columns.question if columns else None,
            "reply_column": columns.reply if columns else None,
            "prefix": self._job.prefix,
            "bundle": dict(self._interpreter.bundle.files),
        }

    def _open_output(self) -> Output:
        try:
            return self._output()
        except Unfit:
            if self._sidecar is None or not self._job.overwrite:
                raise
        self._done = Done()
        self._sidecar.save(self._done)
        return self._output()

    def _output(self) -> Output:
        job, state = self._job, self._done.state
        if job.output_format == "parquet" and job.output is not None:
            from .parquet import Parts, added_schema, texts_schema

            given = getattr(self._reader, "schema", None)
            if given is None and self._reader.columns is not None:
                given = texts_schema(self._reader.columns)
            added = added_schema(job.scheme, self._added.names)
            return Parts(job.output, state, self._intake.names or (), given, added)
        encoder: Encoder = JsonLinesEncoder()
        if job.output_format != "jsonl":
            encoder = DelimitedEncoder(job.output_format, (*(self._intake.names or ()), *self._added.names))
        if job.output is not None and job.to_file:
            return FileOutput(job.output, encoder, state)
        return StreamOutput(encoder, job.output)

    def _read_all(self, output: Output) -> None:
        if self._done.rows:
            self._intake.skip(self._done.rows)
            self._meter.say(f"Going on after row {self._done.rows:,}.")
        self._meter.start(self._reader.position())
        for block in self._intake.blocks(_PART if self._job.output_format == "parquet" else _BLOCK):
            self._done = self._read_block(block, output)
            if self._sidecar is not None:
                self._sidecar.save(self._done)
        output.finish()
        if self._sidecar is not None:
            self._sidecar.remove()
        output.clear()

    def _read_block(self, block: list[Row], output: Output) -> Done:
        written: list[dict[str, Any]] = []
        bad: list[str] = []
        for start in range(0, len(block), _STEP):
            bad += self._read_step(block[start : start + _STEP], written)
            if bad and not self._job.skip_bad:
                break
        state = output.write(written)
        if bad and not self._job.skip_bad:  # the rows before it are written; a later run begins this block again
            raise stopped(bad[0])
        return Done(self._done.rows + len(block), self._done.bad + len(bad), state)

    def _read_step(self, rows: list[Row], written: list[dict[str, Any]]) -> list[str]:
        """Add the rows and their readings to what is written; gives what is wrong with the others."""
        pairs: list[replies.Pair] = []
        good: list[Row] = []
        bad: list[str] = []
        for row in rows:
            pair = self._intake.pair(row)
            if isinstance(pair, replies.Pair):
                pairs.append(pair)
                good.append(row)
                continue
            bad.append(pair)
            if not self._job.skip_bad:
                break
            self._meter.say(f"{pair} Left out.")
        readings = self._interpreter.read_clean(pairs, self._job.scheme)
        written += [row.values | self._added.fields(it) for row, it in zip(good, readings, strict=True)]
        self._meter.advance(len(rows), self._reader.position())
        return bad

    def _advice(self) -> str:
        if self._sidecar is None:
            return ""
        return f" {self._done.rows:,} rows are safe: run the same command again to go on from there."
