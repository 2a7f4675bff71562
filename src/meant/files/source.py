"""Source: the lines of a file, or of a pipe whose next line may take its time."""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from typing import IO, Any, Protocol

from ..errors import InputError, MeantError, reason_of

_LONGEST_LINE = 64 * 1024 * 1024  # bytes: a file without line ends must not fill the memory
_PIECE = 64 * 1024


class Source(Protocol):
    """Lines of bytes, each with its line end."""

    name: str
    size: int | None

    def lines(self) -> Iterator[bytes]:
        """The lines, once."""

    def position(self) -> int:
        """Bytes read so far, compressed ones where `size` counts those."""

    def ready(self) -> bool:
        """Whether the next line is there already."""

    def close(self) -> None:
        """Let go of the file."""


def open_source(path: Path | None) -> Source:
    """The file's lines; None is standard input, and a device or a named pipe is read like it."""
    if path is None:
        if sys.stdin is None:  # closed: whatever has its number now is something else
            raise InputError("Standard input is closed: name a file instead of - .")
        return PipeSource(0, "standard input")
    with opening(path):
        if path.is_dir():
            raise InputError(f"{path} is a folder: name a file in it.")
        if path.exists() and not path.is_file():
            return PipeSource(os.open(path, os.O_RDONLY), str(path))
        return FileSource(path)


@contextmanager
def opening(path: Path) -> Iterator[None]:
    """Says in a sentence why the file does not open."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}: check the name.") from None
    except OSError as error:
        raise InputError(
            f"{str(path)[:200]!r} cannot be read ({reason_of(error)}): check the name, and whether you may read it."
        ) from None


class FileSource:
    """A regular file, unpacked on the way where its name ends in .gz."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._raw = path.open("rb")
        self.size: int | None = os.fstat(self._raw.fileno()).st_size
        self._stream: IO[bytes] = self._raw
        if path.suffix.lower() == ".gz":
            self._stream = gzip.GzipFile(fileobj=self._raw, mode="rb")  # type: ignore[assignment]

    def lines(self) -> Iterator[bytes]:
        number = 0
        while line := self._next(number):
            number += 1
            yield _checked(line, number, self.name)

    def _next(self, number: int) -> bytes:
        try:
            return self._stream.readline(_LONGEST_LINE)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise InputError(
                f"{self.name} is damaged after line {number:,}: it does not unpack. Get it again."
            ) from None
        except OSError as error:
            raise MeantError(f"{self.name} cannot be read on after line {number:,} ({reason_of(error)}).") from None

    def position(self) -> int:
        return self._raw.tell()

    def ready(self) -> bool:
        return True

    def close(self) -> None:
        self._stream.close()
        self._raw.close()


class PipeSource:
    """A pipe or a terminal. A thread waits for its bytes, so that `ready` can tell whether there are any."""

    size: int | None = None

    def __init__(self, descriptor: int, name: str) -> None:
        self.name = name
        self._descriptor = descriptor
        self._pieces: Queue[bytes | OSError] = Queue(maxsize=16)
        self._rest = b""
        self._position = 0
        threading.Thread(target=self._fetch, daemon=True).start()

    def _fetch(self) -> None:
        piece: bytes | OSError = b"-"
        while piece and isinstance(piece, bytes):
            try:
                piece = os.read(self._descriptor, _PIECE)
            except OSError as error:
                piece = error
            self._pieces.put(piece)

    def lines(self) -> Iterator[bytes]:
        number = 0
        while True:
            held = [self._rest] if self._rest else []
            length = len(self._rest)
            self._rest = b""
            while True:
                piece = self._pieces.get()
                if isinstance(piece, OSError):
                    raise MeantError(f"{self.name} cannot be read on after line {number:,} ({reason_of(piece)}).")
                self._position += len(piece)
                held.append(piece)
                length += len(piece)
                if not piece or b"\n" in piece or length >= _LONGEST_LINE:
                    break
            *whole, rest = b"".join(held).split(b"\n")
            for index, line in enumerate(whole):
                number += 1
                # What follows in the same piece counts as "there already".
                self._rest = b"\n" if index + 1 < len(whole) else b""
                yield _checked(line + b"\n", number, self.name)
            self._rest = rest
            if not piece:
                if rest:
                    yield _checked(rest, number + 1, self.name)
                return
            _checked(rest, number + 1, self.name)

    def position(self) -> int:
        return self._position

    def ready(self) -> bool:
        return self._rest.endswith(b"\n") or not self._pieces.empty()

    def close(self) -> None:
        if self._descriptor != 0:
            os.close(self._descriptor)


def _checked(line: bytes, number: int, name: str) -> bytes:
    if len(line) >= _LONGEST_LINE:
        raise InputError(f"{name}: line {number:,} is longer than {_LONGEST_LINE >> 20} MB. Is this a text file?")
    return line


class Seen:
    """The lines that were taken, as their length and a hash: enough to tell later whether they are still the same."""

    def __init__(self) -> None:
        self.bytes = 0
        self._hash = hashlib.sha256()

    def add(self, line: bytes) -> None:
        """One more line."""
        self.bytes += len(line)
        self._hash.update(line)

    def told(self) -> dict[str, Any]:
        """As a sidecar keeps it."""
        return {"bytes": self.bytes, "sha256": self._hash.hexdigest()}


class Text:
    """A source's lines as text; remembers what was wrong with them until somebody asks."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.count = 0
        self.seen = Seen()
        self._wrong: str | None = None

    def __iter__(self) -> Iterator[str]:
        for line in self._source.lines():
            self.count += 1
            self.seen.add(line)
            yield self._decoded(line)

    def begins_with(self, seen: Mapping[str, Any]) -> bool:
        """Whether the file begins with the lines that an earlier run had seen; what follows may have changed."""
        again, length = Seen(), seen.get("bytes")
        if not isinstance(length, int):
            return False
        with closing(open_source(Path(self._source.name))) as source:
            lines = source.lines()
            while again.bytes < length and (line := next(lines, b"")):
                again.add(line)
        return again.told() == seen

    def _decoded(self, line: bytes) -> str:
        if self.count == 1:
            if line.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise InputError(f"{self._source.name} is UTF-16 text: save it as UTF-8.")
            line = line.removeprefix(b"\xef\xbb\xbf")
        if b"\0" in line:
            self._wrong = "there is a NUL byte in it (UTF-16 text has them: save it as UTF-8)."
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            self._wrong = "it is not UTF-8 text."
            return line.decode("utf-8", "replace")

    def wrong(self) -> str | None:
        """What was wrong with the lines since the last call."""
        wrong, self._wrong = self._wrong, None
        return wrong
