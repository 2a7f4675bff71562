from __future__ import annotations

import pytest

from meant import InputError, Interpreter

QUESTION = "Want to get some dinner together?"


def test_each_word_stands_where_its_offsets_say(interpreter: Interpreter) -> None:
    reply = "  I'd rather\tgo to bed 👍 "
    explanation = interpreter.explain(QUESTION, reply)
    assert [word.text for word in explanation.words] == reply.split()
    assert all(reply[word.start : word.end] == word.text for word in explanation.words)


def test_a_words_fall_is_the_difference_to_the_reply_without_it(interpreter: Interpreter) -> None:
    explanation = interpreter.explain(QUESTION, "not today thanks")
    without = interpreter.read([(QUESTION, "today thanks")])[0]
    reading = explanation.reading
    assert explanation.words[0].fall == reading.confidence - without.probabilities[reading.label]


def test_a_reply_of_one_word_is_compared_with_none(interpreter: Interpreter) -> None:
    (word,) = interpreter.explain(QUESTION, "yes").words
    assert -1 <= word.fall <= 1


def test_the_strongest_word_comes_first(interpreter: Interpreter) -> None:
    explanation = interpreter.explain(QUESTION, "I would love to but I am too tired")
    sizes = [abs(word.fall) for word in explanation.strongest()]
    assert sizes == sorted(sizes, reverse=True)
    assert len(explanation.strongest(3)) == 3
    assert len(explanation.for_label()) + len(explanation.against_label()) <= len(explanation.words)


def test_the_dict_has_the_reading_and_the_words(interpreter: Interpreter) -> None:
    fields = interpreter.explain(QUESTION, "no way", "relaxed").to_dict()
    assert fields["scheme"] == "relaxed"
    assert fields["words"][1] == {"text": "way", "start": 3, "end": 6, "fall": fields["words"][1]["fall"]}


def test_a_long_reply_is_explained_as_far_as_the_model_reads(interpreter: Interpreter) -> None:
    explanation = interpreter.explain(QUESTION, "well " * 500)
    assert len(explanation.words) == interpreter.bundle.max_length
    assert explanation.reading.warning


def test_an_empty_reply_is_a_sentence(interpreter: Interpreter) -> None:
    with pytest.raises(InputError, match="The reply is empty"):
        interpreter.explain(QUESTION, " ")
