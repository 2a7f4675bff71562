from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs PyTorch (meant[train])")

from meant.training.model import RECORD  # noqa: E402
from meant.training.sources import names_of, sources_of  # noqa: E402


def run(folder: Path, base: str, *sources: str) -> Path:
    settings = {"base": base, "labels": ["a"], "task": "replies", "data": {"sources": sources}}
    folder.mkdir()
    (folder / RECORD).write_text(json.dumps({"settings": settings, "temperature": 1.0}), encoding="utf-8")
    return folder


def test_older_records_are_walked_to_the_beginning_of_the_chain(tmp_path: Path) -> None:
    first = run(tmp_path / "first", "a/hub-id", "SNLI")
    second = run(tmp_path / "second", str(first), "Circa")
    third = run(tmp_path / "third", str(second), "Circa", "Mine")
    assert names_of(third) == ["Circa", "Mine", "SNLI"]
    assert sources_of(third)[1] == {"name": "Mine", "licence": "not stated"}


def test_a_circle_of_runs_comes_to_an_end(tmp_path: Path) -> None:
    run(tmp_path / "a", str(tmp_path / "b"), "SNLI")
    assert names_of(run(tmp_path / "b", str(tmp_path / "a"), "Circa")) == ["Circa", "SNLI"]
