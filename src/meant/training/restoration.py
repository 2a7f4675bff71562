"""A bundle's int8 graph turned back into a Hugging Face checkpoint in fp32.

The exporter names each node by its module's path and each plain weight by its parameter, so the names tell which
matrix is whose.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import transformers
from onnx import numpy_helper

from ..errors import InputError, MeantError, reason_of
from ..runtime.bundle import CARD, MODEL, TOKENIZER, Bundle, Head
from ..tasks import replies
from . import model as models

_WRAPPER = "model."  # the exporter's own module around the classifier


def restore(bundle_folder: str | None, out: str) -> Path:
    """Write the bundle's weights as the folder of a finished run."""
    bundle = Bundle.load(bundle_folder)
    head = bundle.head(replies.TASK)
    record = _record(bundle, head)
    contents, words = bundle.contents(MODEL), bundle.contents(TOKENIZER)
    try:
        graph = onnx.load_model_from_string(contents).graph
        state = _state(graph)
        config = _config(graph, state, head.labels)
        model: Any = transformers.BertForSequenceClassification(config)
        model.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})
        tokenizer = _tokenizer(bundle, words)
    except Exception as error:  # a graph of another kind, or damaged, fails wherever it first differs
        raise MeantError(
            f"The weights of {bundle.folder} cannot be told from its graph ({reason_of(error)}): "
            "use the run that it was exported from."
        ) from None
    models.save(Path(out), tokenizer, model.eval(), record)
    return Path(out)


def _record(bundle: Bundle, head: Head) -> dict[str, Any]:
    """What the run's own record would say: a run that goes on from here keeps the base and every source."""
    data = bundle.training.get("data", {})
    if not isinstance(data, dict):
        raise InputError(
            f"{bundle.folder / CARD}: 'data' in 'training' should be a JSON object. Copy the bundle again or export it "
            "anew."
        )
    settings = dict(bundle.training) | {"labels": list(head.labels), "task": replies.TASK, "base": bundle.base}
    settings["data"] = data | {"base": bundle.base, "sources": [source["name"] for source in bundle.sources]}
    return {"settings": settings, "temperature": head.temperature}


def _state(graph: Any) -> dict[str, np.ndarray]:
    """Parameters by name; int8 ones times their scale, matrices the way round that torch has them."""
    held = {tensor.name: tensor for tensor in graph.initializer}
    state = {
        name.removeprefix(_WRAPPER): _array(tensor)
        for name, tensor in held.items()
        if name.startswith(_WRAPPER) and name.endswith((".weight", ".bias"))
    }
    for node in graph.node:
        weight = node.input[0] if node.op_type == "Gather" else node.input[1] if node.op_type == "MatMulInteger" else ""
        if not weight.endswith("_quantized") or weight not in held:
            continue
        stem = weight.removesuffix("_quantized")
        whole = _array(held[weight]).astype(np.float32)
        array = (whole - _array(held[f"{stem}_zero_point"]).astype(np.float32)) * _array(held[f"{stem}_scale"])
        matrix = array if node.op_type == "Gather" else array.T
        state[f"{_path(node)}.weight"] = np.ascontiguousarray(matrix, dtype=np.float32)
    for node in graph.node:
        if "/peaks/" in node.name and node.op_type == "MatMul":
            state[f"{_path(node)}.weight"] = _array(held[node.input[1]]).T
    return _joined(state)


def _path(node: Any) -> str:
    # /model/bert/pooler/dense/Gemm_MatMul_quant is the product with model.bert.pooler.dense's weight.
    path: str = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".").removeprefix(_WRAPPER)
    return path


def _joined(state: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The layers that `peaks` took apart, whole again."""
    for name in [name for name in state if name.endswith(".peaks.weight")]:
        layer = name.removesuffix(".peaks.weight")
        halves = [state.pop(f"{layer}.main.weight"), state.pop(name)]
        state[f"{layer}.weight"] = np.ascontiguousarray(np.concatenate(halves, axis=1))
        state[f"{layer}.bias"] = state.pop(f"{layer}.main.bias")
    return state


def _array(tensor: Any) -> np.ndarray:
    return np.array(numpy_helper.to_array(tensor))


def _config(graph: Any, state: dict[str, np.ndarray], labels: Sequence[str]) -> Any:
    words = state["bert.embeddings.word_embeddings.weight"]
    layers = {name.split(".")[3] for name in state if name.startswith("bert.encoder.layer.")}
    norm = next(node for node in graph.node if node.op_type == "LayerNormalization")
    epsilon = next(one.f for one in norm.attribute if one.name == "epsilon")
    return transformers.BertConfig(
        vocab_size=words.shape[0],
        hidden_size=words.shape[1],
        num_hidden_layers=len(layers),
        num_attention_heads=words.shape[1] // _head_width(graph),
        intermediate_size=state["bert.encoder.layer.0.intermediate.dense.weight"].shape[0],
        max_position_embeddings=state["bert.embeddings.position_embeddings.weight"].shape[0],
        type_vocab_size=state["bert.embeddings.token_type_embeddings.weight"].shape[0],
        layer_norm_eps=epsilon,
        id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)},
    )


def _head_width(graph: Any) -> int:
    """The width of an attention head: the last number of the shape that the first queries are given."""
    maker = {output: node for node in graph.node for output in node.output}
    first = "layer.0/attention/self/query/"
    split = next(node for node in graph.node if node.op_type == "Reshape" and first in node.input[0])
    last = maker[maker[split.input[1]].input[-1]]
    return int(numpy_helper.to_array(last.attribute[0].t).reshape(-1)[0])


def _tokenizer(bundle: Bundle, words: bytes) -> Any:
    added = {token["content"] for token in json.loads(words)["added_tokens"]}
    names = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]"}
    make: Any = transformers.PreTrainedTokenizerFast
    return make(
        tokenizer_file=str(bundle.folder / TOKENIZER),
        model_max_length=bundle.max_length,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **{name: token for name, token in names.items() if token in added},
    )
