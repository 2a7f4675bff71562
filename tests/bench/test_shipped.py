"""The bundle that ships, measured again: the figures in the docs are its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from meant import Interpreter
from meant.bench import reading, report
from meant.bench.scores import Score
from meant.corpora import circa

RESULTS = Path(__file__).parent.parent.parent / "docs" / "results"


def _published(measure: str) -> Score:
    found = [s for s in report.load(RESULTS / "reply.json") if (s.row, s.measure) == ("shipped bundle", measure)]
    return found[0]


def test_direct_replies_and_twins_come_out_as_published(interpreter: Interpreter) -> None:
    scores = reading.written_scores(reading.bundle_reader(interpreter), "test", "x", reading.MUST)
    for score in scores:
        assert score.ours == pytest.approx(_published(score.measure).ours, abs=0.7)  # other processors round elsewhere
        assert report.reached(score) != "MISSED"


@pytest.mark.skipif(
    not (Path(os.environ.get("MEANT_DATA", "/nonexistent")) / "circa" / circa.FILE).is_file(),
    reason="needs Circa: set MEANT_DATA",
)
def test_circa_comes_out_as_published(interpreter: Interpreter) -> None:
    rows = circa.release().test
    probabilities = reading.bundle_reader(interpreter)([(row.question, row.reply) for row in rows])
    for score in reading.circa_scores(probabilities, rows, "release|test", "x", reading.MUST):
        if score.must is not None:
            assert score.ours == pytest.approx(_published(score.measure).ours, abs=0.4)
            assert report.reached(score) != "MISSED"
