"""Replies to yes/no questions: pairs to model input, logits to Readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .. import text
from ..errors import InputError, MeantError
from ..labels import HEAD, Scheme, scheme_named
from ..reading import Reading
from ..runtime.calibration import softmax

TASK = "replies"
CUT = "The question and the reply are longer than the model reads: their end was left out."


class Pair(NamedTuple):
    """A question with a reply as the model sees them, and whether they were too long even for cleaning."""

    question: str
    reply: str
    cut: bool = False


def clean(question: object, reply: object, where: str = "") -> Pair:
    """The pair's clean texts; if one is no text, or empty, a sentence says so, after `where` ("Row 3")."""
    texts = [_text(name, value, where) for name, value in (("question", question), ("reply", reply))]
    return Pair(texts[0][0], texts[1][0], texts[0][1] or texts[1][1])


def _text(name: str, value: object, where: str) -> tuple[str, bool]:
    subject = f"{where}: the {name}" if where else f"The {name}"
    if not isinstance(value, str):
        raise InputError(f"{subject} should be a text, not {_kind(value)}.")
    cleaned = text.clean(value)
    if not cleaned:
        raise InputError(f"{subject} is empty.")
    return cleaned, text.is_longer(value)


def _kind(value: object) -> str:
    return "missing" if value is None else f"of type {type(value).__name__}"


def readings(
    logits: np.ndarray,
    scheme: str | Scheme = "strict",
    temperature: float = 1.0,
    *,
    head: Sequence[str] = HEAD,
    cut: Sequence[bool] | None = None,
) -> list[Reading]:
    """A Reading for each row of logits over the head's marks.

    `other` is its share of all marks. The scheme's labels share the rest, added up and made to sum to 1, so that
    `other` never hides which way a reply leans.
    """
    scheme = scheme_named(scheme)
    logits = np.asarray(logits, dtype=np.float64).reshape(-1, len(head))
    if not np.isfinite(logits).all():
        raise MeantError("The model gave something other than numbers: export the bundle again.")
    other = softmax(logits, temperature)[:, list(head).index("other")]
    sums = scheme.matrix(head)
    counted = sums.any(axis=1)
    # A softmax over the counted marks alone is the renormalised one, and stays exact where `other` is close to 1.
    shares = softmax(logits[:, counted], temperature) @ sums[counted]
    shares /= shares.sum(axis=1, keepdims=True)
    best = shares.argmax(axis=1)
    return [
        Reading(
            label=scheme.labels[best[row]],
            probabilities=dict(zip(scheme.labels, shares[row].tolist(), strict=True)),
            scheme=scheme.name,
            other=float(other[row]),
            warning=CUT if cut is not None and cut[row] else None,
        )
        for row in range(len(logits))
    ]
