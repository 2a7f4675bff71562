from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from meant import InputError, Interpreter
from meant.labels import HEAD
from meant.runtime.bundle import Bundle


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundle, tmp_path / "bundle"))


def change(folder: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    card = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    edit(card)
    (folder / "bundle.json").write_text(json.dumps(card), encoding="utf-8")
    return folder


def test_the_default_bundle_is_whole(bundle: Path) -> None:
    loaded = Bundle.load(bundle)
    loaded.verify()
    assert set(loaded.head("replies").labels) == set(HEAD)


def test_the_environment_names_another_bundle(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEANT_BUNDLE", str(copy))
    assert Bundle.load().folder == copy


def test_an_argument_is_stronger_than_the_environment(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEANT_BUNDLE", "/nowhere")
    assert Bundle.load(bundle).folder == bundle
    with pytest.raises(InputError, match="no bundle at '/nowhere'"):
        Bundle.load()


@pytest.mark.parametrize("path", ["nowhere", "x" * 5000, "nul\0", ""])
def test_no_folder(path: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bundle"):
        Bundle.load(tmp_path / path)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "bundle.json"])
def test_a_missing_file(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(InputError, match=name):
        Interpreter(copy)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_truncated_file(copy: Path, name: str) -> None:
    whole = (copy / name).read_bytes()
    (copy / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=f"{name} is not the file that bundle.json describes"):
        Interpreter(copy)
    with pytest.raises(InputError, match="copy the bundle again"):
        Bundle.load(copy).verify()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_with_the_right_hash_that_is_rubbish(copy: Path, name: str) -> None:
    import hashlib

    (copy / name).write_bytes(b"rubbish")
    change(copy, lambda card: card["files"].update({name: hashlib.sha256(b"rubbish").hexdigest()}))
    with pytest.raises(InputError):
        Interpreter(copy)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 100_000])
def test_a_card_that_is_no_json_object(copy: Path, content: bytes) -> None:
    (copy / "bundle.json").write_bytes(content)
    with pytest.raises(InputError, match="bundle.json"):
        Bundle.load(copy)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda card: card.update(format=2), "newer than this meant reads: upgrade"),
        (lambda card: card.update(format=True), "'format' should be 1"),
        (lambda card: card.pop("format"), "'format' should be 1"),
        (lambda card: card.update(name=3), "'name' should be a text"),
        (lambda card: card.update(max_length="128"), "'max_length' should be a whole number"),
        (lambda card: card.update(max_length=0), "'max_length' should be a whole number"),
        (lambda card: card.update(files=[]), "'files' should be a JSON object"),
        (lambda card: card["files"].pop("model.onnx"), "should list model.onnx"),
        (lambda card: card["files"].update({"../secret": "0" * 64}), "not a plain file name"),
        (lambda card: card["files"].update({"a\\b": "0" * 64}), "not a plain file name"),
        (lambda card: card["files"].update({"model.onnx": "abc"}), "SHA-256 of 64"),
        (lambda card: card["files"].update({"notes.txt": "0" * 64}), "lacks its file notes.txt"),
        (lambda card: card.update(tasks={}), "at least one task"),
        (lambda card: card.update(tasks={"replies": 3}), "'replies' a JSON object"),
        (lambda card: card["tasks"]["replies"].update(output=None), "name the output"),
        (lambda card: card["tasks"]["replies"].update(labels="yes"), "list the labels"),
        (lambda card: card["tasks"]["replies"].update(labels=["yes", "yes"]), "twice"),
        (lambda card: card.update(sources=["Circa"]), "each source a name and a licence"),
        (lambda card: card["tasks"]["replies"].update(temperature=0), "temperature from 0.05 to 20"),
        (lambda card: card["tasks"]["replies"].update(temperature=1e-320), "temperature from 0.05 to 20"),
        (lambda card: card["tasks"]["replies"].update(temperature=10**400), "temperature from 0.05 to 20"),
        (lambda card: card["tasks"]["replies"].update(temperature=float("nan")), "temperature from 0.05 to 20"),
        (lambda card: card.update(metrics={}), "'metrics' should be a JSON array"),
    ],
)
def test_a_card_with_a_wrong_field(copy: Path, edit: Callable[[dict[str, Any]], object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Bundle.load(change(copy, edit))


def test_a_bundle_for_another_task(copy: Path) -> None:
    change(copy, lambda card: card.update(tasks={"acts": card["tasks"]["replies"]}))
    with pytest.raises(InputError, match="cannot do 'replies', only acts"):
        Interpreter(copy)


def test_labels_that_are_not_the_heads(copy: Path) -> None:
    change(copy, lambda card: card["tasks"]["replies"].update(labels=["yes", "no"]))
    with pytest.raises(InputError, match="other labels"):
        Interpreter(copy)


def test_an_output_that_the_model_lacks(copy: Path) -> None:
    change(copy, lambda card: card["tasks"]["replies"].update(output="acts"))
    with pytest.raises(InputError, match="no output 'acts'"):
        Interpreter(copy)
