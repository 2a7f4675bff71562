"""Pages of results: what a reader of the speed page is shown."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

from meant import InputError
from meant.bench import publish, speed
from meant.bench.scores import Score


def rival(name: str, rate: float, must: float | None = None) -> list[Score]:
    figures = {
        "relaxed accuracy": 91.0, "direct replies": 98.0, "twins, both right": 80.0,
        "pairs/s": rate, "p50 ms": 1000 / rate, "first reading s": 0.5, "memory MB": 200.0,
    }  # fmt: skip
    return [
        Score("speed", name, measure, value, "x", must=must if measure == "pairs/s" else None, aim=must)
        for measure, value in figures.items()
    ]


def test_the_speed_page_sets_every_rival_against_the_bundle_and_shows_no_seconds() -> None:
    page = publish.page("speed", rival(speed.SHIPPED, 400.0, 350.0) + rival(speed.PIPELINE, 100.0))
    assert f"| {speed.SHIPPED} | 91.00 | 98.00 | 80.00 | 1.00 | 1.00 | 1.00 | 1.00 |" in page
    assert f"| {speed.PIPELINE} | 91.00 | 98.00 | 80.00 | 0.25 | 4.00 | 1.00 | 1.00 |" in page
    assert "400.00" not in page and "2.50" not in page


def test_the_speed_page_says_whether_the_bundle_keeps_to_its_budgets() -> None:
    assert "| pairs/s | 350 | 350 | aim |" in publish.page("speed", rival(speed.SHIPPED, 400.0, 350.0))
    assert "| pairs/s | 350 | 350 | MISSED |" in publish.page("speed", rival(speed.SHIPPED, 300.0, 350.0))


def test_a_speed_page_without_the_bundle_is_refused() -> None:
    with pytest.raises(InputError, match="no row 'shipped bundle' to set the others against"):
        publish.page("speed", rival(speed.PIPELINE, 100.0))


def test_a_full_disk_does_not_cost_a_bundle_its_card(tmp_path: Path) -> None:
    card = json.dumps({"name": "tiny", "notes": "x" * 4000})
    (tmp_path / "bundle.json").write_text(card, encoding="utf-8")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))  # a write beyond it fails, as on a full disk
    try:
        with pytest.raises(OSError):
            publish.into_card(tmp_path, [])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [("bundle.json", card)]
