"""Example: one pair of texts with what it should be read as, the form in which data reaches training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..labels import HEAD


@dataclass(frozen=True, slots=True)
class Example:
    """A question, a reply, and how much each label of a head holds (adding up to 1)."""

    question: str
    reply: str
    target: tuple[float, ...]

    @classmethod
    def of(cls, question: str, reply: str, target: Mapping[str, float], head: Sequence[str] = HEAD) -> Example:
        """From a mapping that names only the labels that hold."""
        return cls(question, reply, tuple(float(target.get(label, 0.0)) for label in head))
