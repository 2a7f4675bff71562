from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch (meant[train])")
pytest.importorskip("onnx", reason="needs onnx (meant[train])")

import numpy as np  # noqa: E402

from meant import Interpreter  # noqa: E402
from meant.errors import InputError  # noqa: E402
from meant.labels import HEAD  # noqa: E402
from meant.making.example import Example  # noqa: E402
from meant.runtime.batching import Batching  # noqa: E402
from meant.runtime.bundle import Bundle  # noqa: E402
from meant.runtime.calibration import softmax  # noqa: E402
from meant.runtime.session import Session  # noqa: E402
from meant.tasks.replies import clean  # noqa: E402
from meant.training import model as models  # noqa: E402
from meant.training.encoding import Encoded  # noqa: E402
from meant.training.export import _put_in_place, export  # noqa: E402
from meant.training.finetune import predict  # noqa: E402

SOURCES = [{"name": "Circa", "licence": "CC BY 4.0"}]
Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def pairs(sixty: list[Example]) -> Pairs:
    others = [("👍?", "Yesssss"), ("Hungry?", "I just ate. " * 60), ("a?", "b")]
    return [(each.question, each.reply) for each in sixty] + others


@pytest.fixture(scope="module")
def full(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(finished, tmp_path_factory.mktemp("full") / "bundle", name="tiny", sources=SOURCES, int8=False)


@pytest.fixture(scope="module")
def small(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(finished, tmp_path_factory.mktemp("small") / "deep" / "bundle", name="tiny", max_length=48)


def onnx_logits(folder: Path, pairs: Pairs) -> np.ndarray:
    bundle = Bundle.load(folder)
    session = Session(bundle.contents("model.onnx"))
    batching = Batching(session, bundle.contents("tokenizer.json"), bundle.max_length, "replies", 1)
    return batching.logits([clean(*pair)[:2] for pair in pairs]).rows


def torch_logits(run: Path, pairs: Pairs, length: int = 128) -> np.ndarray:
    tokenizer, model = models.load(str(run), HEAD)
    return predict(model, Encoded(tokenizer, pairs, length))


def test_the_exported_graph_gives_the_logits_of_the_checkpoint(finished: Path, full: Path, pairs: Pairs) -> None:
    assert onnx_logits(full, pairs) == pytest.approx(torch_logits(finished, pairs), abs=1e-4)


def test_an_interpreter_reads_with_it(finished: Path, full: Path, pairs: Pairs) -> None:
    shares = softmax(torch_logits(finished, pairs), models.record_of(finished)["temperature"])
    readings = Interpreter(full).read(pairs)
    assert [each.other for each in readings] == pytest.approx(shares[:, HEAD.index("other")], abs=1e-4)
    strict = shares[:, :-1] / shares[:, :-1].sum(1, keepdims=True)
    found = np.array([[each.probabilities[label] for label in HEAD[:-1]] for each in readings])
    assert found == pytest.approx(strict, abs=1e-4)


def test_eight_bits_change_little(finished: Path, small: Path, full: Path, pairs: Pairs) -> None:
    whole, rounded = softmax(torch_logits(finished, pairs[:60], 48)), softmax(onnx_logits(small, pairs[:60]))
    assert 0 < np.abs(whole - rounded).mean() < 0.02
    assert (whole.argmax(1) == rounded.argmax(1)).mean() > 0.95
    assert (small / "model.onnx").stat().st_size < 0.5 * (full / "model.onnx").stat().st_size


def test_the_card_says_what_the_bundle_is(finished: Path, full: Path, small: Path) -> None:
    card = json.loads((full / "bundle.json").read_text(encoding="utf-8"))
    record = models.record_of(finished)
    assert {file.name for file in full.iterdir()} == {"model.onnx", "tokenizer.json", "bundle.json"}
    for name, digest in card["files"].items():
        assert digest == hashlib.sha256((full / name).read_bytes()).hexdigest()
    assert set(card["files"]) == {"model.onnx", "tokenizer.json"}
    assert card["tasks"]["replies"]["labels"] == list(HEAD)
    assert card["tasks"]["replies"]["temperature"] == record["temperature"]
    assert (card["name"], card["base"], card["precision"], card["sources"]) == ("tiny", "tiny", "fp32", SOURCES)
    assert card["training"]["learning_rate"] == record["settings"]["learning_rate"]
    assert Bundle.load(small).max_length == 48
    Bundle.load(small).verify()


def test_the_same_run_makes_the_same_bundle(finished: Path, full: Path, tmp_path: Path) -> None:
    again = export(finished, tmp_path / "bundle", name="tiny", sources=SOURCES, int8=False)
    for file in full.iterdir():
        assert (again / file.name).read_bytes() == file.read_bytes(), file.name


def test_a_bundle_is_replaced_and_nothing_is_left_beside_it(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    out.mkdir()
    (out / "bundle.json").write_text("{}", encoding="utf-8")
    (out / "model.onnx").write_bytes(b"old")
    export(finished, out, name="tiny")
    assert {file.name for file in out.iterdir()} == {"model.onnx", "tokenizer.json", "bundle.json"}
    assert [file.name for file in tmp_path.iterdir()] == ["bundle"]
    assert (out / "model.onnx").stat().st_size > 1000


def test_a_link_to_a_bundle_keeps_leading_to_it(finished: Path, tmp_path: Path) -> None:
    link = tmp_path / "latest"
    link.symlink_to("one")
    assert export(finished, link, name="tiny") == tmp_path / "one"
    export(finished, link, name="again")
    assert link.is_symlink() and Bundle.load(link).name == "again"


def test_a_bundle_with_somebody_elses_file_in_it_is_left_alone(finished: Path, tmp_path: Path) -> None:
    (tmp_path / "bundle").mkdir()
    for name in ("bundle.json", "my-notes.txt"):
        (tmp_path / "bundle" / name).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="holds 'my-notes.txt' beside its bundle: name another folder"):
        export(finished, tmp_path / "bundle", name="tiny")
    assert {file.name for file in tmp_path.rglob("*")} == {"bundle", "bundle.json", "my-notes.txt"}


@pytest.mark.parametrize("out", [".", "../bundle"])
def test_the_current_folder_is_not_replaced(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    here = tmp_path / "bundle"
    here.mkdir()
    (here / "bundle.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(here)
    with pytest.raises(InputError, match="is or holds the current folder"):
        export(finished, Path(out), name="tiny")
    assert [file.name for file in here.iterdir()] == ["bundle.json"]


def test_the_old_bundle_comes_back_where_the_new_one_cannot_be_put(tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    out.mkdir()
    (out / "bundle.json").write_text("old", encoding="utf-8")
    with pytest.raises(OSError):
        _put_in_place(tmp_path / "nowhere", out, tmp_path / "old")
    assert (out / "bundle.json").read_text(encoding="utf-8") == "old"


def test_a_bundle_needs_a_name(finished: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --name a text"):
        export(finished, tmp_path / "bundle", name=" ")


@pytest.mark.parametrize(("run", "most"), [("finished", 160), ("finished_without_types", 158)])
def test_a_bundle_reads_no_more_tokens_than_its_model(
    run: str, most: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source: Path = request.getfixturevalue(run)
    with pytest.raises(InputError, match=f"reads at most {most} tokens: give --max-length {most} or less"):
        export(source, tmp_path / "bundle", name="tiny", max_length=most + 1)
    assert not list(tmp_path.iterdir())
    export(source, tmp_path / "bundle", name="tiny", max_length=most)
    long = ("Hungry?", "I just ate. " * 300)
    assert sum(Interpreter(tmp_path / "bundle").read([long])[0].probabilities.values()) == pytest.approx(1)


def test_a_folder_of_something_else_is_left_alone(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "chapter.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputError, match="holds something that is no bundle: name another folder"):
        export(finished, out, name="tiny")
    assert [file.name for file in tmp_path.rglob("*")] == ["thesis", "chapter.txt"]


def test_a_folder_that_is_no_run_is_a_sentence(base: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a finished run"):
        export(base, tmp_path / "bundle", name="tiny")


def test_a_model_without_token_types_reads_too(finished_without_types: Path, tmp_path: Path, pairs: Pairs) -> None:
    out = export(finished_without_types, tmp_path / "bundle", name="tiny", int8=False)
    assert Session((out / "model.onnx").read_bytes()).inputs == ("input_ids", "attention_mask")
    # The checkpoint's own pads are part of its positions: a pair at a time, as the runtime reads.
    alone = np.concatenate([torch_logits(finished_without_types, [pair]) for pair in pairs])
    assert onnx_logits(out, pairs) == pytest.approx(alone, abs=1e-4)
    assert {each.label for each in Interpreter(out).read(pairs)} <= set(HEAD)
