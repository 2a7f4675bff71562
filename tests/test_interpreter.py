from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meant import InputError, Interpreter, Reading
from meant.labels import RELAXED, STRICT

PAIRS = [
    ("Want to get some dinner together?", "I'd rather just go to bed."),
    ("Do you eat meat?", "On Sundays."),
    ("Are you coming?", "Yes, if my sister can drive."),
    ("Hungry?", "👍"),
]


def test_reads_the_readme_example(interpreter: Interpreter) -> None:
    """Trained behaviour: needs the bundle that ships."""
    assert interpreter.read(PAIRS[:1])[0].label == "no"


def test_reads_direct_replies(interpreter: Interpreter) -> None:
    """Trained behaviour: needs the bundle that ships."""
    readings = interpreter.read([("Are you coming?", "yep"), ("Are you coming?", "nah")], "relaxed")
    assert [reading.label for reading in readings] == ["yes", "no"]


@pytest.mark.parametrize("scheme", [STRICT, RELAXED])
def test_probabilities_cover_the_scheme_and_add_up_to_one(interpreter: Interpreter, scheme: object) -> None:
    for reading in interpreter.read(PAIRS, scheme):  # type: ignore[arg-type]
        assert tuple(reading.probabilities) == scheme.labels  # type: ignore[attr-defined]
        assert abs(sum(reading.probabilities.values()) - 1) < 1e-9
        assert reading.other is not None and 0 <= reading.other <= 1
        assert reading.confidence == max(reading.probabilities.values())


def test_strict_and_relaxed_agree(interpreter: Interpreter) -> None:
    for strict, relaxed in zip(interpreter.read(PAIRS), interpreter.read(PAIRS, "relaxed"), strict=True):
        added = strict.probabilities["yes"] + strict.probabilities["probably yes"]
        assert relaxed.probabilities["yes"] == pytest.approx(added, abs=1e-12)
        assert strict.other == relaxed.other


def test_nothing_to_read_gives_nothing(interpreter: Interpreter) -> None:
    assert interpreter.read([]) == []


def test_a_generator_of_lists_is_read_too(interpreter: Interpreter) -> None:
    assert interpreter.read(list(pair) for pair in PAIRS) == interpreter.read(PAIRS)


def test_a_reading_does_not_depend_on_its_neighbours(interpreter: Interpreter) -> None:
    """Exactly: not to some digits."""
    crowd = [*PAIRS, *((question, reply + " and so on" * length) for length, (question, reply) in enumerate(PAIRS * 9))]
    alone = [interpreter.read([pair])[0] for pair in crowd]
    assert interpreter.read(crowd) == alone
    assert interpreter.read(crowd[::-1])[::-1] == alone


def test_a_reading_does_not_depend_on_the_number_of_threads(interpreter: Interpreter) -> None:
    assert Interpreter(interpreter.bundle.folder, threads=1).read(PAIRS) == interpreter.read(PAIRS)
    assert Interpreter(interpreter.bundle.folder, threads=5).read(PAIRS) == interpreter.read(PAIRS)


def test_many_threads_share_an_interpreter(interpreter: Interpreter) -> None:
    expected = interpreter.read(PAIRS)
    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(interpreter.read, [PAIRS] * 40))


def test_an_interpreter_is_pickled_by_its_arguments(interpreter: Interpreter) -> None:
    travelled = pickle.dumps(Interpreter(threads=1))
    assert len(travelled) < 1000
    assert pickle.loads(travelled).read(PAIRS) == interpreter.read(PAIRS)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_reads_on(interpreter: Interpreter) -> None:
    expected = interpreter.read(PAIRS)
    child = os.fork()
    if child == 0:
        os._exit(0 if interpreter.read(PAIRS) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_stream_takes_pairs_as_it_gives_readings(interpreter: Interpreter) -> None:
    taken = 0

    def endless() -> Iterator[tuple[str, str]]:
        nonlocal taken
        while True:
            taken += 1
            yield PAIRS[taken % 4]

    readings = list(islice(interpreter.stream(endless()), 300))
    assert len(readings) == 300
    assert taken < 1000


def test_a_stream_gives_what_comes_before_a_bad_row(interpreter: Interpreter) -> None:
    stream = interpreter.stream([*PAIRS, ("Hungry?", "")])
    assert list(islice(stream, 4)) == interpreter.read(PAIRS)
    with pytest.raises(InputError, match="Row 5: the reply is empty"):
        next(stream)


def test_a_long_pair_is_cut_with_a_warning(interpreter: Interpreter) -> None:
    short, long = interpreter.read([PAIRS[0], (PAIRS[0][0], "well " * 400)])
    assert short.warning is None
    assert long.warning is not None and "left out" in long.warning


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ("Hungry?", "Give .question, reply. pairs"),
        (7, "Give .question, reply. pairs"),
        (("Hungry?", "no"), "Row 1 is a str, not a"),
        ([("Hungry?", "no"), ("Hungry?",)], "Row 2 has 1 fields"),
        ([("a", "b", "c")], "Row 1 has more than two fields"),
        ([{"question": "a", "reply": "b"}], "Row 1 is a dict"),
        ([("Hungry?", None)], "Row 1: the reply should be a text, not missing"),
        ([(1.5, "no")], "Row 1: the question should be a text, not of type float"),
        ([("\x00", "no")], "Row 1: the question is empty"),
    ],
)
def test_wrong_input_is_a_sentence(interpreter: Interpreter, pairs: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        interpreter.read(pairs)  # type: ignore[arg-type]


def test_an_unknown_scheme_is_a_sentence_at_once(interpreter: Interpreter) -> None:
    with pytest.raises(InputError, match="no scheme"):
        interpreter.stream(PAIRS, "loose")


@pytest.mark.parametrize("threads", [0, -1, True, "2"])
def test_wrong_threads_are_a_sentence(threads: object) -> None:
    with pytest.raises(InputError, match="threads should be"):
        Interpreter(threads=threads)  # type: ignore[arg-type]


def test_columns_go_in_and_come_out_with_the_readings(interpreter: Interpreter) -> None:
    batch = {"id": [1, 2], "question": ["Hungry?", "Tired?"], "answer": ["no", "yes"]}
    result = interpreter(batch)
    assert list(result) == ["id", "question", "answer", "label", "confidence", "probabilities", "other", "warning"]
    readings = interpreter.read(zip(batch["question"], batch["answer"], strict=True))
    assert result["label"] == [reading.label for reading in readings]
    assert result["probabilities"] == [reading.probabilities for reading in readings]
    assert result["confidence"].tolist() == [reading.confidence for reading in readings]


def test_columns_may_be_arrays_or_empty(interpreter: Interpreter) -> None:
    arrays = {"question": np.array(["Hungry?"], dtype=object), "reply": np.array(["no"])}
    assert interpreter(arrays)["label"] == [interpreter.read([("Hungry?", "no")])[0].label]
    assert interpreter({"question": [], "reply": []})["label"] == []


def test_a_frame_and_an_arrow_table_are_batches_too(interpreter: Interpreter) -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"question": ["Hungry?"], "reply": ["no"]})
    for batch in (table, table.to_pydict(), {"question": table["question"], "reply": table["reply"]}):
        result = interpreter(batch)
        assert arrow.table(result).num_rows == 1
        assert result["label"] == [interpreter.read([("Hungry?", "no")])[0].label]


