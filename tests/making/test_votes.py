from __future__ import annotations

import pytest

from meant.corpora.circa import Row, Split
from meant.errors import InputError
from meant.labels import HEAD
from meant.making.votes import TARGETS, blended, example, examples


def row(*marks: str) -> Row:
    return Row(0, "friends", "Hungry?", "I am hungry .", "I just ate.", marks)


def target(of: Row, kind: str) -> dict[str, float] | None:
    made = example(of, kind)
    return None if made is None else {label: share for label, share in zip(HEAD, made.target, strict=True) if share}


def test_votes_are_the_annotators_shares() -> None:
    assert target(row("no", "no", "no", "probably no", "yes"), "votes") == {"yes": 0.2, "no": 0.6, "probably no": 0.2}


def test_gold_is_the_majority_alone() -> None:
    assert target(row("no", "no", "no", "probably no", "yes"), "gold") == {"no": 1.0}


def test_mixed_is_half_of_each() -> None:
    found = target(row("no", "no", "no", "probably no", "yes"), "mixed")
    assert found == pytest.approx({"yes": 0.1, "no": 0.8, "probably no": 0.1})


def test_a_row_without_a_majority_has_votes_and_no_gold() -> None:
    undecided = row("no", "no", "yes", "yes", "other")
    assert target(undecided, "votes") == {"yes": 0.4, "no": 0.4, "other": 0.2}
    assert target(undecided, "mixed") == target(undecided, "votes")
    assert target(undecided, "gold") is None


def test_unsure_counts_as_middle() -> None:
    unsure = row("unsure", "unsure", "unsure", "middle", "other")
    assert target(unsure, "votes") == {"middle": 0.8, "other": 0.2}
    assert target(unsure, "gold") == {"middle": 1.0}
    assert target(unsure, "mixed") == pytest.approx({"middle": 0.9, "other": 0.1})


def test_four_marks_are_quarters() -> None:
    assert target(row("yes", "yes", "yes", "no"), "votes") == {"yes": 0.75, "no": 0.25}


def test_an_unknown_target_is_a_sentence() -> None:
    with pytest.raises(InputError, match="no target 'silver': choose one of mixed, votes, gold"):
        example(row("yes"), "silver")


def test_a_blend_keeps_the_weight_of_the_first() -> None:
    first, second = [1.0] + [0.0] * 6, [0.0] * 6 + [1.0]
    assert blended(first, second, 0.8) == pytest.approx((0.8, 0, 0, 0, 0, 0, 0.2))


def test_targets_of_other_heads_do_not_blend() -> None:
    for first, second in (([1.0], [1.0]), ([1.0] * 7, [1.0] * 6)):
        with pytest.raises(ValueError, match="cover the head's labels"):
            blended(first, second, 0.5)


@pytest.mark.parametrize("kind", TARGETS)
def test_every_target_of_the_corpus_adds_up_to_1(release: Split, kind: str) -> None:
    made = examples(release.train, kind)
    assert all(sum(each.target) == pytest.approx(1.0) and min(each.target) >= 0 for each in made)
    labelled = sum(each.strict is not None for each in release.train)
    assert len(made) == (labelled if kind == "gold" else len(release.train))
