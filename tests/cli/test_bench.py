"""`meant bench` as a real process."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from meant.corpora import circa

Meant = Callable[..., "subprocess.CompletedProcess[bytes]"]

needs_circa = pytest.mark.skipif(
    not (Path(os.environ.get("MEANT_DATA", "/nonexistent")) / "circa" / circa.FILE).is_file(),
    reason="needs Circa: set MEANT_DATA",
)


@needs_circa
def test_bench_reply_prints_objects_with_signatures(meant: Meant, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = meant("bench", "reply", "--part", "dev", "--json", "--results", tmp_path / "docs" / "results")
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)
    assert {"table", "row", "measure", "paper", "ours", "signature"} <= set(scores[0])
    assert any(score["signature"].startswith("acc|circa|strict|release|dev|") for score in scores)
    made = {file.name for file in (tmp_path / "docs").rglob("*") if file.is_file()}
    assert made == {"reply.json", "reply.md", "reply-reliability.png", "reply-confusion.png", "model-card.md"}


def test_the_group_alone_prints_its_help(meant: Meant) -> None:
    done = meant("bench")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"speed" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("reply", "--part", "train"), "say dev or test"),
        (("reply", "--bundle", "nowhere"), "There is no bundle at"),
        (("reply", "--data", "nowhere"), "meant corpus fetch circa"),
        (("reply", "--also", "nowhere.json"), "nowhere.json cannot be read"),
        (("reply", "--checkpoint", "nowhere"), "nowhere is not a finished run"),
        (("speed", "--pairs", "3"), "--pairs"),
        (("tables",), "No such command"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(meant: Meant, arguments: tuple[str, ...], sentence: str) -> None:
    done = meant("bench", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr.decode()
    assert b"Traceback" not in done.stderr
