from __future__ import annotations

import re
from importlib import resources

import pytest

from meant.bench.written import PARTS, direct, twins, wording
from meant.labels import RELAXED

EVERY_PART = (*PARTS, "known")


def lines(name: str) -> int:
    return len(resources.files("meant.bench").joinpath("cases", name).read_text("utf-8").splitlines()) - 1


def test_there_are_at_least_400_direct_replies_and_60_twins_to_test_on() -> None:
    assert len(direct("test")) >= 400
    assert len(twins("test")) >= 60


def test_every_case_is_in_one_part() -> None:
    assert sum(len(direct(part)) for part in EVERY_PART) == lines("direct.tsv")
    assert sum(len(twins(part)) for part in EVERY_PART) == lines("twins.tsv")


def test_every_case_has_an_id_of_its_own() -> None:
    ids = [case.id for part in EVERY_PART for case in (*direct(part), *twins(part))]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[dt]\d{3,4}", each) for each in ids)


def test_the_labels_are_the_relaxed_ones_and_every_one_is_tested() -> None:
    assert {case.label for part in EVERY_PART for case in direct(part)} == set(RELAXED.labels)
    assert {case.label for case in direct("test")} == set(RELAXED.labels)
    assert {twin.label_a for part in PARTS for twin in twins(part)} <= set(RELAXED.labels)
    assert {twin.label_b for part in PARTS for twin in twins(part)} <= set(RELAXED.labels)


def test_the_two_questions_of_a_twin_differ_and_so_do_their_labels() -> None:
    for twin in (*twins("dev"), *twins("test")):
        assert wording(twin.question_a) != wording(twin.question_b), twin.id
        assert twin.label_a != twin.label_b, twin.id


def test_no_text_is_empty() -> None:
    for part in EVERY_PART:
        assert all(case.question.strip() and case.reply.strip() for case in direct(part))
        assert all(twin.reply.strip() and twin.question_a.strip() and twin.question_b.strip() for twin in twins(part))


def test_no_wording_of_dev_comes_again_in_test() -> None:
    dev = {wording(case.reply) for case in (*direct("dev"), *twins("dev"))}
    assert [case for case in (*direct("test"), *twins("test")) if wording(case.reply) in dev] == []


def test_no_wording_is_tested_twice_at_one_question() -> None:
    pairs = [(wording(case.question), wording(case.reply)) for part in PARTS for case in direct(part)]
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Yes!", "yes"), ("  no,  thanks ", "No thanks."), ("it’s on", "it's on"), ("yessss", "yess"), ("ﬁne", "fine")],
)
def test_case_stops_and_spaces_make_no_other_wording(one: str, other: str) -> None:
    assert wording(one) == wording(other)


@pytest.mark.parametrize(("one", "other"), [("yes", "no"), ("👍", "👎"), ("?", "!"), ("I can", "I can't")])
def test_other_words_do(one: str, other: str) -> None:
    assert wording(one) != wording(other)
