"""Reading: the one result type of every task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text was read as.

    `probabilities` covers the scheme's labels and adds up to 1; `other` is the probability that the text
    answers nothing, a figure of its own beside them.
    """

    label: str
    probabilities: dict[str, float]
    scheme: str
    other: float | None = None
    warning: str | None = None

    @property
    def confidence(self) -> float:
        """The probability of the label."""
        return self.probabilities[self.label]

    def to_dict(self) -> dict[str, Any]:
        """The fields as files, JSON and HTTP carry them; absent ones are left out."""
        fields: dict[str, Any] = {
            "label": self.label,
            "confidence": self.confidence,
            "probabilities": self.probabilities,
            "scheme": self.scheme,
        }
        if self.other is not None:
            fields["other"] = self.other
        if self.warning is not None:
            fields["warning"] = self.warning
        return fields

    def __str__(self) -> str:
        return f"{self.label}  ({self.confidence * 100:.0f} %)"
