"""Scores with signatures: accuracy, F per label, calibration, a confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .. import __version__


@dataclass(frozen=True)
class Score:
    """One figure of a table, beside the paper's where there is one, and what it must reach."""

    table: str
    row: str
    measure: str
    ours: float
    signature: str
    paper: float | None = None
    must: float | None = None
    aim: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them."""
        return asdict(self)


def signature(measure: str, *parts: object) -> str:
    """How a score was made, in one line: `acc|circa|relaxed|paper:0|seed:1|n:6599|meant:0.1.0`."""
    return "|".join([measure, *map(str, parts), f"meant:{__version__}"])


def accuracy(found: Sequence[str], gold: Sequence[str]) -> float:
    """Per cent of labels found right."""
    return 100.0 * float(np.mean([a == b for a, b in zip(found, gold, strict=True)]))


def confusion(found: Sequence[str], gold: Sequence[str], labels: Sequence[str]) -> np.ndarray:
    """Counts: a row per gold label, a column per label found."""
    place = {label: i for i, label in enumerate(labels)}
    counts = np.zeros((len(labels), len(labels)), dtype=int)
    for a, b in zip(found, gold, strict=True):
        counts[place[b], place[a]] += 1
    return counts


def f_scores(counts: np.ndarray) -> list[float]:
    """F1 of each label, in per cent, out of a confusion matrix."""
    hits = np.diag(counts).astype(float)
    total = counts.sum(0) + counts.sum(1)
    return [200.0 * hit / both if both else 0.0 for hit, both in zip(hits, total, strict=True)]
