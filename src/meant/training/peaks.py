"""Peaks: the few hidden units whose values tower over all others' stay out of eight bits.

Dynamic quantisation gives all values that enter a matrix product one scale. In the feed-forward layers of a trained
encoder a handful of units reach ten times what the others do, and leave those only a few of the 256 steps. So the units
of each such layer are put in the order of their peaks, which changes nothing, and the last ones are multiplied apart.
"""

from __future__ import annotations

from typing import Any

import torch

from ..making.written import written_replies
from .encoding import Encoded

UNITS = 8  # a layer; with more of them the eight-bit model is no closer to the full one
_TEXTS, _LENGTH, _BATCH = 256, 64, 32


class Apart(torch.nn.Module):
    """A linear layer in two parts: `main` takes all inputs but the last few, which `peaks` takes."""

    def __init__(self, whole: torch.nn.Linear, units: int) -> None:
        super().__init__()
        self.units = units
        self.main = torch.nn.Linear(whole.in_features - units, whole.out_features)
        self.peaks = torch.nn.Linear(units, whole.out_features, bias=False)
        with torch.no_grad():
            self.main.weight.copy_(whole.weight[:, :-units])
            self.main.bias.copy_(whole.bias)
            self.peaks.weight.copy_(whole.weight[:, -units:])

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        apart: torch.Tensor = self.main(inputs[..., : -self.units]) + self.peaks(inputs[..., -self.units :])
        return apart


def set_apart(model: Any, tokenizer: Any) -> None:
    """Change the model in place; one whose feed-forward layers are not like BERT's stays as it is."""
    layers = [layer for layer in _layers(model) if layer.output.dense.in_features > 4 * UNITS]
    for layer, peaks in zip(layers, _peaks(model, tokenizer, layers), strict=True):
        order = peaks.argsort(stable=True)
        inner, outer = layer.intermediate.dense, layer.output.dense
        with torch.no_grad():
            inner.weight.copy_(inner.weight[order])
            inner.bias.copy_(inner.bias[order])
            outer.weight.copy_(outer.weight[:, order])
        layer.output.dense = Apart(outer, UNITS)


def _layers(model: Any) -> list[Any]:
    layers = getattr(getattr(model.base_model, "encoder", None), "layer", [])
    dense = [(getattr(layer, "intermediate", None), getattr(layer, "output", None)) for layer in layers]
    if all(isinstance(getattr(half, "dense", None), torch.nn.Linear) for both in dense for half in both):
        return list(layers)
    return []


@torch.no_grad()
def _peaks(model: Any, tokenizer: Any, layers: list[Any]) -> list[torch.Tensor]:
    """For each layer the largest size of each hidden unit's value over replies of every kind."""
    if not layers:
        return []
    found: dict[int, torch.Tensor] = {}

    def look(at: int, values: torch.Tensor) -> None:
        peak = values.abs().amax((0, 1))
        found[at] = torch.maximum(found[at], peak) if at in found else peak

    hooks = [
        layer.intermediate.register_forward_hook(lambda module, given, values, at=at: look(at, values))
        for at, layer in enumerate(layers)
    ]
    replies = written_replies()
    chosen = replies[:: max(1, len(replies) // _TEXTS)][:_TEXTS]
    encoded = Encoded(tokenizer, [(example.question, example.reply) for example in chosen], _LENGTH)
    for start in range(0, len(encoded), _BATCH):
        rows = range(start, min(start + _BATCH, len(encoded)))
        model(**encoded.tensors(list(rows), next(model.parameters()).device))
    for hook in hooks:
        hook.remove()
    return [found[at] for at in range(len(layers))]
