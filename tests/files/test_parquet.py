from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from meant import InputError
from meant.files import job as module
from meant.files.job import Summary

Read = Callable[..., Summary]

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from meant.files.parquet import ParquetReader, Parts  # noqa: E402 (needs pyarrow)


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


def lines(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps({"q": "Hungry?", "a": "no"} | row) + "\n" for row in rows))
    return path


def test_the_columns_are_those_of_the_first_row_that_can_be_read(read: Read, tmp_path: Path) -> None:
    source = lines(tmp_path, {"a": "", "id": 1, "note": "x"}, {"id": 2}, {"note": "y"})
    read(source, tmp_path / "out.parquet", skip_bad=True)
    table = pq.read_table(tmp_path / "out.parquet")
    assert table["id"].to_pylist() == [2, None]
    assert table["note"].to_pylist() == [None, "y"]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ({"meta": {"a": 1}}, {"meta": {"a": 1, "b": 2}}),
        ({"meta": {"a": {"c": 1}}}, {"meta": {"a": {"b": 2}}}),
        ({"meta": [{"a": 1}]}, {"meta": [{"a": 1}, {"b": 2}]}),
    ],
)
def test_a_nested_field_that_comes_later_is_not_lost(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: dict[str, Any], later: dict[str, Any]
) -> None:
    read(lines(tmp_path, first, later, first), tmp_path / "one.parquet")
    assert "'b': 2" in str(pq.read_table(tmp_path / "one.parquet")["meta"].to_pylist())
    monkeypatch.setattr(module, "_PART", 2)
    for _ in ("a first run", "one that goes on"):
        with pytest.raises(InputError, match="does not fit .*'meta' has a field 'b' that the first rows lack.* jsonl"):
            read(lines(tmp_path, first, first, later), tmp_path / "out.parquet")
    read(lines(tmp_path, first, first, first, {}), tmp_path / "out.parquet")


