from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch (meant[train])")

from meant.errors import InputError, MeantError  # noqa: E402
from meant.labels import ENTAILMENT, HEAD  # noqa: E402
from meant.training import model as models  # noqa: E402


def test_a_base_without_a_head_gets_one_for_the_labels(base: Path) -> None:
    _, model = models.load(str(base), HEAD)
    assert model.config.id2label == dict(enumerate(HEAD))
    assert model.classifier.out_features == len(HEAD)


def head_of(source: Path, labels: tuple[str, ...], seed: int = 0) -> torch.Tensor:
    torch.manual_seed(seed)
    return models.load(str(source), labels)[1].classifier.weight.detach()


def test_the_same_labels_keep_the_head(finished: Path) -> None:
    assert torch.equal(head_of(finished, HEAD, 0), head_of(finished, HEAD, 1))


@pytest.mark.parametrize("labels", [ENTAILMENT, HEAD[::-1], tuple("abcdefg")], ids=["fewer", "reversed", "renamed"])
def test_other_labels_begin_with_a_new_head_on_the_same_encoder(finished: Path, labels: tuple[str, ...]) -> None:
    trained = models.load(str(finished), HEAD)[1]
    new = models.load(str(finished), labels)[1]
    assert new.classifier.weight.shape == (len(labels), 32)
    assert new.config.id2label == dict(enumerate(labels))
    assert not torch.equal(head_of(finished, labels, 0), head_of(finished, labels, 1))
    if len(labels) == len(HEAD):
        assert not torch.equal(new.classifier.weight, trained.classifier.weight)
        assert new.classifier.bias.abs().max() == 0
    for before, after in zip(trained.base_model.encoder.parameters(), new.base_model.encoder.parameters(), strict=True):
        assert torch.equal(before, after)


def test_a_new_head_depends_on_the_seed_alone(finished: Path) -> None:
    assert torch.equal(head_of(finished, ENTAILMENT, 5), head_of(finished, ENTAILMENT, 5))


def test_only_the_layers_named_are_kept_in_their_order(base: Path) -> None:
    whole = models.load(str(base), HEAD)[1]
    cut = models.load(str(base), HEAD, (1,))[1]
    assert cut.config.num_hidden_layers == len(cut.base_model.encoder.layer) == 1
    kept, meant = cut.base_model.encoder.layer[0], whole.base_model.encoder.layer[1]
    assert all(torch.equal(a, b) for a, b in zip(kept.parameters(), meant.parameters(), strict=True))


def test_a_layer_that_is_not_there_is_a_sentence(base: Path) -> None:
    with pytest.raises(InputError, match="The base has 2 layers, numbered from 0: layer 2 is not there"):
        models.load(str(base), HEAD, (0, 2))


@pytest.mark.parametrize("content", [None, b"", b"{}", b"not json"])
def test_a_folder_that_is_no_model_is_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(InputError, match="neither a model folder nor a hub id"):
        models.load(str(tmp_path), HEAD)


