from __future__ import annotations

import pytest

from meant.corpora.circa import Row, Split
from meant.labels import HEAD
from meant.making.opposites import opposite, opposites


def row(question: str, reply: str, mark: str) -> Row:
    return Row(0, "friends", question, "", reply, (mark,) * 5)


@pytest.mark.parametrize(
    ("question", "turned"),
    [
        ("Do you like opera?", "Do you dislike opera?"),
        ("do you really love jazz?", "Do you dislike jazz?"),
        ("Are you a big fan of cats?", "Do you hate cats?"),
        ("Want to dance?", "Would you rather not dance?"),
        ("Are you still at work?", "Are you no longer at work?"),
        ("Did you enjoy the play?", "Did you dislike the play?"),
        ("Is it far from here?", "Is it anything but far from here?"),
    ],
)
def test_a_question_is_turned_into_its_opposite(question: str, turned: str) -> None:
    assert opposite(question) == turned


@pytest.mark.parametrize("question", ["", "Hungry?", "Have you eaten?", "Aren't you cold?", "I do like you?"])
def test_a_question_whose_opposite_is_not_plain_has_none(question: str) -> None:
    assert opposite(question) is None


@pytest.mark.parametrize(
    ("mark", "target"),
    [
        ("yes", {"no": 1.0}),
        ("probably yes", {"no": 0.4, "probably no": 0.6}),
        ("no", {"yes": 0.6, "probably yes": 0.4}),
        ("probably no", {"yes": 0.2, "probably yes": 0.8}),
    ],
)
def test_a_yes_becomes_a_no_and_a_no_a_likely_yes(mark: str, target: dict[str, float]) -> None:
    (made,) = opposites([row("Do you like opera?", "I hum it all day.", mark)])
    assert (made.question, made.reply) == ("Do you dislike opera?", "I hum it all day.")
    assert dict(zip(HEAD, made.target, strict=True)) == {label: target.get(label, 0.0) for label in HEAD}


@pytest.mark.parametrize("mark", ["conditional yes", "middle", "unsure", "other"])
def test_what_is_neither_yes_nor_no_has_no_opposite(mark: str) -> None:
    assert opposites([row("Do you like opera?", "I hum it all day.", mark)]) == []


@pytest.mark.parametrize("reply", ["I don't.", "I really do!", "Love to", "I could not", "I'd rather it wouldn't..."])
def test_a_reply_that_answers_the_questions_own_words_is_left_out(reply: str) -> None:
    assert opposites([row("Do you like opera?", reply, "yes")]) == []


def test_opposites_of_the_corpus_add_up_to_1_and_are_none_of_its_questions(release: Split) -> None:
    made = opposites(release.train)
    assert len(made) > 500
    assert all(sum(each.target) == pytest.approx(1.0) for each in made)
    asked = {(each.question, each.reply) for each in release.train + release.dev + release.test}
    assert not [each for each in made if (each.question, each.reply) in asked]
