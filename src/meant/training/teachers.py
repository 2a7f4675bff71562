"""Teachers: finished runs whose mean probabilities label pairs, or are measured themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from ..errors import InputError
from ..runtime.calibration import softmax
from . import model as models
from .encoding import Encoded
from .finetune import predict


def probabilities(
    folders: Sequence[str], pairs: Sequence[tuple[str, str]], labels: Sequence[str], max_length: int = 64
) -> np.ndarray:
    """The mean over the teachers of each pair's probabilities, each teacher at its own temperature."""
    total = np.zeros((len(pairs), len(labels)))
    encoded: dict[str, Encoded] = {}  # teachers of one base share their tokens
    records = [models.record_of(folder) for folder in folders]
    for folder, record in zip(folders, records, strict=True):
        if tuple(record["settings"]["labels"]) != tuple(labels):
            raise InputError(f"The teacher {folder} has other labels: {', '.join(record['settings']['labels'])}.")
    for folder, record in zip(folders, records, strict=True):
        tokenizer, model = models.load(folder, labels)
        model = model.to("cuda" if torch.cuda.is_available() else "cpu")
        vocabulary = tokenizer.backend_tokenizer.to_str()
        if vocabulary not in encoded:
            encoded = {vocabulary: Encoded(tokenizer, pairs, max_length)}
        logits = predict(model, encoded[vocabulary], batch=512)
        total += softmax(logits, record["temperature"])
    return total / len(folders)
