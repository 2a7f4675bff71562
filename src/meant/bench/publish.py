"""Results as files: JSON with signatures, a Markdown page made of it, pictures, the bundle's card."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..corpora import circa
from ..errors import InputError
from ..labels import RELAXED, STRICT
from ..runtime.bundle import CARD
from . import plots, report
from .card import model_card
from .reading import judge
from .scores import Score
from .speed import SHIPPED

REPLY_PAGE = """# How well replies are read

Made by `meant bench reply`; every figure stands in `reply.json` with the signature of how it was made. Accuracy, F and
ECE are per cent. "must" and "aim" are what was set before anything was trained. The teacher is the mean of the models
that the shipped one learnt from.

{table}

![Reliability: accuracy over confidence](reply-reliability.png)

![Confusion: what each gold label was read as](reply-confusion.png)
"""

SPEED_PAGE = """# Speed and accuracy, side by side

Made by `meant bench speed`: each row ran in a process of its own, with the same threads, on the same pairs of Circa's
`release` test part and on the written cases. Accuracies are per cent. Seconds depend on the machine, so here stand
ratios to the shipped bundle in the same run: pairs per second (more is better), time of one reading, time from the
start of a process to its first reading, peak memory (less is better). `speed.json` has the figures themselves, each
with the signature of how it was made.

{table}

What the bundle must keep to, on two cores:

{budgets}
"""

# Of the measures that depend on the machine, the ratio to the bundle's own figure is what a page shows.
_AS_THEY_ARE = ("relaxed accuracy", "direct replies", "twins, both right")
_AS_RATIOS = ("pairs/s", "p50 ms", "first reading s", "memory MB")


def reply(
    folder: Path, scores: Sequence[Score], probabilities: np.ndarray, rows: Sequence[circa.Row], bundle: Path
) -> None:
    """reply.json, reply.md, the two pictures, and the model card in the folder above."""
    _write(folder, "reply", scores)
    card = json.loads((bundle / CARD).read_text(encoding="utf-8"))
    _put(folder.parent / "model-card.md", model_card(card, scores))
    judged = {scheme.name: judge(probabilities, rows, scheme) for scheme in (RELAXED, STRICT)}
    curves = {name: (found.confidence, found.correct) for name, found in judged.items()}
    plots.reliability(curves, folder / "reply-reliability.png")
    matrices = {name: (found.counts, found.scheme.labels) for name, found in judged.items()}
    plots.confusion(matrices, folder / "reply-confusion.png")


def speed(folder: Path, scores: Sequence[Score]) -> None:
    """speed.json and speed.md."""
    _write(folder, "speed", scores)


def page(name: str, scores: Sequence[Score]) -> str:
    """The Markdown page of a table: a pure function of its scores, so that a check can make it again."""
    if name == "reply":
        return REPLY_PAGE.format(table=report.markdown(scores))
    budgets = [(s.measure, f"{s.must:g}", f"{s.aim:g}", report.reached(s)) for s in scores if s.must is not None]
    return SPEED_PAGE.format(
        table=report.table(_side_by_side(scores)),
        budgets=report.table([("measure", "must", "aim", "reached"), *budgets]),
    )


def _side_by_side(scores: Sequence[Score]) -> list[list[str]]:
    """A row per rival, a column per measure; the first rival is what the others are set against."""
    rivals: dict[str, dict[str, float]] = {}
    for score in scores:
        rivals.setdefault(score.row, {})[score.measure] = score.ours
    if (against := rivals.get(SHIPPED)) is None:
        raise InputError(f"There is no row {SHIPPED!r} to set the others against: measure again.")
    short = [measure.rsplit(" ", 1)[0] if measure != "pairs/s" else measure for measure in _AS_RATIOS]
    rows = [["row", *_AS_THEY_ARE, *short]]
    for name, found in rivals.items():
        ratios = [f"{found[measure] / against[measure]:.2f}" for measure in _AS_RATIOS]
        rows.append([name, *(f"{found[measure]:.2f}" for measure in _AS_THEY_ARE), *ratios])
    return rows


def into_card(bundle: Path, scores: Sequence[Score]) -> None:
    """The bundle's own figures into its bundle.json (which no hash covers)."""
    path = bundle / CARD
    card = json.loads(path.read_text(encoding="utf-8"))
    card["metrics"] = [
        {"measure": score.measure, "value": round(score.ours, 2), "signature": score.signature}
        for score in scores
        if score.row == SHIPPED
    ]
    _put(path, json.dumps(card, indent=1, ensure_ascii=False) + "\n")


def _write(folder: Path, name: str, scores: Sequence[Score]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _put(folder / f"{name}.json", report.dumps(scores) + "\n")
    _put(folder / f"{name}.md", page(name, scores))


def _put(path: Path, text: str) -> None:
    """In one step: a full disk must not cost somebody the file that was there, least of all a bundle's card."""
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
