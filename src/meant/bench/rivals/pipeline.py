"""The bundle's weights through a Transformers pipeline in torch fp32: what a checkpoint on a hub would be used by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import transformers

from ...errors import MeantError
from ...interpreter import Interpreter
from ...labels import RELAXED
from ...tasks.replies import readings
from ...text import clean
from ...training.model import record_of
from ...training.restoration import restore
from . import Arguments, Pair

AGREEMENT = 0.98  # int8 arithmetic and fp32 differ on the replies that lie between two labels
_BATCH = 32


def prepare(arguments: Arguments) -> dict[str, Any]:
    """Where no checkpoint is given, the bundle's weights are made into one; either must label as the bundle does."""
    torch.set_num_threads(arguments["threads"])
    checkpoint = arguments["checkpoint"] or str(restore(arguments["bundle"], arguments["folder"]))
    check(arguments["bundle"], checkpoint, [tuple(pair) for pair in arguments["pairs"]])
    return {"threads": arguments["threads"], "checkpoint": checkpoint}


def check(bundle: str | None, checkpoint: str, pairs: Sequence[Pair]) -> float:
    """The share of pairs that the checkpoint and the bundle label alike; a sentence where it is too low.

    So an exporter that changes the names that `restore` goes by is noticed.
    """
    found = Reader({"checkpoint": checkpoint, "threads": torch.get_num_threads()}).read(pairs)
    wanted = [reading.label for reading in Interpreter(bundle).read(pairs, RELAXED)]
    share = float(np.mean([a == b for a, b in zip(found, wanted, strict=True)]))
    if share < AGREEMENT:
        raise MeantError(
            f"The weights in {checkpoint} label only {share:.1%} of pairs as the bundle does: "
            "give the run that it was exported from, as --checkpoint."
        )
    return share


class Reader:
    """`pipeline("text-classification")` over a finished run's folder."""

    def __init__(self, arguments: Arguments) -> None:
        torch.set_num_threads(arguments["threads"])
        folder = arguments["checkpoint"]
        record = record_of(folder)
        self._labels: list[str] = list(record["settings"]["labels"])
        self._temperature: float = record["temperature"]
        self._pipeline: Any = transformers.pipeline(
            "text-classification", model=folder, tokenizer=folder, dtype=torch.float32, device="cpu"
        )

    def read(self, pairs: Sequence[Pair]) -> list[str]:
        """A relaxed label for each pair; the logits become readings just as the bundle's do."""
        given = [{"text": clean(question), "text_pair": clean(reply)} for question, reply in pairs]
        results = self._pipeline(
            given, batch_size=_BATCH, top_k=None, function_to_apply="none", truncation="longest_first", max_length=128
        )
        scores = [{found["label"]: found["score"] for found in result} for result in results]
        logits = np.array([[score[label] for label in self._labels] for score in scores])
        return [reading.label for reading in readings(logits, RELAXED, self._temperature, head=self._labels)]
