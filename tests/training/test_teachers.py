from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs PyTorch (meant[train])")

import numpy as np  # noqa: E402

from meant.errors import InputError  # noqa: E402
from meant.labels import ENTAILMENT, HEAD  # noqa: E402
from meant.making.example import Example  # noqa: E402
from meant.runtime.calibration import softmax  # noqa: E402
from meant.training import model as models  # noqa: E402
from meant.training.encoding import Encoded  # noqa: E402
from meant.training.finetune import predict  # noqa: E402
from meant.training.teachers import probabilities  # noqa: E402


def test_two_teachers_give_the_mean_each_at_its_own_temperature(
    finished: Path, finished_without_types: Path, sixty: list[Example]
) -> None:
    pairs = [(each.question, each.reply) for each in sixty]
    one, other = (probabilities([str(run)], pairs, HEAD) for run in (finished, finished_without_types))
    both = probabilities([str(finished), str(finished_without_types)], pairs, HEAD)
    assert both == pytest.approx((one + other) / 2)
    assert both.sum(1) == pytest.approx(np.ones(60))
    assert np.abs(one - other).max() > 0.01
    tokenizer, model = models.load(str(finished), HEAD)
    temperature = models.record_of(finished)["temperature"]
    assert one == pytest.approx(softmax(predict(model, Encoded(tokenizer, pairs, 64)), temperature), abs=1e-5)


def test_a_teacher_with_other_labels_is_a_sentence(finished: Path) -> None:
    with pytest.raises(InputError, match="has other labels: yes, probably yes"):
        probabilities([str(finished)], [("a?", "b")], ENTAILMENT)


def test_a_folder_that_is_no_finished_run_teaches_nothing(base: Path) -> None:
    with pytest.raises(InputError, match="is not a finished run"):
        probabilities([str(base)], [("a?", "b")], HEAD)
