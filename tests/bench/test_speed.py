"""The table of `meant bench speed`, made for real over a few pairs."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pytest

from meant.bench import speed
from meant.bench.scores import Score
from meant.errors import InputError, MeantError

needs_data = pytest.mark.skipif(not os.environ.get("MEANT_DATA"), reason="Circa is read from MEANT_DATA")


@pytest.fixture(scope="module")
def table() -> tuple[list[Score], list[str]]:
    """A run over 40 pairs with a checkpoint that is none."""
    if not os.environ.get("MEANT_DATA"):
        pytest.skip("Circa is read from MEANT_DATA")
    told: list[str] = []
    return speed.run(speed.Options(checkpoint="no-such-run", pairs=40, threads=2), told.append), told


def rows(scores: list[Score]) -> dict[str, dict[str, Score]]:
    found: dict[str, dict[str, Score]] = defaultdict(dict)
    for score in scores:
        found[score.row][score.measure] = score
    return found


def test_every_row_has_every_measure(table: tuple[list[Score], list[str]]) -> None:
    found = rows(table[0])
    assert set(found) == {speed.SHIPPED, speed.WHOLE, speed.ANYWHERE}
    for row in found.values():
        assert set(row) == {
            "relaxed accuracy", "direct replies", "twins, both right", "pairs/s", "p50 ms", "first reading s",
            "memory MB", "pairs/s against the bundle",
        }  # fmt: skip
        assert all(score.table == "speed" and score.ours >= 0 for score in row.values())


def test_the_bundle_reads_better_than_lists_and_lists_cannot_tell_twins(table: tuple[list[Score], list[str]]) -> None:
    found = rows(table[0])
    shipped = found[speed.SHIPPED]
    for name in (speed.WHOLE, speed.ANYWHERE):
        assert found[name]["twins, both right"].ours == 0
        for measure in ("relaxed accuracy", "direct replies"):
            assert shipped[measure].ours > found[name][measure].ours


def test_a_rival_that_cannot_run_is_a_sentence_and_the_others_go_on(table: tuple[list[Score], list[str]]) -> None:
    left_out = [sentence for sentence in table[1] if sentence.startswith("Left out")]
    assert len(left_out) == 3
    assert any(speed.PIPELINE in sentence and "not a finished run" in sentence for sentence in left_out)
    assert any("--nli" in sentence for sentence in left_out) and any("--embedder" in sentence for sentence in left_out)


def test_signatures_say_how_a_figure_was_made(table: tuple[list[Score], list[str]]) -> None:
    shipped = rows(table[0])[speed.SHIPPED]
    assert shipped["relaxed accuracy"].signature.startswith("acc|circa|relaxed|release:test|model:meant-replies|n:40|")
    assert "|threads:2|" in shipped["pairs/s"].signature


def test_only_the_bundle_has_something_to_reach(table: tuple[list[Score], list[str]]) -> None:
    aims = {score.measure: (score.must, score.aim) for score in table[0] if score.must is not None}
    assert aims == speed.MUST
    assert {score.row for score in table[0] if score.must is not None} == {speed.SHIPPED}


@needs_data
def test_restored_weights_run_through_a_pipeline(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs meant[train]")
    options = speed.Options(pairs=20, threads=2)
    cases = speed.Cases(options)
    row = next(row for row in speed._rows(options, cases, tmp_path, print) if row.name == speed.PIPELINE)
    arguments = speed._process({"rival": row.module, "do": "prepare", "arguments": dict(row.arguments)}, 2)
    assert arguments["checkpoint"] == str(tmp_path / "restored")
    task = {
        "rival": row.module,
        "do": "measure",
        "arguments": arguments,
        "pairs": cases.pairs,
        "singles": 2,
        "others": [],
    }
    right = [a == b for a, b in zip(speed._process(task, 2)["labels"], cases.gold, strict=True)]
    assert sum(right) >= 16


def test_a_process_that_dies_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed.sys, "executable", "/bin/false")
    with pytest.raises(MeantError, match="no result"):
        speed._process({"rival": "whole"}, 1)


def test_a_fault_that_nobody_foresaw_is_a_sentence_too() -> None:
    with pytest.raises(MeantError, match=r"It failed \(KeyError: "):
        speed._process({"rival": "whole"}, 1)


@pytest.mark.parametrize("wrong", [{"pairs": 0}, {"threads": 0}, {"pairs": True}])
def test_options_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match="whole number"):
        speed.Options(**wrong)  # type: ignore[arg-type]
