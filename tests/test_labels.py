from __future__ import annotations

import numpy as np
import pytest

from meant.errors import InputError
from meant.labels import HEAD, MARKS, RELAXED, STRICT, scheme_named


def test_strict_has_the_six_classes_and_relaxed_the_four() -> None:
    assert STRICT.labels == ("yes", "probably yes", "conditional yes", "no", "probably no", "middle")
    assert RELAXED.labels == ("yes", "no", "conditional yes", "middle")


def test_the_head_is_the_marks_without_unsure() -> None:
    assert [mark for mark in MARKS if mark != "unsure"] == list(HEAD)


@pytest.mark.parametrize("scheme", [STRICT, RELAXED])
def test_every_mark_but_other_counts_as_exactly_one_label(scheme: object) -> None:
    matrix = scheme_named(scheme).matrix()  # type: ignore[arg-type]
    assert matrix.sum(axis=1).tolist() == [0.0 if mark == "other" else 1.0 for mark in HEAD]


def test_relaxed_adds_probably_to_the_definite_labels() -> None:
    sums = np.arange(len(HEAD)) @ RELAXED.matrix()
    assert sums.tolist() == [0 + 1, 3 + 4, 2, 5]


def test_an_unknown_scheme_is_a_sentence_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="no scheme 'loose': choose one of strict, relaxed"):
        scheme_named("loose")
