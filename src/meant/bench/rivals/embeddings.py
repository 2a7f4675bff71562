"""Sentence embeddings of question and reply with logistic regression: the SetFit way without its contrastive tuning.

The encoder stays as it is; what is fitted is the regression, on Circa's `release` train part, its strength chosen on
the dev part.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

from ...errors import InputError, MissingExtra
from ...text import clean
from . import Arguments, Pair

try:
    from sklearn.linear_model import LogisticRegression
except ImportError:
    raise MissingExtra("bench", "The rival with sentence embeddings") from None

STRENGTHS = (1.0, 10.0, 100.0)
WEIGHTS = "regression.npz"
_BATCH = 64


def prepare(arguments: Arguments) -> dict[str, Any]:
    """Fit the regression; its weights, and those of an encoder from a hub, go to the row's folder."""
    torch.set_num_threads(arguments["threads"])
    encoder, folder = _Encoder(arguments["embedder"]), Path(arguments["folder"])
    train, gold = encoder.features(arguments["train"]), arguments["train_gold"]
    dev, dev_gold = encoder.features(arguments["dev"]), arguments["dev_gold"]
    fitted = [LogisticRegression(C=strength, max_iter=2000).fit(train, gold) for strength in STRENGTHS]
    best = max(fitted, key=lambda one: one.score(dev, dev_gold))
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / WEIGHTS, classes=best.classes_, coefficients=best.coef_, intercept=best.intercept_)
    local = arguments["embedder"]
    if not Path(local).is_dir():  # reading must not wait for the hub to say that nothing has changed
        local = str(folder)
        encoder.save(local)
    return {"threads": arguments["threads"], "embedder": local, "weights": str(folder / WEIGHTS)}


class Reader:
    """The encoder and the fitted regression."""

    def __init__(self, arguments: Arguments) -> None:
        torch.set_num_threads(arguments["threads"])
        self._encoder = _Encoder(arguments["embedder"])
        held = np.load(arguments["weights"], allow_pickle=False)
        self._regression = LogisticRegression()
        self._regression.classes_ = held["classes"]
        self._regression.coef_, self._regression.intercept_ = held["coefficients"], held["intercept"]

    def read(self, pairs: Sequence[Pair]) -> list[str]:
        """A relaxed label for each pair."""
        return [str(label) for label in self._regression.predict(self._encoder.features(pairs))]


class _Encoder:
    """Mean of the token states, made unit length."""

    def __init__(self, name: str) -> None:
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(name)
            self._model: Any = AutoModel.from_pretrained(name, dtype=torch.float32).eval()
        except (OSError, ValueError):
            raise InputError(f"{name!r} is not a model folder or hub id: give an encoder as --embedder.") from None

    def save(self, folder: str) -> None:
        self._tokenizer.save_pretrained(folder)
        self._model.save_pretrained(folder)

    def features(self, pairs: Sequence[Sequence[str]]) -> np.ndarray:
        """For each pair both embeddings, how they differ, and their product."""
        both = self._embed([clean(text) for pair in pairs for text in pair])
        question, reply = both[0::2], both[1::2]
        return np.concatenate([question, reply, np.abs(question - reply), question * reply], axis=1)

    @torch.inference_mode()
    def _embed(self, texts: list[str]) -> np.ndarray:
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # alike lengths need little padding
        found = [self._batch([texts[i] for i in order[at : at + _BATCH]]) for at in range(0, len(order), _BATCH)]
        vectors = np.concatenate(found)
        return np.asarray(vectors[np.argsort(order)])

    def _batch(self, texts: list[str]) -> np.ndarray:
        fields = self._tokenizer(texts, truncation=True, max_length=128, padding=True, return_tensors="pt")
        mask = fields["attention_mask"].unsqueeze(-1)
        mean = (self._model(**fields).last_hidden_state * mask).sum(1) / mask.sum(1)
        vectors: np.ndarray = torch.nn.functional.normalize(mean, dim=-1).numpy()
        return vectors
