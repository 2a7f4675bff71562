"""Where corpora lie on this machine, and how a file gets there."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from ..errors import InputError, MeantError


def data_folder(data: str | os.PathLike[str] | None = None) -> Path:
    """The folder of corpora: the argument, or MEANT_DATA, or the user's cache."""
    if data is not None:
        return Path(data)
    if os.environ.get("MEANT_DATA"):
        return Path(os.environ["MEANT_DATA"])
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "meant"


def corpus_file(corpus: str, name: str, data: str | os.PathLike[str] | None = None, fetchable: bool = False) -> Path:
    """The file of a corpus, or a sentence that says how to get it."""
    path = data_folder(data) / corpus / name
    if not path.is_file():
        how = f"run  meant corpus fetch {corpus}  or " if fetchable else ""
        raise InputError(
            f"The {corpus} corpus is not at {path}: {how}set MEANT_DATA to a folder that holds {corpus}/{name}."
        )
    return path


def is_whole(path: Path, sha256: str) -> bool:
    """Whether the file is there, and is the one with that hash."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def fetch(url: str, path: Path, sha256: str, progress: Callable[[int, int], None] | None = None) -> None:
    """Download one file, check its hash, and only then put it in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    digest = hashlib.sha256()
    try:
        with urllib.request.urlopen(url, timeout=30) as response, part.open("wb") as out:
            total, done = int(response.headers.get("Content-Length") or 0), 0
            while block := response.read(1 << 16):
                out.write(block)
                digest.update(block)
                done += len(block)
                if progress:
                    progress(done, total)
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        part.unlink(missing_ok=True)
        reason = getattr(error, "reason", error)
        raise MeantError(
            f"{url} could not be fetched ({reason}): check the network, or copy the file to {path}."
        ) from None
    if digest.hexdigest() != sha256:
        part.unlink(missing_ok=True)
        raise MeantError(f"{url} is not the file expected (another hash): nothing was kept. Is there a newer release?")
    part.replace(path)
