from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meant import InputError, Reading
from meant.files.columns import Added, Columns, choose, rounded
from meant.labels import STRICT


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["question", "reply"], ("question", "reply")),
        (["id", "question-X", "canquestion-X", "answer-Y"], ("question-X", "answer-Y")),
        (["Question_X", " Answer"], ("Question_X", " Answer")),
        (["q", "a"], ("q", "a")),
        (["query", "utterance"], ("query", "utterance")),
        (["question", "q", "reply", "answer"], ("question", "reply")),
    ],
)
def test_usual_names_are_guessed(names: list[str], found: tuple[str, str]) -> None:
    assert choose(names, None, None) == Columns(*found)


def test_an_option_is_stronger_than_a_guess() -> None:
    assert choose(["question", "reply", "second"], None, "second").reply == "second"


@pytest.mark.parametrize(
    ("names", "question", "reply", "sentence"),
    [
        (["text", "reply"], None, None, "No column looks like the question among 'text', 'reply': name it"),
        (["question", "answer", "response"], None, None, "Several columns may be the reply .'answer', 'response'."),
        (["question", "reply"], "text", None, "There is no column 'text', only 'question', 'reply'"),
        (["question", "reply"], "reply", None, "cannot both be the column 'reply'"),
        ([], None, None, "among none"),
    ],
)
def test_a_doubt_is_a_sentence(names: list[str], question: str | None, reply: str | None, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        choose(names, question, reply)


@given(st.lists(st.floats(1e-9, 1), min_size=6, max_size=6))
def test_rounded_probabilities_still_add_up(weights: list[float]) -> None:
    shares = {label: weight / sum(weights) for label, weight in zip(STRICT.labels, weights, strict=True)}
    label = max(shares, key=lambda name: shares[name])
    result = rounded(Reading(label, shares, "strict"))
    assert abs(sum(result.values()) - 1) < 1e-9
    assert all(abs(result[name] - shares[name]) < 1e-5 for name in shares)


def test_flat_rows_have_a_column_for_each_label() -> None:
    assert "probabilities.probably no" in Added(STRICT, "", "csv").names
    assert Added(STRICT, "m.", "parquet").names == (
        "m.label", "m.confidence", "m.other", "m.probabilities", "m.warning",
    )  # fmt: skip
