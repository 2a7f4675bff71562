"""Output: where rows go, block by block; each knows its state, from which a later run can go on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

from .sidecar import Unfit


class Encoder(Protocol):
    """Rows to bytes."""

    def header(self) -> bytes:
        """What stands before the first row."""

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> bytes:
        """What stands for the rows."""


class Output(Protocol):
    """Takes blocks of rows."""

    state: int

    def write(self, rows: Sequence[Mapping[str, Any]]) -> int:
        """Write a block so that it stays; gives the state after it."""

    def finish(self) -> None:
        """All rows are there."""

    def close(self) -> None:
        """Let go of the file."""

    def clear(self) -> None:
        """Drop what was only needed to go on."""


def _write_whole(stream: IO[bytes], content: bytes) -> int:
    """An unbuffered stream may take less than it is given."""
    rest = memoryview(content)
    while rest:
        rest = rest[stream.write(rest) or 0 :]
    return len(content)


class FileOutput:
    """A text file. Its state is its length, and opening it cuts off what stands beyond."""

    def __init__(self, path: Path, encoder: Encoder, state: int) -> None:
        self._encoder = encoder
        if state and not path.is_file():
            raise Unfit(f"{path} is gone, of which a part was written: start afresh with --overwrite.")
        # Unbuffered: after a failed write nothing is left that closing would try to write again.
        self._file = path.open("r+b" if state else "wb", buffering=0)
        self.state = state
        if os.fstat(self._file.fileno()).st_size < state:
            self._file.close()
            raise Unfit(f"{path} is shorter than when it was left: start afresh with --overwrite.")
        self._file.truncate(state)
        self._file.seek(state)

    def write(self, rows: Sequence[Mapping[str, Any]]) -> int:
        header = b"" if self.state else self._encoder.header()
        self.state += _write_whole(self._file, header + self._encoder.rows(rows))
        os.fsync(self._file.fileno())
        return self.state

    def finish(self) -> None:
        if not self.state:
            self.write([])

    def close(self) -> None:
        self._file.close()

    def clear(self) -> None:
        """Nothing stands beside the file."""


class StreamOutput:
    """Standard output, a device or a named pipe: each block is sent at once, and nothing can be continued."""

    def __init__(self, encoder: Encoder, path: Path | None = None) -> None:
        self._encoder = encoder
        self._path = path
        self._stream: IO[bytes] = sys.stdout.buffer if path is None else path.open("wb", buffering=0)
        self.state = 0
        self._begun = False

    def write(self, rows: Sequence[Mapping[str, Any]]) -> int:
        header = b"" if self._begun else self._encoder.header()
        self._begun = True
        _write_whole(self._stream, header + self._encoder.rows(rows))
        self._stream.flush()
        return 0

    def finish(self) -> None:
        if not self._begun:
            self.write([])

    def close(self) -> None:
        if self._path is not None:
            self._stream.close()

    def clear(self) -> None:
        """Nothing stands beside a stream."""
