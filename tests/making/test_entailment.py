from __future__ import annotations

import pytest

from meant.corpora.nli import Row
from meant.labels import ENTAILMENT, HEAD
from meant.making.entailment import answered, asked, inferences


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("A man is asleep.", "Is a man asleep?"),
        ("The two dogs are playing.", "Are the two dogs playing?"),
        ("There are people outside", "Are there people outside?"),
        ("He can swim!", "Can he swim?"),
        ("They will leave tomorrow. ", "Will they leave tomorrow?"),
        ("John was at home.", "Was John at home?"),
        ("Some women were singing in a choir.", "Were some women singing in a choir?"),
    ],
)
def test_a_plain_statement_is_asked(statement: str, question: str) -> None:
    assert asked(statement) == question


@pytest.mark.parametrize(
    "statement",
    ["", "A man sleeps.", "What he said is true.", "If it rains we are wet.", "The man who is tall left.", "Is it on?"],
)
def test_what_cannot_be_asked_plainly_stays_a_statement(statement: str) -> None:
    assert asked(statement) == statement


ROWS = [
    Row("A man sleeps on a bench.", "A man is asleep.", "entailment"),
    Row("A man sleeps on a bench.", "A man is awake.", "contradiction"),
    Row("A man sleeps on a bench.", "A man is tired.", "neutral"),
    Row("A man sleeps on a bench.", "A man sleeps.", "entailment"),
]


def test_every_second_hypothesis_is_asked_and_the_premise_said() -> None:
    made = inferences(ROWS)
    questions = ["A man is asleep.", "Is a man awake?", "A man is tired.", "A man sleeps."]
    assert [each.question for each in made] == questions
    assert {each.reply for each in made} == {"A man sleeps on a bench."}
    assert [ENTAILMENT[each.target.index(1.0)] for each in made] == [row.label for row in ROWS]
    assert all(sum(each.target) == 1.0 and len(each.target) == 3 for each in made)


def test_an_entailed_hypothesis_is_a_yes_a_contradicted_one_a_no_and_a_neutral_one_left_out() -> None:
    made = {each.question: HEAD[each.target.index(1.0)] for each in answered(ROWS, 100, 0)}
    assert made == {"Is a man asleep?": "yes", "Is a man awake?": "no"}


def test_no_more_are_answered_than_asked_for_the_same_with_the_same_seed() -> None:
    many = [Row(f"premise {i}", f"The man is number {i}.", "entailment") for i in range(50)]
    assert len(answered(many, 7, 0)) == 7
    assert answered(many, 7, 0) == answered(many, 7, 0)
    assert answered(many, 7, 0) != answered(many, 7, 1)
