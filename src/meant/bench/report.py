"""Scores as a table to look at, a JSON file to keep, a Markdown page to publish."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from .scores import Score

_LOWER_IS_BETTER = ("ECE", "p50 ms", "first reading s", "memory MB", "size MB", "int8 below fp32")


def reached(score: Score) -> str:
    """Whether a figure reaches what it must, or even what it aims at; empty where nothing was asked."""
    if score.must is None:
        return ""
    sign = -1.0 if score.measure.endswith(_LOWER_IS_BETTER) else 1.0
    if score.aim is not None and sign * score.ours >= sign * score.aim:
        return "aim"
    return "must" if sign * score.ours >= sign * score.must else "MISSED"


def lines(scores: Sequence[Score]) -> list[list[str]]:
    """Cells of a table, its heading first; a column that no score fills is left out."""
    heading = ["row", "measure", "paper", "ours", "difference", "must", "aim", "reached", "signature"]
    rows = [
        [
            score.row,
            score.measure,
            _number(score.paper),
            _number(score.ours),
            "" if score.paper is None else f"{score.ours - score.paper:+.2f}",
            _number(score.must),
            _number(score.aim),
            reached(score),
            score.signature,
        ]
        for score in scores
    ]
    filled = [i for i in range(len(heading)) if any(row[i] for row in rows)]
    return [[row[i] for i in filled] for row in [heading, *rows]]


def plain(scores: Sequence[Score]) -> str:
    """The table for a terminal."""
    cells = lines(scores)
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )


def markdown(scores: Sequence[Score]) -> str:
    """The scores as a table for a page."""
    return table(lines(scores))


def table(cells: Sequence[Sequence[str]]) -> str:
    """Cells as Markdown, the heading first."""
    heading, *rows = [[cell.replace("|", "\\|") for cell in row] for row in cells]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heading, ["---"] * len(heading), *rows])


def dumps(scores: Sequence[Score]) -> str:
    """The scores as a JSON list of objects."""
    return json.dumps([score.to_dict() for score in scores], indent=1, ensure_ascii=False)


def load(path: Path) -> list[Score]:
    """The scores of such a file."""
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        scores = [Score(**fields) for fields in listed] if isinstance(listed, list) else None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from None
    except (ValueError, TypeError, RecursionError):
        scores = None
    if scores is None or not all(map(_whole, scores)):
        raise InputError(f"{path} is no list of scores: give a file that  meant bench ... --json  printed.")
    return scores


def _whole(score: Score) -> bool:
    figures = (score.ours, score.paper, score.must, score.aim)
    return all(isinstance(text, str) for text in (score.table, score.row, score.measure, score.signature)) and all(
        value is None or isinstance(value, int | float) for value in figures
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
