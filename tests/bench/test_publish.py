"""Pages of results: what a reader of the speed page is shown."""

from __future__ import annotations

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
