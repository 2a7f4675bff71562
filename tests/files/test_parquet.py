from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from meant import InputError
from meant.files.job import Summary

Read = Callable[..., Summary]

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"id": pa.array([1, 2], pa.int16()), "q": ["Hungry?", "Tired?"], "a": ["no", "👍"]}), path)
    return path


def test_types_come_along_and_probabilities_are_a_struct(read: Read, source: Path, tmp_path: Path) -> None:
    read(source, tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    names = ["id", "q", "a", "label", "confidence", "other", "probabilities", "warning"]
    assert table.schema.names == names
    assert table.schema.field("id").type == pa.int16()
    assert abs(sum(table["probabilities"][0].as_py().values()) - 1) < 1e-9
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "out.parquet"]


def test_parquet_to_jsonl_and_back(read: Read, source: Path, tmp_path: Path) -> None:
    read(source, tmp_path / "out.jsonl")
    read(tmp_path / "out.jsonl", tmp_path / "back.parquet", prefix="again.")
    table = pq.read_table(tmp_path / "back.parquet")
    assert table["label"].to_pylist() == table["again.label"].to_pylist()


def test_csv_to_parquet_without_rows(read: Read, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"question,reply\n")
    read(tmp_path / "in.csv", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


def test_a_truncated_file(read: Read, source: Path, tmp_path: Path) -> None:
    source.write_bytes(source.read_bytes()[:-20])
    with pytest.raises(InputError, match="is not a whole parquet file"):
        read(source, tmp_path / "out.parquet")


def test_a_file_damaged_inside(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"question": ["Hungry?"] * 5000, "reply": [f"no {n}" for n in range(5000)]}), path)
    content = bytearray(path.read_bytes())
    content[100:4000] = bytes(3900)
    path.write_bytes(content)
    with pytest.raises(InputError, match="is damaged after row"):
        read(path, tmp_path / "out.jsonl")


def test_a_row_without_a_reply(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"question": ["Hungry?", "Tired?"], "reply": ["no", None]}), path)
    with pytest.raises(InputError, match="Row 2: the reply should be a text, not missing"):
        read(path, tmp_path / "out.parquet")
    assert read(path, tmp_path / "out.parquet", skip_bad=True).bad == 1
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 1


def test_values_that_fit_no_column(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"q": "Hungry?", "a": "no", "id": 1}\n{"q": "Hungry?", "a": "no", "id": "two"}\n')
    with pytest.raises(InputError, match="does not fit its column in parquet .* write jsonl instead"):
        read(path, tmp_path / "out.parquet")
