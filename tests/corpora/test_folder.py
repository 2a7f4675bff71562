from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from meant.corpora import folder
from meant.errors import InputError, MeantError

CONTENT = bytes(range(256)) * 1000
RIGHT = hashlib.sha256(CONTENT).hexdigest()

Served = tuple[Path, str]


@pytest.fixture
def answering(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that answers anything with the bytes it was given, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(request.param)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/file"
        thread.join(5)


def test_the_right_file_lands(served: Served, tmp_path: Path) -> None:
    source, address = served
    (source / "corpus.tsv").write_bytes(CONTENT)
    path = tmp_path / "data" / "corpus" / "corpus.tsv"
    told: list[tuple[int, int]] = []
    folder.fetch(f"{address}/corpus.tsv", path, RIGHT, lambda done, total: told.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert [each.name for each in path.parent.iterdir()] == ["corpus.tsv"]
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in told] == sorted({done for done, _ in told}) and len(told) > 1


def test_a_file_with_another_hash_leaves_nothing(served: Served, tmp_path: Path) -> None:
    source, address = served
    (source / "corpus.tsv").write_bytes(CONTENT + b"!")
    path = tmp_path / "data" / "corpus.tsv"
    with pytest.raises(MeantError, match="is not the file expected .*nothing was kept") as caught:
        folder.fetch(f"{address}/corpus.tsv", path, RIGHT)
    assert caught.value.code == 1
    assert list(path.parent.iterdir()) == []


def test_a_file_that_was_there_before_survives_a_wrong_one(served: Served, tmp_path: Path) -> None:
    source, address = served
    (source / "corpus.tsv").write_bytes(b"a web page that asks for a login")
    path = tmp_path / "corpus.tsv"
    path.write_bytes(CONTENT)
    with pytest.raises(MeantError):
        folder.fetch(f"{address}/corpus.tsv", path, RIGHT)
    assert path.read_bytes() == CONTENT


def test_a_file_that_the_server_lacks_is_a_sentence(served: Served, tmp_path: Path) -> None:
    with pytest.raises(MeantError, match=r"could not be fetched \(.*[Nn]ot [Ff]ound\): check the network"):
        folder.fetch(f"{served[1]}/nothing.tsv", tmp_path / "corpus.tsv", RIGHT)
    assert not list(tmp_path.glob("corpus*"))


def test_a_server_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/corpus.tsv"
    with pytest.raises(MeantError, match="could not be fetched .*check the network, or copy the file to") as caught:
        folder.fetch(address, tmp_path / "corpus.tsv", RIGHT)
    assert caught.value.code == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "answering",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\nhalf",
    ],
    ids=["hangs up", "speaks ssh", "hangs up halfway", "cannot count", "hangs up in a chunk"],
    indirect=True,
)
def test_a_server_that_misbehaves_is_a_sentence_and_leaves_nothing(answering: str, tmp_path: Path) -> None:
    with pytest.raises(MeantError, match="could not be fetched|is not the file expected"):
        folder.fetch(answering, tmp_path / "corpus.tsv", RIGHT)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["http://[x", "http://a..b/x", "http://127.0.0.1:1/données.tsv"])
def test_an_address_that_is_none_is_a_sentence(address: str, tmp_path: Path) -> None:
    with pytest.raises(MeantError, match="could not be fetched"):
        folder.fetch(address, tmp_path / "corpus.tsv", RIGHT)


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be made .*choose another folder"):
        folder.fetch("http://127.0.0.1:1/x", tmp_path / "file" / "corpus.tsv", RIGHT)


def test_a_file_is_whole_only_with_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "corpus.tsv"
    assert not folder.is_whole(path, RIGHT)
    path.write_bytes(CONTENT[:-1])
    assert not folder.is_whole(path, RIGHT)
    path.write_bytes(CONTENT)
    assert folder.is_whole(path, RIGHT)


def test_the_folder_is_the_argument_then_the_environment_then_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEANT_DATA", "/environment")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder.data_folder("/argument") == Path("/argument")
    assert folder.data_folder() == Path("/environment")
    monkeypatch.setenv("MEANT_DATA", "")
    assert folder.data_folder() == tmp_path / "meant"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert folder.data_folder() == tmp_path / "home" / ".cache" / "meant"


def test_a_file_that_is_there_is_given_and_a_folder_of_its_name_is_not(tmp_path: Path) -> None:
    (tmp_path / "snli").mkdir()
    (tmp_path / "snli" / "a.jsonl").write_bytes(b"")
    assert folder.corpus_file("snli", "a.jsonl", tmp_path) == tmp_path / "snli" / "a.jsonl"
    assert folder.corpus_file("snli", ("none.jsonl", "a.jsonl"), tmp_path) == tmp_path / "snli" / "a.jsonl"
    (tmp_path / "snli" / "b.jsonl").mkdir()
    with pytest.raises(InputError, match="The snli corpus is not at .*: set MEANT_DATA to a folder that holds snli/b"):
        folder.corpus_file("snli", "b.jsonl", tmp_path)
