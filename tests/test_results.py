"""What the docs say was measured: pages that follow from their files, figures that reach what was asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from meant.bench import publish, report
from meant.bench.card import model_card
from meant.runtime.bundle import CARD, Bundle

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
SHIPPED = Path(__file__).parent.parent / "src" / "meant" / "bundles" / "default"


@pytest.mark.parametrize("name", ["reply", "speed"])
def test_a_page_of_results_is_the_one_that_its_file_makes(name: str) -> None:
    scores = report.load(RESULTS / f"{name}.json")
    assert (RESULTS / f"{name}.md").read_text(encoding="utf-8") == publish.page(name, scores)


def test_the_model_card_is_made_of_the_bundle_and_its_figures() -> None:
    card = json.loads((SHIPPED / CARD).read_text(encoding="utf-8"))
    scores = report.load(RESULTS / "reply.json")
    assert (DOCS / "model-card.md").read_text(encoding="utf-8") == model_card(card, scores)


def test_every_figure_of_the_shipped_bundle_reaches_what_it_must() -> None:
    asked = [s for name in ("reply", "speed") for s in report.load(RESULTS / f"{name}.json") if s.must is not None]
    assert len(asked) >= 14
    assert [(s.row, s.measure, s.ours) for s in asked if report.reached(s) == "MISSED"] == []


def test_the_bundle_carries_its_own_figures_and_sources() -> None:
    bundle = Bundle.load(SHIPPED)
    scores = report.load(RESULTS / "reply.json")
    measured = {score.measure: round(score.ours, 2) for score in scores if score.row == "shipped bundle"}
    assert {metric["measure"]: metric["value"] for metric in bundle.metrics} == measured
    assert {source["name"] for source in bundle.sources} >= {"Circa", "MultiNLI", "SNLI", "CLINC150"}
    assert all(source["licence"] != "not stated" for source in bundle.sources)


def test_all_bundles_together_stay_small() -> None:
    files = [file for file in SHIPPED.parent.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 80e6
    assert max(file.stat().st_size for file in files) < 50e6
