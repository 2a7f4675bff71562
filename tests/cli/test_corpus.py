"""`meant corpus` as a real process."""

from __future__ import annotations

import functools
import http.server
import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from meant.corpora import circa

Meant = Callable[..., "subprocess.CompletedProcess[bytes]"]

HEADER = "\t".join(circa.COLUMNS)
LINES = (
    "0\tfriends\tHungry?\tI am hungry .\tI just ate.\tNo#No#No#Probably no#Yes\tNo\tNo",
    "1\tfriends\tComing?\tI am coming .\tTry and stop me.\tYes#Yes#Probably yes / sometimes yes#No#No\tNA\tYes",
    "2\tjobs\tEmployed?\tI am employed .\tIn a way.\tYes#Yes#Yes#Yes#Yes\tYes\tYes",
)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder of corpora with three rows of Circa."""
    data = tmp_path / "data"
    (data / "circa").mkdir(parents=True)
    (data / "circa" / circa.FILE).write_text("\n".join((HEADER, *LINES, "")), encoding="utf-8")
    return data


@pytest.fixture(scope="module")
def whole() -> Path:
    """The folder of corpora that MEANT_DATA names, with all of Circa."""
    data = os.environ.get("MEANT_DATA")
    if data is None or not (Path(data) / "circa" / circa.FILE).is_file():
        pytest.skip(f"needs circa/{circa.FILE} in the folder that MEANT_DATA names")
    return Path(data).absolute()


@pytest.fixture
def mirror(whole: Path) -> Iterator[str]:
    """The address of a server on this machine that has Circa."""
    handler = functools.partial(_Quiet, directory=str(whole / "circa"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


def test_the_list_says_where_each_corpus_is_and_under_which_licence(meant: Meant, small: Path) -> None:
    done = meant("corpus", "list", "--data", small)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert [line.split() for line in lines[::3]] == [
        ["circa", "there", str(small / "circa")],
        ["mnli", "absent", str(small / "mnli")],
        ["snli", "absent", str(small / "snli")],
        ["clinc-oos", "absent", str(small / "clinc-oos")],
    ]
    assert all("licence: " in line and "to train weights that ship: yes" in line for line in lines[2::3])
    assert all("from https://" in line for line in lines[1::3])
    assert "meant corpus fetch circa" in lines[1] and "multinli_1.0_train.jsonl" in lines[4]


def test_a_corpus_is_fetched_and_then_is_there(meant: Meant, mirror: str, whole: Path, tmp_path: Path) -> None:
    fetch = ("corpus", "fetch", "circa", "--data", tmp_path / "new", "--from", f"{mirror}/{circa.FILE}")
    done = meant(*fetch)
    assert (done.returncode, done.stdout) == (0, b"")
    landed = tmp_path / "new" / "circa" / circa.FILE
    assert f"circa -> {landed} (7.8 MB)" in done.stderr.decode()
    assert landed.read_bytes() == (whole / "circa" / circa.FILE).read_bytes()
    again = meant(*fetch[:-2], "--from", "http://127.0.0.1:9/nobody-is-asked")
    assert again.returncode == 0
    assert f"there already, and whole: {landed}" in again.stderr.decode()
    landed.write_bytes(b"damaged")
    assert meant(*fetch).returncode == 0
    assert landed.stat().st_size == 7_766_077


def test_another_file_is_not_kept(meant: Meant, mirror: str, tmp_path: Path) -> None:
    done = meant("corpus", "fetch", "circa", "--data", tmp_path / "new", "--from", f"{mirror}/NOTES.md")
    assert done.returncode == 1
    assert "is not the file expected" in done.stderr.decode()
    assert [path.name for path in (tmp_path / "new").rglob("*")] == ["circa"]


def test_no_network_is_a_sentence_and_exit_1(meant: Meant, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/{circa.FILE}"
    done = meant("corpus", "fetch", "circa", "--data", tmp_path / "new", "--from", address)
    assert done.returncode == 1
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("meant: http://127.0.0.1:") and "check the network, or copy the file to" in line


def test_rows_are_shown_with_their_labels_and_counted(meant: Meant, small: Path) -> None:
    done = meant("corpus", "show", "circa", "--data", small)
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [
        "0\tno\tHungry?\tI just ate.",
        "1\t-\tComing?\tTry and stop me.",
        "2\tyes\tEmployed?\tIn a way.",
    ]
    counts = {line[:15].strip(): int(line[15:]) for line in done.stderr.decode().splitlines()}
    assert (counts["yes"], counts["no"], counts["no label"], counts["rows"]) == (1, 1, 1, 3)


def test_rows_as_json_in_the_relaxed_scheme(meant: Meant, small: Path) -> None:
    done = meant("corpus", "show", "circa", "--data", small, "--json", "--scheme", "relaxed", "--limit", "2")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["id"], row["label"]) for row in rows] == [(0, "no"), (1, "yes")]
    assert list(rows[0]) == ["id", "label", "question", "reply", "context", "statement", "marks"]
    assert rows[0]["marks"] == ["no", "no", "no", "probably no", "yes"]
    assert done.stderr.decode().splitlines()[-1].split() == ["rows", "3"]  # all are counted, two are shown


def test_a_part_of_a_split_is_counted(meant: Meant, whole: Path) -> None:
    arguments = ("--split", "paper:0", "--part", "test", "--scheme", "relaxed", "--limit", "0", "--data", whole)
    done = meant("corpus", "show", "circa", *arguments)
    assert (done.returncode, done.stdout) == (0, b"")
    counts = {line[:15].strip(): int(line[15:].replace(",", "")) for line in done.stderr.decode().splitlines()}
    assert counts.pop("rows") == sum(counts.values()) == 6_599
    assert set(counts) == {"yes", "no", "conditional yes", "middle"}


def test_a_split_without_a_part_names_the_part_of_each_row(meant: Meant, small: Path) -> None:
    done = meant("corpus", "show", "circa", "--split", "release", "--json", "--data", small)
    assert [json.loads(line)["part"] for line in done.stdout.splitlines()] == ["train", "dev", "test"]


def test_the_help_has_examples(meant: Meant) -> None:
    assert b"fetch" in meant("corpus").stdout
    assert b"meant corpus fetch circa --data ~/corpora" in meant("corpus", "fetch", "--help").stdout
    assert b"--split scenario:3 --part dev" in meant("corpus", "show", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fetch"], "Missing argument"),
        (["fetch", "nothing"], "There is no corpus 'nothing': choose one of circa, mnli, snli, clinc-oos"),
        (["fetch", "snli"], "get it from https://nlp.stanford.edu/projects/snli/ and put snli_1.0_train.jsonl into"),
        (["fetch", "circa", "--from", "file:///etc/passwd"], "--from takes an address that begins with https://"),
        (["show", "circa"], "The circa corpus is not at"),
        (["show", "mnli"], "Only circa can be shown, not mnli"),
        (["show", "circa", "--part", "dev"], "--part goes with --split"),
        (["show", "circa", "--split", "mine"], "There is no split 'mine'"),
        (["show", "circa", "--scheme", "loose"], "There is no scheme 'loose'"),
        (["show", "circa", "--limit", "-1"], "Invalid value"),
        (["burn"], "No such command"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_2(meant: Meant, arguments: list[str], sentence: str) -> None:
    done = meant("corpus", *arguments, *(["--data", "nowhere"] if len(arguments) > 1 else []))
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("meant: ") and sentence in line


def test_a_part_that_is_none_is_a_sentence(meant: Meant, small: Path) -> None:
    done = meant("corpus", "show", "circa", "--split", "release", "--part", "name", "--data", small)
    assert done.returncode == 2
    assert b"There is no part 'name': choose one of train, dev, test." in done.stderr
