"""Zero-shot inference: for each label a hypothesis, for each hypothesis a pass, the likeliest entailment wins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from ...errors import InputError
from ...labels import RELAXED
from ...text import clean
from ...training import model as models
from . import Arguments, Pair

# The wording that did best of the few that were tried on 400 pairs of the `release` dev part.
HYPOTHESES = {
    "yes": "The reply means yes.",
    "no": "The reply means no.",
    "conditional yes": "The reply means yes, under a condition.",
    "middle": "The reply means neither yes nor no.",
}
_BATCH = 32


def prepare(arguments: Arguments) -> dict[str, Any]:
    """Nothing to make; a wrong checkpoint is told before anything is measured."""
    Reader(arguments)
    return dict(arguments)


class Reader:
    """An encoder tuned on inference, as it is."""

    def __init__(self, arguments: Arguments) -> None:
        torch.set_num_threads(arguments["threads"])
        folder = arguments["nli"]
        labels = _labels(folder)
        self._tokenizer, model = models.load(folder, labels)
        self._model = model.eval()
        self._entailment = [label.lower() for label in labels].index("entailment")
        # Runs of `meant train nli` read the hypothesis first, as they do the question; others read the premise first.
        self._hypothesis_first = (Path(folder) / models.RECORD).is_file()

    def read(self, pairs: Sequence[Pair]) -> list[str]:
        """A relaxed label for each pair."""
        scores = torch.stack([self._entailed(pairs, HYPOTHESES[label]) for label in RELAXED.labels], dim=1)
        return [RELAXED.labels[i] for i in scores.argmax(1).tolist()]

    def _entailed(self, pairs: Sequence[Pair], hypothesis: str) -> torch.Tensor:
        premises = [f"{clean(question)} {clean(reply)}" for question, reply in pairs]
        return torch.cat([self._batch(premises[i : i + _BATCH], hypothesis) for i in range(0, len(premises), _BATCH)])

    @torch.inference_mode()
    def _batch(self, premises: list[str], hypothesis: str) -> torch.Tensor:
        given = (premises, [hypothesis] * len(premises))
        first, second = reversed(given) if self._hypothesis_first else given
        fields = self._tokenizer(
            first, second, truncation="longest_first", max_length=128, padding=True, return_tensors="pt"
        )
        entailed: torch.Tensor = self._model(**fields).logits.softmax(-1)[:, self._entailment]
        return entailed


def _labels(folder: str) -> list[str]:
    from transformers import AutoConfig

    try:
        names = AutoConfig.from_pretrained(folder).id2label
    except (OSError, ValueError):
        raise InputError(f"{folder!r} is not a model folder or hub id: give an inference model as --nli.") from None
    labels = [names[i] for i in sorted(names)]
    if "entailment" not in [label.lower() for label in labels]:
        raise InputError(
            f"{folder} has the labels {', '.join(labels)}, no entailment: give an inference model as --nli."
        )
    return labels
