from __future__ import annotations

import json

import numpy as np
import pytest

from meant import __version__
from meant.bench.scores import Score, accuracy, confusion, f_scores, signature
from meant.labels import RELAXED

LABELS = RELAXED.labels


def some(rows: int, seed: int) -> tuple[list[str], list[str]]:
    random = np.random.default_rng(seed)
    found, gold = random.choice(LABELS, rows), random.choice(LABELS, rows)
    return [*map(str, np.where(random.random(rows) < 0.6, gold, found))], [*map(str, gold)]


def test_accuracy_is_per_cent_right() -> None:
    assert accuracy(["yes", "no", "no", "yes"], ["yes", "no", "yes", "yes"]) == 75.0


def test_a_confusion_matrix_has_gold_in_rows_and_found_in_columns() -> None:
    counts = confusion(["yes", "no", "no"], ["yes", "yes", "no"], ("yes", "no"))
    assert counts.tolist() == [[1, 1], [0, 1]]


def test_f_is_that_of_the_textbook() -> None:
    # yes: 2 right, 1 missed, 0 wrongly found: P = 1, R = 2/3, F = 0.8; no: 1 right, 1 wrongly found: P = 1/2, R = 1.
    assert f_scores(np.array([[2, 1], [0, 1]])) == pytest.approx([80.0, 200 / 3])


def test_a_label_that_is_neither_found_nor_gold_has_an_f_of_0() -> None:
    assert f_scores(confusion(["yes"], ["yes"], ("yes", "no"))) == [100.0, 0.0]


@pytest.mark.parametrize("seed", range(3))
def test_all_measures_agree_with_scikit_learn(seed: int) -> None:
    measures = pytest.importorskip("sklearn.metrics", reason="needs scikit-learn (meant[bench])")
    found, gold = some(500, seed)
    assert accuracy(found, gold) == pytest.approx(100 * measures.accuracy_score(gold, found))
    counts = confusion(found, gold, LABELS)
    assert np.array_equal(counts, measures.confusion_matrix(gold, found, labels=LABELS))
    assert f_scores(counts) == pytest.approx(100 * measures.f1_score(gold, found, labels=LABELS, average=None))


def test_two_lists_of_different_lengths_are_not_compared() -> None:
    with pytest.raises(ValueError):
        accuracy(["yes"], ["yes", "no"])
    with pytest.raises(ValueError):
        confusion(["yes"], ["yes", "no"], LABELS)


def test_a_label_outside_the_scheme_is_not_counted_silently() -> None:
    with pytest.raises(KeyError):
        confusion(["maybe"], ["yes"], LABELS)


def test_a_signature_says_how_a_score_was_made() -> None:
    assert (
        signature("acc", "circa", "relaxed", "paper:0", "seed:1", "n:6599")
        == f"acc|circa|relaxed|paper:0|seed:1|n:6599|meant:{__version__}"
    )


def test_a_score_becomes_the_fields_that_json_prints() -> None:
    score = Score("reply", "shipped", "accuracy", 91.25, "acc|circa", paper=84.8)
    fields = json.loads(json.dumps(score.to_dict()))
    assert {"table", "row", "measure", "paper", "ours", "signature"} <= set(fields)
    assert (fields["ours"], fields["paper"], fields["must"]) == (91.25, 84.8, None)
