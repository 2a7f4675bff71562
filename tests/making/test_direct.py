from __future__ import annotations

import pytest

from meant.bench import written as cases
from meant.corpora.circa import Row, Split
from meant.labels import HEAD
from meant.making import direct, written
from meant.making.direct import direct_replies, off_topic
from meant.making.example import Example

ROWS = [
    Row(0, "friends", "Do you like opera?", "", "I hum it all day.", ("yes",) * 5),
    Row(1, "friends", "Do you like opera?", "", "It puts me to sleep.", ("no",) * 5),
    Row(2, "friends", "Have you eaten?", "", "My plate is empty.", ("yes",) * 5),
    Row(3, "friends", "Would you like to dance?", "", "If they play a tango.", ("conditional yes",) * 5),
    Row(4, "friends", "Is it safe?", "", "People differ about it.", ("middle",) * 5),
]


def label(example: Example) -> str:
    return HEAD[max(range(len(HEAD)), key=example.target.__getitem__)]


def bench_replies() -> dict[str, str]:
    """Each wording of the cases of dev and test, with its case."""
    found = [case for part in cases.PARTS for case in (*cases.direct(part), *cases.twins(part))]
    return {cases.wording(case.reply): f"{case.id} {case.reply}" for case in found}


def training_replies() -> dict[str, list[str]]:
    """Every reply, and every opening of one, that somebody wrote for training."""
    data = direct.wordings()
    return {
        "wordings.toml, whole replies": direct.every_wording(),
        "wordings.toml, openings": [word for key in ("yeses", "noes", "maybes") for word in data[key]["wordings"]],
        "wordings.toml, conditions alone": [each.removeprefix("but ") for each in data["conditions"]["wordings"]],
        "direct.tsv": [example.reply for example in written.written_replies()],
        "twins.tsv": [example.reply for example in written.written_twins()],
    }


# What holds training and test apart.


@pytest.mark.parametrize("source", training_replies())
def test_no_reply_that_was_written_for_training_is_worded_like_a_case_of_dev_or_test(source: str) -> None:
    bench = bench_replies()
    assert {reply: bench[key] for reply in training_replies()[source] if (key := cases.wording(reply)) in bench} == {}


def test_no_question_of_a_twin_of_dev_or_test_was_written_for_training() -> None:
    asked = {question for part in cases.PARTS for twin in cases.twins(part) for question in _questions(twin)}
    bench = {cases.wording(question) for question in asked}
    trained = {example.question for example in written.written_replies() + written.written_twins()}
    trained |= set(direct.wordings()["questions"]["wordings"])
    assert sorted(question for question in trained if cases.wording(question) in bench) == []


def _questions(twin: cases.Twin) -> tuple[str, str]:
    return twin.question_a, twin.question_b


def test_no_question_with_its_reply_is_both_in_training_and_among_the_direct_cases(release: Split) -> None:
    made = direct_replies(release.train + release.dev, 4, 0) + written.written_replies() + written.written_twins()
    trained = {(cases.wording(each.question), cases.wording(each.reply)) for each in made}
    trained |= {(cases.wording(row.question), cases.wording(row.reply)) for row in release.train + release.dev}
    tested = [case for part in cases.PARTS for case in cases.direct(part)]
    assert [case for case in tested if (cases.wording(case.question), cases.wording(case.reply)) in trained] == []


def test_no_reply_that_the_recipe_makes_or_the_corpus_holds_is_worded_like_a_case_of_dev_or_test(
    release: Split,
) -> None:
    bench, rows = bench_replies(), release.train + release.dev
    trained = {cases.wording(made.reply) for made in direct_replies(rows, 4, 0)}
    trained |= {cases.wording(row.reply) for row in rows}
    assert sorted(bench[key] for key in trained & bench.keys()) == []


# The recipe.


def test_the_same_seed_makes_the_same_replies_and_another_seed_others() -> None:
    assert direct_replies(ROWS, 3, 7) == direct_replies(ROWS, 3, 7)
    assert direct_replies(ROWS, 3, 7) != direct_replies(ROWS, 3, 8)


def test_each_question_gets_as_many_replies_as_asked_and_those_of_other_trades_three_times_that() -> None:
    others = direct.wordings()["questions"]["wordings"]
    made = direct_replies(ROWS, 2, 0)
    assert [example.question for example in made[: 2 * 4 : 2]] == [
        "Do you like opera?", "Have you eaten?", "Would you like to dance?", "Is it safe?",
    ]  # fmt: skip
    assert len(made) == 2 * 4 + 6 * len(others)


