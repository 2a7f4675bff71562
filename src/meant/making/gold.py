"""Gold labels out of annotators' marks: a majority, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

MAJORITY = 3  # of five marks, as the Circa paper counts; four marks need three as well

# The relaxed gold label merges marks before it counts them, `other` staying a class of its own.
_RELAXED = {"probably yes": "yes", "probably no": "no", "unsure": "middle"}


def strict_gold(marks: Sequence[str], majority: int = MAJORITY) -> str | None:
    """The mark that at least `majority` annotators chose, else None."""
    mark, count = Counter(marks).most_common(1)[0]
    return mark if count >= majority else None


def relaxed_gold(marks: Sequence[str], majority: int = MAJORITY) -> str | None:
    """The same, with the uncertain marks counted as the definite ones."""
    return strict_gold([_RELAXED.get(mark, mark) for mark in marks], majority)