def test_weights_that_were_cut_short_are_a_sentence(finished: Path, tmp_path: Path) -> None:
    for file in finished.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(weights[: len(weights) // 2])
    with pytest.raises(MeantError, match="could not be read"):
        models.load(str(tmp_path), HEAD)


def copied(source: Path, folder: Path, *left_out: str) -> Path:
    return Path(shutil.copytree(source, folder, ignore=shutil.ignore_patterns(*left_out)))


def test_a_base_without_its_tokenizer_is_a_sentence(base: Path, tmp_path: Path) -> None:
    bare = copied(base, tmp_path / "bare", "tokenizer*")
    with pytest.raises(InputError, match=r"tokenizer of .* knows 5 tokens.*: copy the tokenizer's files"):
        models.load(str(bare), HEAD)


@pytest.mark.parametrize(
    ("key", "size", "what"), [("intermediate_size", 64, "has another shape"), ("num_hidden_layers", 3, "is missing")]
)
def test_an_encoder_that_does_not_fit_its_config_is_a_sentence(
    base: Path, tmp_path: Path, key: str, size: int, what: str
) -> None:
    wrong = copied(base, tmp_path / "wrong")
    config = json.loads((wrong / "config.json").read_text(encoding="utf-8"))
    (wrong / "config.json").write_text(json.dumps(config | {key: size}), encoding="utf-8")
    with pytest.raises(InputError, match=f"do not fit its config.json: bert.encoder.* {what}"):
        models.load(str(wrong), HEAD)


def test_a_base_that_left_its_pooler_out_is_welcome(base: Path, tmp_path: Path) -> None:
    from transformers import BertModel

    folder = copied(base, tmp_path / "bare", "model*")
    BertModel.from_pretrained(base, add_pooling_layer=False).save_pretrained(folder)
    assert models.load(str(folder), HEAD)[1].classifier.out_features == len(HEAD)


def test_a_model_that_is_no_encoder_is_a_sentence(base: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer, GPT2Config, GPT2Model

    tokenizer = AutoTokenizer.from_pretrained(base)
    GPT2Model(GPT2Config(vocab_size=len(tokenizer), n_embd=16, n_head=2, n_layer=1)).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(InputError, match="is a GPT2ForSequenceClassification, .* choose an encoder like BERT"):
        models.load(str(tmp_path), HEAD)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("tokenizer.json", "{}"),
        ("tokenizer_config.json", "[]"),
        ("config.json", '{"model_type": "bert", "hidden_size": "abc"}'),
        ("config.json", "[]"),
    ],
)
def test_a_damaged_file_of_a_base_is_a_sentence(base: Path, tmp_path: Path, file: str, content: str) -> None:
    damaged = copied(base, tmp_path / "model")
    (damaged / file).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="neither a model folder nor a hub id that can be had"):
        models.load(str(damaged), HEAD)


def test_weights_that_are_none_are_a_sentence(base: Path, tmp_path: Path) -> None:
    damaged = copied(base, tmp_path / "model", "*.safetensors")
    (damaged / "pytorch_model.bin").write_bytes(b"junk" * 100)
    with pytest.raises(MeantError, match="could not be read"):
        models.load(str(damaged), HEAD)


def test_a_record_comes_back(finished: Path) -> None:
    record = models.record_of(finished)
    assert tuple(record["settings"]["labels"]) == HEAD
    assert record["rows"] == {"train": 60, "dev": 60}


SETTINGS = {"base": "x", "labels": ["a"], "task": "replies", "data": {"sources": ["b"]}}


def written(folder: Path, settings: Any, temperature: Any = 1) -> Path:
    record = {"settings": settings, "temperature": temperature}
    (folder / models.RECORD).write_text(json.dumps(record), encoding="utf-8")
    return folder


def test_a_record_needs_no_more_than_this(tmp_path: Path) -> None:
    assert models.record_of(written(tmp_path, SETTINGS))["settings"] == SETTINGS


@pytest.mark.parametrize("temperature", [None, "1", True, 0, -1, math.nan, math.inf, 10**400])
def test_a_record_without_a_temperature_is_a_sentence(tmp_path: Path, temperature: Any) -> None:
    with pytest.raises(InputError, match="is not a finished run of  meant train"):
        models.record_of(written(tmp_path, SETTINGS, temperature))


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": None},
        {"labels": []},
        {"labels": "yes"},
        {"labels": [1]},
        {"data": None},
        {"data": {"sources": "Circa"}},
        {"data": {"chain": [1]}},
        {"data": {"base": 1}},
        {"base": None},
        {"task": 1},
    ],
)
def test_a_record_whose_settings_lack_something_is_a_sentence(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="is not a finished run of  meant train"):
        models.record_of(written(tmp_path, SETTINGS | changes))


@pytest.mark.parametrize("content", [None, "", "{", "{}", "[]", '{"settings": []}', "[" * 100_000])
def test_a_folder_without_a_readable_record_is_a_sentence(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / models.RECORD).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="is not a finished run of  meant train"):
        models.record_of(tmp_path)
