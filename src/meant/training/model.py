"""A pair classifier out of any Hugging Face checkpoint, and the record that a run leaves beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from ..errors import InputError, MeantError

RECORD = "meant.json"


def load(base: str, labels: Sequence[str], layers: Sequence[int] = ()) -> tuple[Any, Any]:
    """Tokenizer and model of a hub id or folder; a head for other labels than the base's is made anew."""
    try:
        config = AutoConfig.from_pretrained(base)
        tokenizer = AutoTokenizer.from_pretrained(base)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0][:200]
        raise InputError(f"{base!r} is neither a model folder nor a hub id that can be had ({reason}).") from None
    names = dict(enumerate(labels))
    # Only a head for the very same labels is worth keeping; the next task of a chain starts with a new one.
    keeps_head = bool(config.architectures) and (config.id2label or {}) == names
    config.id2label, config.label2id = names, {label: i for i, label in names.items()}
    config.num_labels = len(names)
    try:
        model = AutoModelForSequenceClassification.from_pretrained(
            base, config=config, dtype=torch.float32, ignore_mismatched_sizes=True
        )
    except (OSError, RuntimeError, ValueError, SafetensorError) as error:
        reason = str(error).splitlines()[0][:200]
        raise MeantError(f"The checkpoint {base!r} could not be read ({reason}).") from None
    if not keeps_head:
        _renew(model.classifier, model)
    if layers:
        _keep_layers(model, layers)
    return tokenizer, model


def _renew(head: torch.nn.Module, model: Any) -> None:
    # Transformers initialises nothing that it marked as loaded, not even when asked to.
    for loaded in (*head.modules(), *head.parameters()):
        loaded._is_hf_initialized = False
    head.apply(model._init_weights)


def _keep_layers(model: Any, layers: Sequence[int]) -> None:
    encoder: Any = getattr(model.base_model, "encoder", None)
    if not hasattr(encoder, "layer"):
        raise InputError("This base does not say which its layers are: leave the choice of layers out.")
    if max(layers) >= len(encoder.layer):
        raise InputError(
            f"The base has {len(encoder.layer)} layers, numbered from 0: layer {max(layers)} is not there."
        )
    encoder.layer = torch.nn.ModuleList([encoder.layer[i] for i in layers])
    model.config.num_hidden_layers = len(layers)


def save(folder: Path, tokenizer: Any, model: Any, record: dict[str, Any]) -> None:
    """The checkpoint folder that Transformers loads again, with our record in it."""
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / RECORD).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def record_of(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """The record of a finished run."""
    path = Path(folder) / RECORD
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InputError(f"{folder} is not a finished run of  meant train : it holds no readable {RECORD}.") from None
    return record
