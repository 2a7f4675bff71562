from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meant import InputError
from meant.files import source
from meant.files.source import FileSource, PipeSource, open_source


def test_a_files_lines_keep_their_ends(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\ntwo\r\n\nlast")
    lines = FileSource(tmp_path / "a")
    assert list(lines.lines()) == [b"one\n", b"two\r\n", b"\n", b"last"]
    assert lines.position() == lines.size == 14


def test_gz_is_unpacked_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"one\ntwo\n"))
    assert list(open_source(tmp_path / "a.gz").lines()) == [b"one\n", b"two\n"]


@pytest.mark.parametrize("content", [b"plain text\n", gzip.compress(b"one\n" * 100)[:-9], b"\x1f\x8b\x08" + b"\0" * 40])
def test_a_broken_gz_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(InputError, match="is damaged after line"):
        list(open_source(tmp_path / "a.gz").lines())


def test_no_file_and_a_folder_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        open_source(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a folder"):
        open_source(tmp_path)
    with pytest.raises(InputError, match="cannot be read .*: check the name, and whether you may read it"):
        open_source(tmp_path / ("x" * 5000))


def test_a_line_without_end_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_LONGEST_LINE", 1000)
    (tmp_path / "a").write_bytes(b"short\n" + b"x" * 5000)
    with pytest.raises(InputError, match="line 2 is longer"):
        list(FileSource(tmp_path / "a").lines())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=12), max_size=8))
def test_a_pipe_gives_the_lines_of_its_pieces(pieces: list[bytes]) -> None:
    end, start = os.pipe()
    lines = PipeSource(end, "pipe").lines()
    for piece in pieces:
        os.write(start, piece)
    os.close(start)
    content = b"".join(pieces)
    assert b"".join(found := list(lines)) == content
    assert len(found) == content.count(b"\n") + (not content.endswith(b"\n") and content != b"")
    os.close(end)


def test_a_pipe_knows_whether_a_line_is_there(tmp_path: Path) -> None:
    end, start = os.pipe()
    pipe = PipeSource(end, "pipe")
    lines = pipe.lines()
    os.write(start, b"one\ntwo\n")
    assert next(lines) == b"one\n"
    assert pipe.ready()
    assert next(lines) == b"two\n"
    assert not pipe.ready()
    os.write(start, b"three\n")
    deadline = time.monotonic() + 5
    while not pipe.ready() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert next(lines) == b"three\n"
    os.close(start)
    assert list(lines) == []
