"""Where corpora lie on this machine, and how a file gets there."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import InputError, MeantError


def data_folder(data: str | os.PathLike[str] | None = None) -> Path:
    """The folder of corpora: the argument, or MEANT_DATA, or the user's cache."""
    if data is not None:
        return Path(data)
    if os.environ.get("MEANT_DATA"):
        return Path(os.environ["MEANT_DATA"])
    try:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        raise InputError("There is no home folder to keep corpora in: set MEANT_DATA to a folder.") from None
    return Path(cache) / "meant"


def corpus_file(
    corpus: str, names: str | Sequence[str], data: str | os.PathLike[str] | None = None, how: str = ""
) -> Path:
    """The file of a corpus (of several names, the first that is there), or a sentence that says how to get it."""
    names = (names,) if isinstance(names, str) else names
    folder = data_folder(data) / corpus
    for name in names:
        if (folder / name).is_file():
            return folder / name
    advice = f"{how} or " if how else ""
    raise InputError(
        f"The {corpus} corpus is not at {folder / names[0]}: {advice}set MEANT_DATA to a folder that holds "
        f"{corpus}/{names[0]}."
    )


def contents(path: Path) -> bytes:
    """A corpus file's bytes."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): check who may read it.") from None


def is_whole(path: Path, sha256: str) -> bool:
    """Whether the file is there, and is the one with that hash."""
    return path.is_file() and hashlib.sha256(contents(path)).hexdigest() == sha256


def fetch(url: str, path: Path, sha256: str, progress: Callable[[int, int], None] | None = None) -> None:
    """Download one file, check its hash, and only then put it in its place."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent} cannot be made ({error.strerror}): choose another folder.") from None
    part = path.with_name(path.name + ".part")
    digest = hashlib.sha256()
    try:
        with urllib.request.urlopen(url, timeout=30) as response, part.open("wb") as out:
            length, done = response.headers.get("Content-Length") or "", 0
            total = int(length) if length.isdecimal() else 0
            while block := response.read(1 << 16):
                out.write(block)
                digest.update(block)
                done += len(block)
                if progress:
                    progress(done, total)
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError, ValueError) as error:
        part.unlink(missing_ok=True)
        reason = getattr(error, "reason", error)
        raise MeantError(
            f"{url} could not be fetched ({reason}): check the network, or copy the file to {path}."
        ) from None
    if digest.hexdigest() != sha256:
        part.unlink(missing_ok=True)
        raise MeantError(f"{url} is not the file expected (another hash): nothing was kept. Is there a newer release?")
    part.replace(path)