def test_targets_add_up_to_1_and_no_reply_is_empty(release: Split) -> None:
    made = direct_replies(release.train, 2, 1)
    assert all(sum(each.target) == pytest.approx(1.0) and min(each.target) >= 0 for each in made)
    assert all(each.reply.strip() and each.question.strip() for each in made)
    assert {label(each) for each in made} == set(HEAD)


def test_the_groups_of_wordings_have_targets_that_add_up_to_1_and_wordings_once() -> None:
    for group in direct.wordings()["group"]:
        assert sum(group["target"].values()) == pytest.approx(1.0), group["name"]
        assert set(group["target"]) <= set(HEAD), group["name"]
        assert group["when"] in ("any", "offer", "past"), group["name"]
        assert len(set(group["wordings"])) == len(group["wordings"]), group["name"]


def test_no_wording_stands_for_two_meanings_at_one_question() -> None:
    meanings: dict[str, dict[str, str]] = {}
    for group in direct.wordings()["group"]:
        for wording in group["wordings"]:
            meanings.setdefault(wording, {})[group["when"]] = max(group["target"], key=group["target"].get)
    at_any = {wording: found for wording, found in meanings.items() if "any" in found}
    assert {wording: found for wording, found in at_any.items() if len(set(found.values())) > 1} == {}


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Would you like tea?", {"any", "offer"}),
        ("Shall I delete it?", {"any", "offer"}),
        ("Have you eaten?", {"any", "past"}),
        ("Did it rain?", {"any", "past"}),
        ("Is it safe?", {"any"}),
    ],
)
def test_only_offers_are_accepted_and_only_what_is_past_is_done(question: str, kinds: set[str]) -> None:
    assert direct._kinds(question) == kinds


def replies_by(maker: object, question: str, times: int = 300) -> set[tuple[str, str]]:
    """(reply, label) of many turns of one maker."""
    from random import Random

    own: dict[str, list[Row]] = {}
    for row in ROWS:
        own.setdefault(row.question, []).append(row)
    said = direct._Said(own, [row.reply for row in ROWS], Random(0))
    made = [maker(question, said, said.random) for _ in range(times)]  # type: ignore[operator]
    return {(reply, max(target, key=target.get)) for reply, target in filter(None, made)}


@pytest.mark.parametrize(
    ("question", "yes", "no"),
    [
        ("Do you like opera?", "I do", "I don't"),
        ("Are you cold?", "I am", "I am not"),
        ("Were you there?", "I was", "I wasn't"),
        ("Can I go?", "you can", "you can't"),
        ("Will she come?", "she will", "she won't"),
        ("Is the shop open?", "it is", "it isn't"),
        ("Isn't it lovely?", "it is", "it isn't"),
    ],
)
def test_an_echo_takes_up_the_questions_own_words(question: str, yes: str, no: str) -> None:
    echoes = replies_by(direct._echo, question)
    assert {(yes, "yes"), (no, "no")} <= echoes
    assert not {(yes, "no"), (no, "yes")} & echoes


def test_a_question_without_an_auxiliary_has_no_echo() -> None:
    assert replies_by(direct._echo, "Hungry?") == set()


@pytest.mark.parametrize("question", ["Is your mother home?", "Are the kids ok?", "Do your parents cook?"])
def test_nobody_is_called_it(question: str) -> None:
    assert replies_by(direct._echo, question) == set()


def test_an_opening_keeps_the_meaning_of_the_reply_that_it_opens() -> None:
    for reply, found in replies_by(direct._elaborated, "Do you like opera?"):
        assert found == ("yes" if "hum it all day" in reply else "no")
    for reply, found in replies_by(direct._elaborated, "Would you like to dance?"):
        assert found == "conditional yes" and reply.lower().endswith("if they play a tango.")
    assert replies_by(direct._elaborated, "Never asked?") == set()


def test_a_condition_is_a_conditional_yes_whatever_comes_before_it() -> None:
    made = replies_by(direct._conditional, "Is it safe?")
    assert {found for _, found in made} == {"conditional yes"}
    assert not [reply for reply, _ in made if reply.startswith("but ")]


def test_each_question_gets_one_utterance_that_answers_nothing() -> None:
    made = off_topic(["a?", "b?"], ["play jazz", "what time is it"], 0)
    assert [each.question for each in made] == ["a?", "b?"]
    assert {each.reply for each in made} <= {"play jazz", "what time is it"}
    assert all(label(each) == "other" and sum(each.target) == pytest.approx(1.0) for each in made)
    assert made == off_topic(["a?", "b?"], ["play jazz", "what time is it"], 0)
