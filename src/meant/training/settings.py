"""Settings of one fine-tuning run: everything that its result depends on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Settings:
    """How to train. The labels are those of the head; `base` is a hub id, a folder or an earlier run."""

    base: str
    labels: tuple[str, ...]
    task: str = "replies"
    learning_rate: float = 5e-5
    epochs: int = 3
    batch: int = 64
    max_length: int = 64
    seed: int = 0
    warmup: float = 0.06
    weight_decay: float = 0.01
    precision: str = "auto"  # fp32, bf16, or auto: bf16 on a GPU, fp32 on a CPU
    layers: tuple[int, ...] = ()  # which of the base's layers to keep; none named: all
    data: dict[str, Any] = field(default_factory=dict)  # what the examples were made of, for the card

    def digest(self) -> str:
        """A short name of these settings: a run may only be resumed with the ones it began with."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]
