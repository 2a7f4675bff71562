"""Marks as targets: the gold label, the annotators' votes, or half of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..corpora.circa import Row
from ..errors import InputError
from ..labels import HEAD
from .example import Example

TARGETS = ("mixed", "votes", "gold")


def _head(mark: str) -> str:
    return "middle" if mark == "unsure" else mark


def votes(row: Row) -> dict[str, float]:
    """The share of the annotators behind each label of the head."""
    counts = Counter(map(_head, row.marks))
    return {label: count / len(row.marks) for label, count in counts.items()}


def example(row: Row, target: str) -> Example | None:
    """A row with its target; None where a gold label is asked for and the row has none."""
    if target not in TARGETS:
        raise InputError(f"There is no target {target[:40]!r}: choose one of {', '.join(TARGETS)}.")
    gold, shares = row.strict, votes(row)
    if target == "votes" or (target == "mixed" and gold is None):
        return Example.of(row.question, row.reply, shares)
    if gold is None:
        return None
    weight = 1.0 if target == "gold" else 0.5
    mixed = {label: (1 - weight) * share for label, share in shares.items()}
    mixed[_head(gold)] = mixed.get(_head(gold), 0.0) + weight
    return Example.of(row.question, row.reply, mixed)


def examples(rows: Sequence[Row], target: str) -> list[Example]:
    """All rows that have the target."""
    return [found for row in rows if (found := example(row, target)) is not None]


def blended(first: Sequence[float], second: Sequence[float], weight: float) -> tuple[float, ...]:
    """`weight` of the first target and the rest of the second."""
    if len(first) != len(second) or len(first) != len(HEAD):
        raise ValueError("both targets must cover the head's labels")
    return tuple(weight * a + (1 - weight) * b for a, b in zip(first, second, strict=True))
