"""Lock: OUT.lock, which one run at a time holds, so that two never write one output."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError, reason_of

try:
    import fcntl
except ImportError:  # Windows: there two runs are not kept apart
    fcntl = None  # type: ignore[assignment]


def lock_path(output: Path) -> Path:
    """Where the lock of that output stands."""
    return output.with_name(output.name + ".lock")


@contextmanager
def held(output: Path) -> Iterator[None]:
    """Hold the output's lock; a sentence where another run does. The system lets go of it when a run is killed."""
    if fcntl is None:
        yield
        return
    path = lock_path(output)
    with _taken(path, output):
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


@contextmanager
def _taken(path: Path, output: Path) -> Iterator[None]:
    while True:
        descriptor = _opened(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise InputError(f"Another run is writing {output}: wait for it, or choose another --out.") from None
        except OSError:  # a file system without locks
            pass
        if os.fstat(descriptor).st_size:
            os.close(descriptor)
            raise InputError(f"{path} is in the way: move it, or choose another --out.")
        if _is_still(path, descriptor):
            break
        os.close(descriptor)  # the run that held it took the file away in between
    try:
        yield
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    try:
        # Neither followed where it is a link, nor waited for where it is a pipe.
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({reason_of(error)}): choose another --out.") from None


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False
