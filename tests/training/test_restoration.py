"""A bundle turned back into a run: what it says of itself, and that training goes on from it."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs PyTorch (meant[train])")
pytest.importorskip("onnx", reason="needs onnx (meant[train])")

from meant.errors import InputError, MeantError  # noqa: E402
from meant.labels import HEAD  # noqa: E402
from meant.runtime.bundle import Bundle  # noqa: E402
from meant.training.export import export  # noqa: E402
from meant.training.model import record_of  # noqa: E402
from meant.training.restoration import restore  # noqa: E402
from meant.training.sources import sources_of  # noqa: E402
from meant.training.teachers import probabilities  # noqa: E402


@pytest.fixture(scope="module")
def restored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return restore(None, str(tmp_path_factory.mktemp("restored") / "run"))


def test_a_restored_run_keeps_the_base_the_sources_and_the_temperature_of_its_bundle(restored: Path) -> None:
    bundle, record = Bundle.load(), record_of(restored)
    assert record["settings"]["data"]["base"] == bundle.base
    assert [source["name"] for source in sources_of(restored)] == [source["name"] for source in bundle.sources]
    assert record["temperature"] == bundle.head("replies").temperature


def test_a_restored_run_can_teach(restored: Path) -> None:
    (shares,) = probabilities([str(restored)], [("Want to get some dinner?", "I'd rather just go to bed.")], HEAD)
    assert shares.sum() == pytest.approx(1.0)
    assert HEAD[shares.argmax()] == "no"


def test_a_bundle_in_full_precision_says_that_it_is_no_eight_bit_graph(finished: Path, tmp_path: Path) -> None:
    bundle = export(finished, tmp_path / "full", name="tiny", int8=False)
    with pytest.raises(MeantError, match="use the run that it was exported from"):
        restore(str(bundle), str(tmp_path / "run"))


def changed(bundle: Path, folder: Path, **fields: Any) -> Path:
    """A copy of the bundle with other fields in its card, and with the hashes that its files have."""
    if not folder.exists():
        shutil.copytree(bundle, folder)
    card = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    card["files"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in card["files"]}
    (folder / "bundle.json").write_text(json.dumps(card | fields), encoding="utf-8")
    return folder


@pytest.mark.parametrize("fields", [{"sources": ["Circa"]}, {"training": {"data": ["Circa"]}}])
def test_a_card_of_another_shape_is_a_sentence(bundle: Path, tmp_path: Path, fields: dict[str, Any]) -> None:
    mine = changed(bundle, tmp_path / "mine", **fields)
    with pytest.raises(InputError, match="'sources' should|'data' in 'training' should"):
        restore(str(mine), str(tmp_path / "run"))


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"{}", b"garbage" * 50])
def test_a_damaged_file_with_the_right_hash_is_a_sentence(
    bundle: Path, tmp_path: Path, file: str, content: bytes
) -> None:
    mine = Path(shutil.copytree(bundle, tmp_path / "mine"))
    (mine / file).write_bytes(content)
    changed(bundle, mine)
    with pytest.raises(MeantError, match="use the run that it was exported from"):
        restore(str(mine), str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()
