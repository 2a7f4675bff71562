"""Calibration: probabilities that can be taken at their word. NumPy alone.

A temperature divides the logits before the softmax. It puts the head's labels in no other order, it only changes how
sure the probabilities sound (where several are added up into one label, a close call can go the other way). It is
fitted on the dev part, where it minimises the negative log-likelihood of the targets.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..errors import InputError

LOWEST, HIGHEST = 0.05, 20.0  # temperatures outside belong to a model with some other fault
_GOLDEN = (math.sqrt(5) - 1) / 2


def log_softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Logarithms of the probabilities along the last axis."""
    scaled = np.asarray(logits, dtype=np.float64) / temperature
    scaled = scaled - scaled.max(axis=-1, keepdims=True)
    return np.asarray(scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True)))


def softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Probabilities along the last axis."""
    scaled = np.asarray(logits, dtype=np.float64) / temperature
    raised = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def negative_log_likelihood(logits: np.ndarray, targets: np.ndarray, temperature: float = 1.0) -> float:
    """The mean over rows; targets are class numbers, or a distribution over the classes for each row."""
    soft = _distribution(np.asarray(targets), np.asarray(logits).shape)
    return float(-(soft * log_softmax(logits, temperature)).sum(axis=-1).mean())


def fit_temperature(logits: np.ndarray, targets: np.ndarray) -> float:
    """The temperature under which the targets are likeliest.

    The likelihood has one optimum along the temperature (it is concave in 1/T), so a golden-section search over its
    logarithm finds it.
    """
    logits = np.asarray(logits, dtype=np.float64)
    soft = _distribution(np.asarray(targets), logits.shape)
    if not len(logits) or not np.isfinite(logits).all():
        raise InputError("A temperature is fitted on at least one row of finite logits: check the model's output.")
    best = _minimum(lambda log_t: negative_log_likelihood(logits, soft, math.exp(log_t)), LOWEST, HIGHEST)
    return math.exp(best)


def match_confidence(logits: np.ndarray, targets: np.ndarray) -> float:
    """The temperature under which a student is as sure, on average, as its teachers' probabilities.

    Their likelihood would not do: it counts every difference from the teachers as an error, and so makes a student
    that is as often right as they are less sure than they are, and its own students less sure again.
    """
    logits = np.asarray(logits, dtype=np.float64)
    soft = _distribution(np.asarray(targets), logits.shape)
    if not len(logits) or not np.isfinite(logits).all():
        raise InputError("A temperature is fitted on at least one row of finite logits: check the model's output.")
    wanted = soft.max(axis=-1).mean()

    def miss(log_t: float) -> float:
        return abs(float(softmax(logits, math.exp(log_t)).max(axis=-1).mean() - wanted))

    return math.exp(_minimum(miss, LOWEST, HIGHEST))


def expected_calibration_error(confidence: np.ndarray, correct: np.ndarray, bins: int = 15) -> float:
    """How far accuracy is from confidence, averaged over bins of equal width, each weighted by its rows."""
    confidence, correct = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if confidence.shape != correct.shape or confidence.ndim != 1 or not len(confidence):
        raise InputError("The calibration error needs one confidence and one right or wrong for each row.")
    # Bins are closed on the right, so that a confidence of exactly 1 falls in the last one.
    bin_of = np.clip(np.ceil(confidence * bins).astype(int) - 1, 0, bins - 1)
    gaps = np.bincount(bin_of, weights=confidence - correct, minlength=bins)
    return float(np.abs(gaps).sum() / len(confidence))


def _distribution(targets: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if targets.shape == shape:
        return targets.astype(np.float64)
    if len(shape) == 2 and targets.shape == shape[:1] and np.issubdtype(targets.dtype, np.integer):
        return np.asarray(np.eye(shape[1])[targets])
    raise InputError(f"Targets of shape {targets.shape} do not fit logits of shape {shape}: give one for each row.")


def _minimum(loss: Callable[[float], float], lowest: float, highest: float) -> float:
    left, right = math.log(lowest), math.log(highest)
    inner, outer = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
    at_inner, at_outer = loss(inner), loss(outer)
    while right - left > 1e-6:
        if at_inner < at_outer:
            right, outer, at_outer = outer, inner, at_inner
            inner = right - _GOLDEN * (right - left)
            at_inner = loss(inner)
        else:
            left, inner, at_inner = inner, outer, at_outer
            outer = left + _GOLDEN * (right - left)
            at_outer = loss(outer)
    return (left + right) / 2
