from __future__ import annotations

import numpy as np
import pytest

from meant import InputError, MeantError
from meant.labels import HEAD, RELAXED, STRICT
from meant.tasks.replies import CUT, Pair, clean, readings


def test_clean_gives_the_texts_as_the_model_sees_them() -> None:
    assert clean(" Hungry? ", "yesssss\n👍", "Row 1") == Pair("Hungry?", "yess thumbs up", False)


def test_clean_notes_a_text_that_is_too_long() -> None:
    assert clean("Hungry?", "ab" * 5000, "Row 1").cut


@pytest.mark.parametrize(
    ("question", "reply", "sentence"),
    [
        ("", "no", "Row 3: the question is empty."),
        ("Hungry?", "\u200b", "Row 3: the reply is empty."),
        ("Hungry?", 7, "Row 3: the reply should be a text, not of type int."),
        (None, "no", "Row 3: the question should be a text, not missing."),
    ],
)
def test_a_wrong_text_is_a_sentence_with_the_row(question: object, reply: object, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        clean(question, reply, "Row 3")
    assert str(caught.value) == sentence


def logits(**odds: float) -> np.ndarray:
    spelt = {name.replace("_", " "): value for name, value in odds.items()}
    return np.log([[spelt.get(mark, 1e-12) for mark in HEAD]])


def test_the_labels_share_what_other_leaves() -> None:
    (reading,) = readings(logits(yes=0.3, no=0.1, other=0.6), STRICT)
    assert reading.label == "yes"
    assert reading.other == pytest.approx(0.6)
    assert reading.probabilities["yes"] == pytest.approx(0.75)


def test_relaxed_is_added_up_and_may_differ_in_its_label() -> None:
    row = logits(no=0.4, yes=0.3, probably_yes=0.3)
    assert readings(row, STRICT)[0].label == "no"
    (relaxed,) = readings(row, RELAXED)
    assert relaxed.label == "yes"
    assert relaxed.probabilities["yes"] == pytest.approx(0.6)


def test_a_certain_other_leaves_exact_probabilities() -> None:
    row = np.zeros((1, len(HEAD)))
    row[0, HEAD.index("other")] = 900.0
    row[0, HEAD.index("no")] = 2.0
    (reading,) = readings(row, STRICT)
    assert reading.other == 1.0
    assert reading.label == "no"
    assert abs(sum(reading.probabilities.values()) - 1) < 1e-9


def test_temperature_softens_without_changing_the_label() -> None:
    row = logits(no=0.9, yes=0.1)
    sharp, soft = readings(row, STRICT, 1.0)[0], readings(row, STRICT, 2.0)[0]
    assert sharp.label == soft.label == "no"
    assert soft.confidence < sharp.confidence


def test_the_heads_own_order_is_respected() -> None:
    order = list(reversed(HEAD))
    (reading,) = readings(logits(no=0.9, yes=0.1)[:, ::-1], STRICT, head=order)
    assert reading.label == "no"


def test_a_cut_pair_is_warned_about() -> None:
    whole, cut = readings(np.zeros((2, len(HEAD))), STRICT, cut=[False, True])
    assert (whole.warning, cut.warning) == (None, CUT)


def test_a_model_that_gives_no_numbers_is_a_failure() -> None:
    with pytest.raises(MeantError, match="other than numbers"):
        readings(np.full((1, len(HEAD)), np.nan), STRICT)
