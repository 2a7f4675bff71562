"""The corpora that MEANT_DATA names, and a real server on this machine."""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from meant.corpora import circa


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address under which a server on this machine gives its files."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def data_with(*files: str) -> Path:
    data = os.environ.get("MEANT_DATA")
    missing = [file for file in files if data is None or not (Path(data) / file).is_file()]
    if data is None or missing:
        pytest.skip(f"needs {', '.join(missing)} in the folder that MEANT_DATA names")
    return Path(data)


@pytest.fixture(scope="session")
def circa_data() -> Path:
    """The folder of corpora, with Circa in it."""
    return data_with(f"circa/{circa.FILE}")


@pytest.fixture(scope="session")
def nli_data() -> Path:
    """The folder of corpora, with MultiNLI and SNLI in it."""
    return data_with("mnli/train_subset_37k.jsonl", "mnli/dev_matched.jsonl", "snli/train_subset_73k.jsonl")


@pytest.fixture(scope="session")
def clinc_data() -> Path:
    """The folder of corpora, with CLINC150 in it."""
    return data_with("clinc-oos/data_full.json")


@pytest.fixture(scope="session")
def rows(circa_data: Path) -> list[circa.Row]:
    """All of Circa."""
    return circa.load(circa_data)