def test_a_batch_says_which_readings_lost_their_end(interpreter: Interpreter) -> None:
    warnings = interpreter({"question": ["Hungry?", "Hungry?"], "reply": ["no", "x " * 9000]})["warning"]
    assert warnings[0] is None and "left out" in warnings[1]


@pytest.mark.parametrize("wrong", [5, b"/x".split, 1.5])
def test_a_bundle_that_is_no_folders_name_is_a_sentence(wrong: object) -> None:
    with pytest.raises(InputError, match="A bundle is named by its folder"):
        Interpreter(wrong)  # type: ignore[arg-type]


def test_what_travels_names_the_senders_bundle(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEANT_BUNDLE", str(bundle))
    sent = pickle.dumps(Interpreter())
    monkeypatch.setenv("MEANT_BUNDLE", "/no/such/folder")
    assert pickle.loads(sent).bundle.folder == bundle


def test_words_that_cannot_be_seen_change_no_explanation(interpreter: Interpreter) -> None:
    short, long = ("No, " + "I just ate. " * count for count in (100, 90_000))
    falls = [[word.fall for word in interpreter.explain("Hungry?", reply).words] for reply in (short, long)]
    assert falls[0] == falls[1]


@pytest.mark.parametrize(
    ("batch", "sentence"),
    [
        ({"question": ["a"]}, "no column 'reply'"),
        ({"reply": ["a"]}, "no column 'question'"),
        ({"question": "Hungry?", "reply": "Not now"}, "'question' is a text: give a list"),
        ({"question": ["a"], "reply": ["a", "b"]}, "equally long, not question 1, reply 2"),
        ({"question": ["a"], "reply": ["a"], "label": ["a"]}, "column 'label' already: give a prefix"),
        ({"question": ["a"], "reply": ["b"], "id": 5}, "Each column of a batch should be a list"),
        ({"question": (q for q in "a"), "reply": ["b"]}, "Each column of a batch should be a list"),
        ({"question": ["a"], "reply": [None]}, "Row 1: the reply should be a text"),
    ],
)
def test_a_wrong_batch_is_a_sentence(interpreter: Interpreter, batch: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        interpreter(batch)


def test_a_prefix_keeps_names_apart(interpreter: Interpreter) -> None:
    result = interpreter({"question": ["a"], "reply": ["b"], "label": ["mine"]}, prefix="meant.")
    assert result["label"] == ["mine"]
    assert "meant.label" in result


ANY = st.text(st.characters(exclude_categories=()), max_size=300)


@settings(max_examples=150, deadline=None)
@given(question=ANY, reply=ANY)
def test_any_text_gives_a_reading_or_a_sentence(question: str, reply: str) -> None:
    _reads_or_refuses(question, reply)


@settings(max_examples=12, deadline=None)
@given(unit=st.text(st.characters(exclude_categories=()), min_size=1, max_size=8))
def test_a_megabyte_of_anything_gives_a_reading_or_a_sentence(unit: str) -> None:
    _reads_or_refuses("Hungry?", unit * (1_000_000 // len(unit)))


@pytest.mark.parametrize(
    "odd",
    [
        "\ud83d",
        "no\x00way",
        "لا، شكرا",
        "\u202enot",
        "👩‍👩‍👧‍👦",
        "\u0301" * 5000,
        " " * 1_000_000,
        "\U0010ffff",
        "ﷺ" * 5000,
    ],
)
def test_odd_texts_give_a_reading_or_a_sentence(odd: str) -> None:
    _reads_or_refuses("Hungry?", odd)
    _reads_or_refuses(odd, "no")


_SHARED: list[Interpreter] = []


def _reads_or_refuses(question: str, reply: str) -> None:
    if not _SHARED:
        _SHARED.append(Interpreter())
    try:
        (reading,) = _SHARED[0].read([(question, reply)])
    except InputError as error:
        assert str(error).startswith("Row 1: the ") and str(error).endswith(" is empty.")
    else:
        assert isinstance(reading, Reading)
        assert abs(sum(reading.probabilities.values()) - 1) < 1e-9
