"""Tables of scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from meant import InputError
from meant.bench import report
from meant.bench.scores import Score

PLAIN = Score("reply", "shipped bundle", "strict accuracy", 86.5, "acc|circa|meant:0", must=85.0, aim=86.5)
LOW = Score("reply", "shipped bundle", "strict ECE", 2.5, "ece15|meant:0", must=2.0, aim=1.0)
WORDS = '[{"table": "t", "row": "r", "measure": "m", "ours": "91", "signature": "s"}]'
PAPER = Score("circa", "YN", "accuracy", 88.0, "acc|meant:0", paper=87.8)


def test_a_figure_is_told_to_reach_its_aim_its_must_or_neither() -> None:
    assert report.reached(PLAIN) == "aim"
    assert report.reached(Score("t", "r", "accuracy", 86.0, "s", must=85.0, aim=87.0)) == "must"
    assert report.reached(Score("t", "r", "accuracy", 84.9, "s", must=85.0, aim=87.0)) == "MISSED"


def test_for_an_error_or_a_time_less_is_better() -> None:
    assert report.reached(LOW) == "MISSED"
    assert report.reached(Score("t", "r", "p50 ms", 1.9, "s", must=6.0, aim=2.0)) == "aim"


def test_a_figure_that_was_asked_nothing_reached_nothing() -> None:
    assert report.reached(PAPER) == ""


def test_the_difference_to_the_paper_has_its_sign() -> None:
    heading, row = report.lines([PAPER])
    assert dict(zip(heading, row, strict=True)) == {
        "row": "YN",
        "measure": "accuracy",
        "paper": "87.80",
        "ours": "88.00",
        "difference": "+0.20",
        "signature": "acc|meant:0",
    }


def test_bars_in_a_signature_do_not_break_a_page() -> None:
    page = report.markdown([PLAIN]).splitlines()
    assert len({line.replace("\\|", "").count("|") for line in page}) == 1


def test_scores_survive_their_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(report.dumps([PLAIN, LOW, PAPER]), encoding="utf-8")
    assert report.load(path) == [PLAIN, LOW, PAPER]


@pytest.mark.parametrize("text", ["", "{", "{}", "3", '[{"table": "reply"}]', '["x"]', "[" * 5000, WORDS])
def test_a_file_that_holds_no_scores_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "scores.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no list of scores"):
        report.load(path)
