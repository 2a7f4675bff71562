"""Every label of every scheme, spelt once, and how one scheme collapses into another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .errors import InputError

# What an annotator could choose; the spelling is ours, in the order of the corpus' instructions.
MARKS = ("yes", "probably yes", "conditional yes", "no", "probably no", "middle", "unsure", "other")

# What the replies head gives: the marks, with `unsure` read as `middle` (the annotators confused the two).
HEAD = ("yes", "probably yes", "conditional yes", "no", "probably no", "middle", "other")


@dataclass(frozen=True)
class Scheme:
    """A set of labels, and the label that each mark of the replies head counts as (None: as no label)."""

    name: str
    labels: tuple[str, ...]
    counts_as: Mapping[str, str | None]

    def matrix(self, head: Sequence[str] = HEAD) -> np.ndarray:
        """A 0/1 matrix that adds the head's columns up to this scheme's labels."""
        sums = np.zeros((len(head), len(self.labels)), dtype=np.float64)
        for row, mark in enumerate(head):
            label = self.counts_as.get(mark)
            if label is not None:
                sums[row, self.labels.index(label)] = 1.0
        return sums


STRICT = Scheme(
    "strict",
    ("yes", "probably yes", "conditional yes", "no", "probably no", "middle"),
    {mark: None if mark == "other" else mark for mark in HEAD} | {"unsure": "middle"},
)
RELAXED = Scheme(
    "relaxed",
    ("yes", "no", "conditional yes", "middle"),
    {
        "yes": "yes",
        "probably yes": "yes",
        "conditional yes": "conditional yes",
        "no": "no",
        "probably no": "no",
        "middle": "middle",
        "unsure": "middle",
        "other": None,
    },
)
SCHEMES = {scheme.name: scheme for scheme in (STRICT, RELAXED)}


def scheme_named(name: str | Scheme) -> Scheme:
    """The scheme of that name; a sentence with the names there are where it is none of them."""
    if isinstance(name, Scheme):
        return name
    try:
        return SCHEMES[name]
    except (KeyError, TypeError):
        raise InputError(f"There is no scheme {str(name)[:40]!r}: choose one of {', '.join(SCHEMES)}.") from None


# Natural language inference: what its corpora say of a premise and a hypothesis.
ENTAILMENT = ("entailment", "neutral", "contradiction")
