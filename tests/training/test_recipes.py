from __future__ import annotations

import json
from pathlib import Path

import pytest

from meant.errors import InputError
from meant.making.example import Example
from meant.training.recipes import read_examples, write_examples

NONE = [0.0] * 6
WHOLE = [Example("Hungry?", "I just ate.", (0.1, 0, 0, 0.7, 0.2, 0, 0)), Example("a", "b", (1, *NONE))]


def test_labelled_pairs_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_examples(tmp_path / "p.jsonl", WHOLE)
    assert read_examples(tmp_path / "p.jsonl") == WHOLE


def line(target: object, **changes: object) -> bytes:
    return json.dumps({"question": "a?", "reply": "b", "target": target} | changes).encode()


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (b"", "it is no JSON"),
        (b"{", "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b"\xff", "it is no JSON"),
        (b"[1]", "it is no JSON object"),
        (line([1, *NONE], reply=None), "it has no text 'reply'"),
        (b'{"reply": "b"}', "it has no text 'question'"),
        (b'{"question": "a?", "reply": "b"}', "it has no list 'target'"),
        (line("1000000"), "it has no list 'target'"),
        (line([1, 0]), "its target has 2 figures, not 7"),
        (line([float("nan"), *NONE]), "its target is not made of shares"),
        (line([float("inf"), *NONE]), "its target is not made of shares"),
        (line([10**400, *NONE]), "its target is not made of shares"),
        (line(["1", *NONE]), "its target is not made of shares"),
        (line([0.5, -0.5, 1, 0, 0, 0, 0]), "its target is not made of shares"),
        (line([0.5, 0.4, 0, 0, 0, 0, 0]), "its target is not made of shares that add up to 1"),
        (line([0.5, 0.6, 0, 0, 0, 0, 0]), "its target is not made of shares that add up to 1"),
    ],
)
def test_a_line_that_is_no_labelled_pair_is_a_sentence_with_its_number(tmp_path: Path, second: bytes, why: str) -> None:
    (tmp_path / "p.jsonl").write_bytes(b"\n".join([line([1, *NONE]), second, line([1, *NONE])]))
    with pytest.raises(InputError, match=rf"is not a file of labelled pairs \(line 2: {why}.*: make one with"):
        read_examples(tmp_path / "p.jsonl")


def test_figures_that_were_rounded_are_taken(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_bytes(line([0.333, 0.333, 0.333, 0, 0, 0, 0]))
    assert len(read_examples(tmp_path / "p.jsonl")) == 1


def test_an_empty_file_of_labelled_pairs_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").touch()
    with pytest.raises(InputError, match=r"\(it is empty\): make one with"):
        read_examples(tmp_path / "p.jsonl")
