from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from meant.corpora.circa import Row, Split
from meant.making.pairs import nearest, swapped

pytest.importorskip("sklearn", reason="needs scikit-learn (meant[train])")

ROW = Row(1, "X meets Y.", "Do you cook?", "I cook.", "I burn water.", ("no",) * 5)


@pytest.fixture(scope="module")
def some(release: Split) -> list[Row]:
    questions = sorted({row.question for row in release.train})[:150]
    return [row for row in release.train if row.question in questions]


def test_no_swapped_pair_is_the_corpus_own_and_none_comes_twice(some: list[Row]) -> None:
    own = {(row.question, row.reply) for row in some}
    pairs = swapped(some, 3, 0)
    assert len(pairs) > 2 * len(some)
    assert not own & set(pairs)
    assert len(set(pairs)) == len(pairs)


def test_swapped_pairs_are_made_of_the_corpus_questions_and_replies(some: list[Row]) -> None:
    pairs = swapped(some, 2, 0)
    assert {question for question, _ in pairs} <= {row.question for row in some}
    assert {reply for _, reply in pairs} <= {row.reply for row in some}


def test_no_question_gets_more_pairs_than_asked_for_each_of_its_rows(some: list[Row]) -> None:
    rows = Counter(row.question for row in some)
    made = Counter(question for question, _ in swapped(some, 2, 0))
    assert all(count <= 2 * rows[question] for question, count in made.items())


def test_the_same_seed_swaps_the_same_and_another_seed_otherwise(some: list[Row]) -> None:
    assert swapped(some, 1, 5) == swapped(some, 1, 5)
    assert swapped(some, 1, 5) != swapped(some, 1, 6)


def test_the_nearest_question_shares_its_words_and_is_never_the_question_itself() -> None:
    replies = {
        "Do you cook dinner?": ["I burn water in the kitchen."],
        "Are you good at making dinner?": ["My kitchen is my kingdom."],
        "Do you like opera?": ["Verdi makes me cry."],
        "Is opera music boring?": ["Verdi is never boring."],
    }
    near = nearest(list(replies), replies, 1)
    assert near["Do you cook dinner?"] == ["Are you good at making dinner?"]
    assert near["Is opera music boring?"] == ["Do you like opera?"]


def test_few_rows_are_swapped_as_well() -> None:
    few = [ROW, replace(ROW, question="Do you like opera?", reply="Verdi makes me cry.")]
    assert set(swapped(few, 8, 0)) == {(few[0].question, few[1].reply), (few[1].question, few[0].reply)}
    assert swapped([ROW], 4, 0) == swapped([], 4, 0) == []


def test_a_question_is_not_near_itself_where_there_are_few() -> None:
    replies = {"Do you cook dinner?": ["Kitchen."], "Is dinner cooked?": ["Kitchen."]}
    assert nearest(list(replies), replies, 30) == {
        "Do you cook dinner?": ["Is dinner cooked?"],
        "Is dinner cooked?": ["Do you cook dinner?"],
    }
