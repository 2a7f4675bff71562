"""A finished run to a bundle: an int8 ONNX graph, a tokenizer, a card that says what it is and where it comes from."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from .. import __version__
from ..errors import InputError, MeantError, reason_of
from ..runtime.bundle import CARD, FORMAT, MODEL, TOKENIZER
from . import model as models
from .peaks import set_apart

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OPSET = 17


def export(
    run: Path,
    out: Path,
    *,
    name: str,
    sources: Sequence[dict[str, Any]] = (),
    max_length: int = 128,
    int8: bool = True,
) -> Path:
    """Write the bundle folder of a finished run; an existing one is replaced only when the new one is whole."""
    record = models.record_of(run)
    if not name.strip():
        raise InputError("A bundle has a name: give --name a text.")
    out = out.resolve()
    _refuse(out)
    settings = record["settings"]
    tokenizer, model = models.load(str(run), settings["labels"])
    models.check_length(str(run), model, max_length)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".bundle-") as work:
        folder = Path(work) / "bundle"
        folder.mkdir()
        if int8:
            set_apart(model.eval(), tokenizer)
        _graph(model, settings["task"], folder / MODEL, int8)
        (folder / TOKENIZER).write_text(_compact(tokenizer), encoding="utf-8")
        card = {
            "format": FORMAT,
            "name": name,
            "version": __version__,
            "base": settings["data"].get("base", settings["base"]),
            "precision": "int8" if int8 else "fp32",
            "max_length": max_length,
            "files": {file: _sha256(folder / file) for file in (MODEL, TOKENIZER)},
            "tasks": {
                settings["task"]: {
                    "output": settings["task"],
                    "labels": list(settings["labels"]),
                    "temperature": record["temperature"],
                }
            },
            "sources": list(sources),
            "metrics": [],
            "training": {key: settings[key] for key in settings if key not in ("labels", "base")},
        }
        (folder / CARD).write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        _put_in_place(folder, out, Path(work) / "old")
    return out


def _refuse(out: Path) -> None:
    """A sentence where a bundle cannot be put there without losing something else."""
    if not out.exists():
        return
    held = {file.name for file in out.iterdir()} if out.is_dir() else None
    if held is None or (held and CARD not in held):
        raise InputError(f"{out} holds something that is no bundle: name another folder.")
    if others := sorted(held - {CARD, MODEL, TOKENIZER}):
        raise InputError(f"{out} holds {others[0]!r} beside its bundle: name another folder, or move that away.")
    if Path.cwd().is_relative_to(out):
        raise InputError(f"{out} is or holds the current folder: name another one, or go elsewhere first.")


def _put_in_place(folder: Path, out: Path, old: Path) -> None:
    """The old bundle is gone only when the new one has its place."""
    if out.exists():
        out.replace(old)
    try:
        folder.replace(out)
    except OSError:
        if old.exists():
            old.replace(out)
        raise


def _graph(model: Any, output: str, path: Path, int8: bool) -> None:
    """The encoder with its head as ONNX, weights in eight bits per channel where `int8`."""
    model = model.eval().cpu()
    takes = [name for name in INPUTS if name != "token_type_ids" or getattr(model.config, "type_vocab_size", 0) > 1]
    example = tuple(torch.ones((2, 12), dtype=torch.int64) for _ in takes)
    axes = {name: {0: "rows", 1: "tokens"} for name in takes} | {output: {0: "rows"}}
    model.config._attn_implementation = "eager"  # the fused kernels have no ONNX form
    with tempfile.TemporaryDirectory() as work, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.getLogger("root").setLevel(logging.ERROR)
        full = Path(work) / "full.onnx"
        try:
            torch.onnx.export(
                _Logits(model, takes), example, str(full), input_names=takes, output_names=[output],
                dynamic_axes=axes, opset_version=OPSET, dynamo=False,
            )  # fmt: skip
        except Exception as error:
            raise MeantError(
                f"This model could not be written as ONNX ({reason_of(error)}): try another base."
            ) from error
        if int8:
            apart = [node.name for node in onnx.load(str(full)).graph.node if "/peaks/" in node.name]
            quantize_dynamic(full, path, per_channel=True, weight_type=QuantType.QInt8, nodes_to_exclude=apart)
        else:
            shutil.copy(full, path)
    onnx.checker.check_model(str(path))


class _Logits(torch.nn.Module):
    """The model with plain arguments and a plain result, as the exporter wants it."""

    def __init__(self, model: Any, takes: Sequence[str]) -> None:
        super().__init__()
        self.model, self.takes = model, tuple(takes)

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.model(**dict(zip(self.takes, tensors, strict=True))).logits
        return logits


def _compact(tokenizer: Any) -> str:
    """tokenizer.json without the spaces, truncation and padding that the runtime sets itself."""
    backend = tokenizer.backend_tokenizer
    backend.no_padding()
    backend.no_truncation()
    return json.dumps(json.loads(backend.to_str()), ensure_ascii=False, separators=(",", ":"))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