def test_nested_columns_have_the_same_bytes_after_a_break(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PART", 2)
    row = {"tags": [1, 2], "meta": {"a": ["x"]}}
    with pytest.raises(InputError, match="Row 4"):
        read(lines(tmp_path, row, row, row, {"a": ""}), tmp_path / "out.parquet")
    source = lines(tmp_path, row, row, row, row)
    assert read(source, tmp_path / "out.parquet").resumed == 2
    read(source, tmp_path / "whole.parquet")
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


@pytest.mark.parametrize("value", ["{}", '[{"a": {}}]', "[" * 60 + "]" * 60])
def test_types_that_parquet_does_not_have(read: Read, tmp_path: Path, value: str) -> None:
    source = lines(tmp_path, {"meta": json.loads(value)})
    with pytest.raises(InputError, match="does not fit its column in parquet .* write jsonl instead"):
        read(source, tmp_path / "out.parquet")
    assert read(source, tmp_path / "out.jsonl").rows == 1


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (pa.timestamp("us"), 2**62),
        (pa.timestamp("us", tz="Mars/Phobos"), 1),
        (pa.date32(), 2**30),
        (pa.list_(pa.date32()), [2**30]),
        (pa.struct([("day", pa.date32())]), {"day": 2**30}),
    ],
)
def test_values_that_python_does_not_have_stay_as_they_are(
    read: Read, tmp_path: Path, kind: Any, value: object
) -> None:
    path = tmp_path / "in.parquet"
    table = pa.table({"q": ["Hungry?"] * 2, "a": ["no"] * 2, "when": pa.array([value, None], kind)})
    pq.write_table(table, path)
    read(path, tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet")["when"].equals(pq.read_table(path)["when"])
    with pytest.raises(InputError, match="from row 1 on the column 'when' of type .* cannot be read.*or write parquet"):
        read(path, tmp_path / "out.jsonl")


def test_a_date_goes_to_jsonl_as_text_and_nan_as_null(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    columns = {"when": [datetime.date(2024, 2, 29)], "share": [float("nan")], "more": [[float("inf"), 1.5]]}
    pq.write_table(pa.table({"q": ["Hungry?"], "a": ["no"], **columns}), path)
    read(path, tmp_path / "out.jsonl")
    row = json.loads((tmp_path / "out.jsonl").read_text(), parse_constant=pytest.fail)
    assert (row["when"], row["share"], row["more"]) == ("2024-02-29", None, [None, 1.5])


def test_large_rows_are_taken_in_small_batches(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    notes = [f"{n} " * 200_000 for n in range(40)]
    pq.write_table(pa.table({"q": ["Hungry?"] * 40, "a": ["no"] * 40, "note": notes}), path, use_dictionary=False)
    rows = ParquetReader(path).rows()
    assert next(rows).size > 300_000
    assert sum(1 for _ in rows) == 39


@pytest.mark.parametrize("name", ["notes.txt", "000000.parquet.bak", "1.parquet", "000000.csv"])
def test_a_folder_with_somebody_elses_files_is_left_alone(read: Read, source: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out.parquet.parts"
    folder.mkdir()
    (folder / name).write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(InputError, match=f"{name} is in the way: .* Move it, or choose another --out"):
            read(source, tmp_path / "out.parquet", overwrite=overwrite)
    assert (folder / name).read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "out.parquet.parts"]


def test_a_file_in_place_of_the_folder_is_left_alone(read: Read, source: Path, tmp_path: Path) -> None:
    (tmp_path / "out.parquet.parts").write_text("mine")
    with pytest.raises(InputError, match="out.parquet.parts is in the way"):
        read(source, tmp_path / "out.parquet")
    assert (tmp_path / "out.parquet.parts").read_text() == "mine"


def test_what_came_into_the_folder_meanwhile_is_left_alone(
    read: Read, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, finish = tmp_path / "out.parquet.parts", Parts.finish

    def late(self: Parts) -> None:
        (folder / "notes.txt").write_text("mine")
        finish(self)

    monkeypatch.setattr(Parts, "finish", late)
    read(source, tmp_path / "out.parquet")
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 2


def test_a_part_that_went_is_missed(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PART", 1)
    source, out = lines(tmp_path, {}, {}, {"a": ""}), tmp_path / "out.parquet"
    with pytest.raises(InputError, match="Row 3"):
        read(source, out)
    (tmp_path / "out.parquet.parts" / "000000.parquet").unlink()
    with pytest.raises(InputError, match=r"000000.parquet is missing: start afresh with --overwrite"):
        read(source, out, skip_bad=True)
    assert read(source, out, skip_bad=True, overwrite=True).resumed == 0
    assert pq.read_table(out).num_rows == 2


def test_dates_and_decimals_are_plain_cells_and_bytes_are_base64(read: Read, tmp_path: Path) -> None:
    from decimal import Decimal

    columns = {
        "question": ["Hungry?"], "reply": ["no"], "day": [datetime.date(2020, 1, 2)], "price": [Decimal("1.10")],
        "raw": [b"\xff\x00"],
    }  # fmt: skip
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    read(tmp_path / "in.parquet", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1].startswith("Hungry?,no,2020-01-02,1.10,/wA=,")
    read(tmp_path / "in.parquet", tmp_path / "out.jsonl")
    row = json.loads((tmp_path / "out.jsonl").read_text())
    assert (row["day"], row["price"], row["raw"]) == ("2020-01-02", "1.10", "/wA=")


def test_nanoseconds_of_a_time_stay(read: Read, tmp_path: Path) -> None:
    times = pa.array([1_234_567, None], pa.time64("ns"))
    pq.write_table(pa.table({"question": ["a", "b"], "reply": ["no", "no"], "at": times}), tmp_path / "in.parquet")
    read(tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet")["at"].combine_chunks().equals(times)


def test_two_columns_without_a_name_are_two_of_one_name(read: Read, tmp_path: Path) -> None:
    table = pa.table([["a"], ["no"], ["x"], ["y"]], names=["question", "reply", "", ""])
    pq.write_table(table, tmp_path / "in.parquet")
    with pytest.raises(InputError, match="has two columns ''"):
        read(tmp_path / "in.parquet", tmp_path / "out.parquet")
