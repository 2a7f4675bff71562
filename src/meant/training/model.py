"""A pair classifier out of any Hugging Face checkpoint, and the record that a run leaves beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from ..errors import InputError, MeantError, reason_of
from ..runtime.calibration import HIGHEST, LOWEST

RECORD = "meant.json"


def load(base: str, labels: Sequence[str], layers: Sequence[int] = ()) -> tuple[Any, Any]:
    """Tokenizer and model of a hub id or folder; a head for other labels than the base's is made anew."""
    try:
        config = AutoConfig.from_pretrained(base)
        tokenizer = AutoTokenizer.from_pretrained(base)
    except Exception as error:  # a damaged file raises whatever its reader stumbles over
        raise InputError(
            f"{base!r} is neither a model folder nor a hub id that can be had ({reason_of(error)})."
        ) from None
    # Without its files a tokenizer is made all the same: of the special tokens alone.
    if 2 * len(tokenizer) < (getattr(config, "vocab_size", None) or 0):
        raise InputError(
            f"The tokenizer of {base!r} knows {len(tokenizer):,} tokens, its model {config.vocab_size:,}: "
            "copy the tokenizer's files into the folder."
        )
    names = dict(enumerate(labels))
    # Only a head for the very same labels is worth keeping; the next task of a chain starts with a new one.
    keeps_head = bool(config.architectures) and (config.id2label or {}) == names
    config.id2label, config.label2id = names, {label: i for i, label in names.items()}
    config.num_labels = len(names)
    try:
        model, found = AutoModelForSequenceClassification.from_pretrained(
            base, config=config, dtype=torch.float32, ignore_mismatched_sizes=True, output_loading_info=True
        )
    except Exception as error:
        raise MeantError(f"The checkpoint {base!r} could not be read ({reason_of(error)}).") from None
    if not hasattr(model, "classifier"):
        raise InputError(
            f"{base!r} is a {type(model).__name__}, which cannot be trained: choose an encoder like BERT "
            "(MPNet, RoBERTa, DeBERTa, DistilBERT, ELECTRA, ModernBERT)."
        )
    _check_weights(base, model, found)
    if not keeps_head:
        _renew(model.classifier, model)
    if layers:
        _keep_layers(model, layers)
    return tokenizer, model


def _check_weights(base: str, model: Any, found: dict[str, Any]) -> None:
    """Only the head, and a pooler that was left out of the checkpoint, may begin with chance weights."""
    encoder = f"{model.base_model_prefix}."
    other = [name for name, *_ in found["mismatched_keys"] if name.startswith(encoder)]
    absent = [name for name in found["missing_keys"] if name.startswith(encoder) and ".pooler." not in name]
    if wrong := sorted(other) or sorted(absent):
        what = "has another shape than its config.json says" if other else "is missing"
        raise InputError(f"The weights of {base!r} do not fit its config.json: {wrong[0]} {what}.")


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


def check_length(base: str, model: Any, max_length: int) -> None:
    """A sentence where the model has no positions for so many tokens."""
    table = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    if isinstance(table, torch.nn.Embedding):
        # RoBERTa and its kin count from behind the position that padding has.
        most = table.num_embeddings - (0 if table.padding_idx is None else table.padding_idx + 1)
    else:
        most = getattr(model.config, "max_position_embeddings", None) or max_length
    if max_length > most:
        raise InputError(f"{base!r} reads at most {most} tokens: give --max-length {most} or less.")


def save(folder: Path, tokenizer: Any, model: Any, record: dict[str, Any]) -> None:
    """The checkpoint folder that Transformers loads again, with our record in it."""
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / RECORD).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def record_of(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """The record of a finished run."""
    try:
        record: Any = json.loads((Path(folder) / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        record = None
    if not _is_record(record):
        raise InputError(f"{folder} is not a finished run of  meant train : it holds no readable {RECORD}.")
    return dict(record)


def _is_record(record: Any) -> bool:
    settings = record.get("settings") if isinstance(record, dict) else None
    data = settings.get("data") if isinstance(settings, dict) else None
    if not isinstance(settings, dict) or not isinstance(data, dict):
        return False
    texts = (settings.get("base"), settings.get("task"), data.get("base", ""))
    lists = (settings.get("labels"), data.get("chain", []), data.get("sources", []))
    temperature = record.get("temperature")
    return (
        all(isinstance(text, str) for text in texts)
        and all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists)
        and bool(settings["labels"])
        and isinstance(temperature, int | float)
        and not isinstance(temperature, bool)
        and LOWEST <= temperature <= HIGHEST
    )
