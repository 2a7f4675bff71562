"""A base model that is tiny and knows nothing, and examples that it can learn in seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from meant.labels import HEAD
from meant.making.example import Example

torch = pytest.importorskip("torch", reason="needs PyTorch (meant[train])")
pytest.importorskip("transformers", reason="needs Transformers (meant[train])")
pytest.importorskip("accelerate", reason="needs Accelerate (meant[train])")

from meant.training.settings import Settings  # noqa: E402

torch.set_num_threads(1)  # so small a model gains nothing from two, and loses much where the cores are taken

SIZE = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 48, "max_position_embeddings": 160}


@pytest.fixture(scope="session")
def base(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A randomly initialised BERT of two layers, with the vocabulary of the bundle that ships."""
    from transformers import BertConfig, BertModel

    tokenizer = _tokenizer(bundle, ["input_ids", "token_type_ids", "attention_mask"])
    model = BertModel(BertConfig(vocab_size=len(tokenizer), num_hidden_layers=2, **SIZE))
    return _saved(tmp_path_factory.mktemp("bert"), tokenizer, model)


@pytest.fixture(scope="session")
def base_without_types(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as an MPNet, which has no token types."""
    from transformers import MPNetConfig, MPNetModel

    tokenizer = _tokenizer(bundle, ["input_ids", "attention_mask"])
    model = MPNetModel(MPNetConfig(vocab_size=len(tokenizer), num_hidden_layers=2, **SIZE))
    return _saved(tmp_path_factory.mktemp("mpnet"), tokenizer, model)


def _tokenizer(bundle: Path, inputs: list[str]) -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_file=str(bundle / "tokenizer.json"),
        model_input_names=inputs,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def _saved(folder: Path, tokenizer: Any, model: Any) -> Path:
    torch.manual_seed(0)
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.05) if weight.ndim > 1 else None
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def examples() -> list[Example]:
    """Sixty pairs whose reply says its label."""
    said = {
        "yes": "yes sure", "probably yes": "I guess so", "conditional yes": "if it rains", "no": "no way",
        "probably no": "hardly ever", "middle": "who can tell", "other": "what is the time",
    }  # fmt: skip
    labels = [HEAD[i % len(HEAD)] for i in range(60)]
    return [
        Example.of(f"Do you like number {i}?", f"{said[label]}, {'really ' * (i % 5)}", {label: 0.9, "middle": 0.1})
        if label != "middle"
        else Example.of(f"Do you like number {i}?", said[label], {label: 1.0})
        for i, label in enumerate(labels)
    ]


@pytest.fixture(scope="session")
def sixty() -> list[Example]:
    return examples()


@pytest.fixture
def settings(base: Path) -> Callable[..., Settings]:
    """Settings of a small run, some of them changed."""

    def make(**changes: Any) -> Settings:
        small = {"base": str(base), "labels": HEAD, "learning_rate": 5e-3, "epochs": 2, "batch": 8, "max_length": 32}
        return Settings(**(small | changes))

    return make


@pytest.fixture(scope="session")
def finished(base: Path, sixty: list[Example], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the tiny BERT."""
    return _run(base, sixty, tmp_path_factory.mktemp("runs") / "bert")


@pytest.fixture(scope="session")
def finished_without_types(
    base_without_types: Path, sixty: list[Example], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of a finished run of the tiny MPNet."""
    return _run(base_without_types, sixty, tmp_path_factory.mktemp("runs") / "mpnet")


def _run(base: Path, rows: list[Example], out: Path) -> Path:
    from meant.training.finetune import finetune

    data = {"base": "tiny", "sources": ["Circa"]}
    finetune(
        Settings(base=str(base), labels=HEAD, learning_rate=5e-3, epochs=10, batch=8, max_length=32, data=data),
        rows,
        rows,
        out,
    )
    return out
