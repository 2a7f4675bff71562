from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from meant import Interpreter
from meant.bench import reading, written
from meant.bench.scores import Score
from meant.corpora.circa import Row
from meant.labels import HEAD, RELAXED, STRICT, Scheme

Pairs = Sequence[tuple[str, str]]


def sure_of(label: str) -> np.ndarray:
    return np.eye(len(HEAD))[HEAD.index(label)] * 0.94 + 0.06 / len(HEAD)


def rows_of(*marks: str) -> list[Row]:
    return [Row(i, "friends", f"q{i}?", "", mark, (mark,) * 5) for i, mark in enumerate(marks)]


def says_the_reply(pairs: Pairs) -> np.ndarray:
    """A reader for replies that are labels themselves."""
    return np.array([sure_of(reply) for _, reply in pairs])


def knows_the_cases(pairs: Pairs) -> np.ndarray:
    known = {(case.question, case.reply): case.label for part in ("dev", "test") for case in written.direct(part)}
    for part in ("dev", "test"):
        for twin in written.twins(part):
            known[twin.question_a, twin.reply] = twin.label_a
            known[twin.question_b, twin.reply] = twin.label_b
    return np.array([sure_of(known[pair]) for pair in pairs])


def always_yes(pairs: Pairs) -> np.ndarray:
    return np.array([sure_of("yes")] * len(pairs))


def scored(reader: reading.Reader, rows: list[Row]) -> list[Score]:
    probabilities = reader([(row.question, row.reply) for row in rows])
    return reading.circa_scores(probabilities, rows, "release", "tested", reading.MUST)


@pytest.mark.parametrize("scheme", [STRICT, RELAXED])
def test_collapsed_probabilities_add_up_to_1(scheme: Scheme) -> None:
    probabilities = np.random.default_rng(0).dirichlet(np.full(len(HEAD), 0.2), 500)
    shares = reading.collapse(probabilities, scheme)
    assert shares.shape == (500, len(scheme.labels))
    assert shares.sum(1) == pytest.approx(np.ones(500))
    assert (shares >= 0).all()


def test_relaxed_adds_probably_to_the_definite_labels_and_leaves_other_out() -> None:
    shares = reading.collapse(np.array([[0.1, 0.2, 0.05, 0.1, 0.05, 0.0, 0.5]]), RELAXED)
    assert dict(zip(RELAXED.labels, shares[0], strict=True)) == pytest.approx(
        {"yes": 0.6, "no": 0.3, "conditional yes": 0.1, "middle": 0.0}
    )


def test_a_reader_that_is_always_right_scores_100_in_both_schemes() -> None:
    marks = ["yes", "probably yes", "conditional yes", "no", "probably no", "middle"]
    scores = scored(says_the_reply, rows_of(*marks))
    figures = {score.measure: score.ours for score in scores}
    assert figures["strict accuracy"] == figures["relaxed accuracy"] == 100.0
    assert {value for measure, value in figures.items() if " F " in measure} == {100.0}
    assert {measure for measure in figures if measure.startswith("strict F ")} == {f"strict F {mark}" for mark in marks}
    strict_ece, relaxed_ece = figures["strict ECE"], figures["relaxed ECE"]
    assert 0 < relaxed_ece < strict_ece < 6  # it is right always and sure at 94 to 98 per cent


def test_a_reader_that_always_says_yes_is_right_where_the_gold_is_yes() -> None:
    rows = rows_of("yes", "yes", "probably yes", "no")
    figures = {score.measure: score.ours for score in scored(always_yes, rows)}
    assert figures["strict accuracy"] == 50.0
    assert figures["relaxed accuracy"] == 75.0


def test_rows_without_gold_in_a_scheme_are_not_scored_and_n_says_so() -> None:
    rows = rows_of("yes", "other", "unsure", "no")
    scores = {score.measure: score for score in scored(says_or_middle, rows)}
    assert "|n:2|" in scores["strict accuracy"].signature
    assert "|n:3|" in scores["relaxed accuracy"].signature  # three `unsure` are a relaxed `middle`
    assert scores["relaxed accuracy"].signature.startswith("acc|circa|relaxed|release|model:tested|")
    assert (scores["relaxed accuracy"].must, scores["relaxed accuracy"].aim) == (89.5, 91.0)


def says_or_middle(pairs: Pairs) -> np.ndarray:
    return np.array([sure_of(reply if reply in HEAD else "middle") for _, reply in pairs])


@pytest.mark.parametrize("part", ["dev", "test"])
def test_one_who_knows_the_cases_gets_all_direct_replies_and_twins(part: str) -> None:
    scores = reading.written_scores(knows_the_cases, part, "oracle", reading.MUST)
    assert {score.measure: score.ours for score in scores} == {"direct replies": 100.0, "twins, both right": 100.0}
    assert f"|{part}|model:oracle|n:{len(written.direct(part))}|" in scores[0].signature
    assert f"|n:{len(written.twins(part))}|" in scores[1].signature


def test_one_who_never_looks_at_the_question_gets_no_twin_right() -> None:
    replies, twins = reading.written_scores(always_yes, "test", "yes", {})
    yes = [case.label == "yes" for case in written.direct("test")]
    assert replies.ours == pytest.approx(100 * sum(yes) / len(yes))
    assert twins.ours == 0.0


def test_a_written_case_with_a_probable_label_is_met_by_a_probable_yes() -> None:
    assert reading.labels_of(np.array([sure_of("probably yes"), sure_of("probably no")]), RELAXED) == ["yes", "no"]


def test_a_bundles_readings_give_back_the_heads_probabilities(interpreter: Interpreter) -> None:
    pairs = [("Hungry?", "I just ate."), ("Are you coming?", "If I find a sitter."), ("Are you coming?", "asdf")]
    probabilities = reading.bundle_reader(interpreter)(pairs)
    assert probabilities.sum(1) == pytest.approx(np.ones(3))
    for scheme in (STRICT, RELAXED):
        readings = interpreter.read(pairs, scheme)
        assert reading.labels_of(probabilities, scheme) == [each.label for each in readings]
        shares = [list(each.probabilities.values()) for each in readings]
        assert reading.collapse(probabilities, scheme) == pytest.approx(np.array(shares))
    assert probabilities[:, HEAD.index("other")] == pytest.approx([each.other for each in interpreter.read(pairs)])


def test_what_eight_bits_cost_is_how_many_more_the_full_model_gets_right() -> None:
    pytest.importorskip("statsmodels", reason="needs statsmodels (meant[bench])")
    rows = rows_of("yes", "yes", "probably yes", "no")
    pairs = [(row.question, row.reply) for row in rows]
    relaxed, strict = reading.loss_by_int8(always_yes(pairs), says_the_reply(pairs), rows, "release", "tested")
    assert (relaxed.ours, strict.ours) == (25.0, 50.0)
    assert "|n:4|mcnemar-p:" in relaxed.signature


def test_size_counts_every_file_of_a_bundle(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"0" * 2_000_000)
    (tmp_path / "bundle.json").write_bytes(b"0" * 500_000)
    assert reading.size_score(tmp_path, "tested").ours == 2.5
