"""Units set apart from the eight bits: the same model, closer to itself in eight bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch (meant[train])")
pytest.importorskip("onnx", reason="needs onnx (meant[train])")

from meant.labels import HEAD  # noqa: E402
from meant.making.example import Example  # noqa: E402
from meant.runtime.batching import Batching  # noqa: E402
from meant.runtime.session import Session  # noqa: E402
from meant.training import export as module  # noqa: E402
from meant.training import model as models  # noqa: E402
from meant.training.encoding import Encoded  # noqa: E402
from meant.training.finetune import predict  # noqa: E402
from meant.training.peaks import UNITS, Apart, set_apart  # noqa: E402
from meant.training.restoration import restore  # noqa: E402


@pytest.fixture
def towering(finished: Path, tmp_path: Path) -> Path:
    """The finished run with one hidden unit whose values are far larger than all others'."""
    tokenizer, model = models.load(str(finished), HEAD)
    for layer in model.bert.encoder.layer:
        with torch.no_grad():
            layer.intermediate.dense.weight[3] *= 100
            layer.output.dense.weight[:, 3] /= 100
    models.save(tmp_path / "towering", tokenizer, model, models.record_of(finished))
    return tmp_path / "towering"


def logits(run: Path, rows: list[Example], apart: bool) -> np.ndarray:
    tokenizer, model = models.load(str(run), HEAD)
    if apart:
        set_apart(model.eval(), tokenizer)
        assert all(isinstance(layer.output.dense, Apart) for layer in model.bert.encoder.layer)
    return predict(model, Encoded(tokenizer, [(row.question, row.reply) for row in rows], 32))


def test_setting_units_apart_changes_nothing(towering: Path, sixty: list[Example]) -> None:
    assert np.allclose(logits(towering, sixty, True), logits(towering, sixty, False), atol=1e-4)


def test_the_towering_unit_is_among_those_set_apart(towering: Path) -> None:
    tokenizer, model = models.load(str(towering), HEAD)
    tall = [layer.output.dense.weight[:, 3].clone() for layer in model.bert.encoder.layer]
    set_apart(model.eval(), tokenizer)
    for layer, column in zip(model.bert.encoder.layer, tall, strict=True):
        kept = layer.output.dense.peaks.weight
        assert kept.shape[1] == UNITS
        assert any(torch.equal(kept[:, unit], column) for unit in range(UNITS))


def test_eight_bits_are_closer_to_the_model_with_it(
    towering: Path, sixty: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = logits(towering, sixty, False)
    with_it = _miss(module.export(towering, tmp_path / "apart", name="apart"), sixty, full)
    monkeypatch.setattr(module, "set_apart", lambda model, tokenizer: None)
    without = _miss(module.export(towering, tmp_path / "plain", name="plain"), sixty, full)
    assert with_it < 0.5 * without


def _miss(bundle: Path, rows: list[Example], full: np.ndarray) -> float:
    session, tokenizer = Session((bundle / "model.onnx").read_bytes()), (bundle / "tokenizer.json").read_bytes()
    found = Batching(session, tokenizer, 32, "replies", 1).logits([(row.question, row.reply) for row in rows]).rows
    return float(np.abs(found - full).mean())


def test_a_bundle_with_units_apart_is_restored_whole(towering: Path, sixty: list[Example], tmp_path: Path) -> None:
    bundle = module.export(towering, tmp_path / "bundle", name="apart")
    back = restore(str(bundle), str(tmp_path / "back"))
    full, again = logits(towering, sixty, False), logits(back, sixty, False)
    assert (full.argmax(1) == again.argmax(1)).mean() > 0.9
