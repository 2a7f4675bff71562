"""Rivals: what each makes of replies, and that restored weights are the bundle's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meant.bench import written
from meant.bench.rivals import keywords, whole
from meant.errors import MeantError

QUESTION = "Shall I book it?"


def answer(environment: dict[str, str], task: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "meant.bench.rivals"], input=json.dumps(task), capture_output=True, text=True,
        env=environment, timeout=300,
    )  # fmt: skip
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Yes!", "yes"),
        (" okay. ", "yes"),
        ("NOPE", "no"),
        ("No thanks.", "no"),
        ("yes, but not today", "middle"),
        ("", "middle"),
    ],
)
def test_a_whole_reply_list_knows_only_whole_replies(reply: str, label: str) -> None:
    assert whole.Reader({}).read([(QUESTION, reply)]) == [label]


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Well, yeah, I guess", "yes"),
        ("I wouldn’t", "no"),
        ("no, sure, go on", "no"),
        ("Okay, wait, don't run that", "yes"),  # the mistake that a consent gate must not make
        ("I know him", "middle"),
        ("I'd just go to bed", "middle"),
    ],
)
def test_a_keyword_search_takes_the_word_that_stands_first(reply: str, label: str) -> None:
    assert keywords.Reader({}).read([(QUESTION, reply)]) == [label]


def test_the_same_reply_in_lists_gets_the_same_label_whatever_is_asked() -> None:
    for reader in (whole.Reader({}), keywords.Reader({})):
        for twin in written.twins("test")[:20]:
            first, second = reader.read([(twin.question_a, twin.reply), (twin.question_b, twin.reply)])
            assert first == second


def test_a_rivals_process_loads_only_what_its_rival_needs(environment: dict[str, str]) -> None:
    task = {
        "rival": "keywords",
        "do": "measure",
        "arguments": {},
        "pairs": [[QUESTION, "sure"]],
        "singles": 3,
        "others": [[]],
    }
    found = answer(environment, task)
    assert found["labels"] == ["yes"] and found["others"] == [[]]
    assert found["singles"] == 3
    assert found["memory MB"] < 40, "numpy alone would take more"


def test_memory_is_the_rivals_own_though_its_parent_holds_much(environment: dict[str, str]) -> None:
    held = bytearray(os.urandom(1 << 20) * 200)
    task = {"rival": "whole", "do": "measure", "arguments": {}, "pairs": [[QUESTION, "no"]], "singles": 1, "others": []}
    assert answer(environment, task)["memory MB"] < 40
    assert len(held) == 200 << 20


def test_a_rival_that_fails_says_why_in_its_result(environment: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs meant[train]")
    arguments = {
        "threads": 2,
        "checkpoint": str(tmp_path),
        "bundle": None,
        "folder": str(tmp_path / "out"),
        "pairs": [],
    }
    found = answer(environment, {"rival": "pipeline", "do": "prepare", "arguments": arguments})
    assert "not a finished run" in found["error"]


def test_restored_weights_label_as_the_bundle_does(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs meant[train]")
    from meant.bench.rivals.pipeline import check
    from meant.training.restoration import restore

    cases = [(case.question, case.reply) for case in written.direct("test")[:100]]
    cases += [(twin.question_a, twin.reply) for twin in written.twins("test")[:100]]
    folder = restore(None, str(tmp_path / "restored"))
    assert check(None, str(folder), cases) > 0.98


def test_weights_that_are_not_the_bundles_are_noticed(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs meant[train]")
    from transformers import AutoModelForSequenceClassification

    from meant.bench.rivals.pipeline import check
    from meant.training.restoration import restore

    folder = restore(None, str(tmp_path / "restored"))
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.weight.neg_()
    model.save_pretrained(folder)
    with pytest.raises(MeantError, match="--checkpoint"):
        check(None, str(folder), [(case.question, case.reply) for case in written.direct("test")[:20]])
