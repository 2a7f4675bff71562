from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meant import InputError
from meant.runtime.calibration import (
    expected_calibration_error,
    fit_temperature,
    log_softmax,
    match_confidence,
    negative_log_likelihood,
    softmax,
)


@given(st.lists(st.floats(-1e4, 1e4), min_size=2, max_size=8), st.floats(0.05, 20))
def test_softmax_adds_up_to_one(logits: list[float], temperature: float) -> None:
    assert abs(softmax(np.array(logits), temperature).sum() - 1) < 1e-9


def test_log_softmax_is_its_logarithm() -> None:
    logits = np.array([[1.0, 2.0, -3.0]])
    assert np.allclose(np.exp(log_softmax(logits, 1.7)), softmax(logits, 1.7))


@settings(max_examples=15, deadline=None)
@given(st.floats(0.3, 4.0), st.integers(0, 99))
def test_the_temperature_that_made_the_targets_is_found(temperature: float, seed: int) -> None:
    logits = np.random.default_rng(seed).normal(0, 2, (300, 5))
    assert fit_temperature(logits, softmax(logits, temperature)) == pytest.approx(temperature, rel=1e-3)


def test_hard_targets_are_classes() -> None:
    draw = np.random.default_rng(0)
    logits = draw.normal(0, 3, (2000, 4))
    targets = np.array([draw.choice(4, p=row) for row in softmax(logits, 1.5)])
    found = fit_temperature(logits, targets)
    assert found == pytest.approx(1.5, rel=0.15)
    for near in (found * 0.98, found * 1.02):
        assert negative_log_likelihood(logits, targets, near) > negative_log_likelihood(logits, targets, found)


def test_targets_of_another_shape_are_a_sentence() -> None:
    with pytest.raises(InputError, match="do not fit"):
        fit_temperature(np.zeros((3, 4)), np.zeros((3, 5)))
    with pytest.raises(InputError, match="at least one row"):
        fit_temperature(np.zeros((0, 4)), np.zeros((0, 4)))


def test_a_calibrated_model_has_no_error() -> None:
    confidence = np.repeat([0.75, 0.5], 8)
    correct = np.array([1, 1, 1, 0] * 2 + [1, 0] * 4)
    assert expected_calibration_error(confidence, correct) == pytest.approx(0)


def test_the_error_is_the_gap_weighted_by_rows() -> None:
    confidence = np.array([1.0, 1.0, 1.0, 0.5])
    correct = np.array([1, 1, 0, 1])
    # Three rows at 1.0 of which two are right, one at 0.5 that is right.
    assert expected_calibration_error(confidence, correct) == pytest.approx(0.75 * (1 / 3) + 0.25 * 0.5)


def test_the_error_needs_rows() -> None:
    with pytest.raises(InputError, match="one confidence"):
        expected_calibration_error(np.array([]), np.array([]))


@pytest.mark.parametrize("temperature", [0.4, 1.0, 3.0])
def test_a_student_becomes_as_sure_as_its_teacher_even_where_they_differ(temperature: float) -> None:
    random = np.random.default_rng(0)
    teacher = softmax(random.normal(size=(400, 5)) * 3)
    student = np.log(teacher[random.permutation(400)]) * temperature  # as sure as the teacher, of something else
    assert match_confidence(student, teacher) == pytest.approx(temperature, rel=1e-3)
    assert fit_temperature(student, teacher) > 2 * temperature


def test_no_confidence_can_be_matched_on_nothing() -> None:
    with pytest.raises(InputError, match="at least one row"):
        match_confidence(np.zeros((0, 3)), np.zeros((0, 3)))
