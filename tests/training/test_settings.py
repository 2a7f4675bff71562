from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from meant.labels import ENTAILMENT, HEAD
from meant.training.settings import Settings

PLAIN = Settings("base", HEAD)
CHANGES: dict[str, Any] = {
    "base": "other", "labels": ENTAILMENT, "task": "acts", "learning_rate": 1e-4, "epochs": 4, "batch": 32,
    "max_length": 48, "seed": 1, "warmup": 0.1, "weight_decay": 0.0, "precision": "fp32", "layers": (0, 2),
    "data": {"rows": 7},
}  # fmt: skip


def test_the_same_settings_have_the_same_digest() -> None:
    one, other = (Settings("base", HEAD, data=data) for data in ({"a": 1, "b": 2}, {"b": 2, "a": 1}))
    assert one.digest() == other.digest()


@pytest.mark.parametrize("field", [field.name for field in fields(Settings)])
def test_every_setting_is_in_the_digest(field: str) -> None:
    assert replace(PLAIN, **{field: CHANGES[field]}).digest() != PLAIN.digest()
