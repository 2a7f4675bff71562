"""Explanation: which words of a reply carried its reading, found by leaving each of them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .reading import Reading


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the reply with its place in it, and how much the label's probability falls without it."""

    text: str
    start: int
    end: int
    fall: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A reading, and each word of the reply with its share in it.

    A word's `fall` is the probability of the reading's label minus what that probability is when the word is left
    out: above 0 the word speaks for the label, below 0 against it. Where nothing is left without the word (a reply of
    one word), the comparison is with an empty reply, that is with what the model makes of the question alone.
    """

    question: str
    reply: str
    reading: Reading
    words: tuple[Word, ...]

    def strongest(self, count: int | None = None) -> list[Word]:
        """The words by the size of their effect, whichever way it goes."""
        return sorted(self.words, key=lambda word: -abs(word.fall))[:count]

    def for_label(self) -> list[Word]:
        """The words that speak for the label, the strongest first."""
        return [word for word in self.strongest() if word.fall > 0]

    def against_label(self) -> list[Word]:
        """The words that speak against the label, the strongest first."""
        return [word for word in self.strongest() if word.fall < 0]

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON and HTTP carry them."""
        words = [{"text": word.text, "start": word.start, "end": word.end, "fall": word.fall} for word in self.words]
        return {"question": self.question, "reply": self.reply, **self.reading.to_dict(), "words": words}
