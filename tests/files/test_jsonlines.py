from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from meant import InputError
from meant.files.job import Summary

Read = Callable[..., Summary]

GOOD = '{"id": 7, "question": "Hungry?", "reply": "لا 👍", "tags": ["a"], "note": null}\n'


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "in.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_fields_come_along_and_probabilities_are_an_object(read: Read, tmp_path: Path) -> None:
    read(write(tmp_path, GOOD + "\n"), tmp_path / "out.jsonl")
    (row,) = map(json.loads, (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines())
    assert list(row) == ["id", "question", "reply", "tags", "note", "label", "confidence", "other", "probabilities"]
    assert (row["tags"], row["note"]) == (["a"], None)
    assert abs(sum(row["probabilities"].values()) - 1) < 1e-9
    assert row["confidence"] == row["probabilities"][row["label"]]


def test_an_empty_file_gives_an_empty_file(read: Read, tmp_path: Path) -> None:
    assert read(write(tmp_path, ""), tmp_path / "out.jsonl").rows == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""


def test_jsonl_to_csv_takes_the_first_rows_fields(read: Read, tmp_path: Path) -> None:
    read(write(tmp_path, GOOD), tmp_path / "out.csv")
    header, row = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert header.startswith("id,question,reply,tags,note,label,")
    assert row.startswith('7,Hungry?,لا 👍,"[""a""]",,')
    with pytest.raises(InputError, match="Row 2: it has a field 'more' that the first row lacks"):
        source = write(tmp_path, GOOD + '{"question": "a", "reply": "b", "more": 1}\n')
        read(source, tmp_path / "more.csv")


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ('{"question": "Hungry?"\n', "it is not JSON .* at character 2[0-9]"),
        ('{"question": "unterminated\n', r"it is not JSON .Invalid control character at character 27\)"),
        ('{"question": "Hungry?", "reply": "no", "more": NaN}\n', "a number in it is NaN or infinite"),
        ('{"question": "Hungry?", "reply": "no", "more": [{"x": -Infinity}]}\n', "a number in it is NaN or infinite"),
        ('{"question": "Hungry?", "reply": "no", "more": 1e999}\n', "a number in it is NaN or infinite"),
        ("[1]\n", "it is JSON, but not an object"),
        ("[" * 100_000 + "\n", "it is JSON with .* brackets too deep"),
        ('{"question": "Hungry?", "reply": ' + "1" * 5000 + "}\n", "it is JSON with a number too long"),
        ('{"question": "Hungry?"}\n', "it has no 'reply'"),
        ('{"question": "Hungry?", "reply": null}\n', "the reply should be a text, not missing"),
        ('{"question": "Hungry?", "reply": 5}\n', "the reply should be a text, not of type int"),
        ('{"question": "Hungry?", "reply": "no", "label": 1}\n', "there is a column 'label' already"),
        (b'{"question": "Hungry?", "reply": "\xff"}\n', "it is not UTF-8"),
    ],
)
def test_a_bad_line(read: Read, tmp_path: Path, bad: str | bytes, sentence: str) -> None:
    line = bad.encode() if isinstance(bad, str) else bad
    source = write(tmp_path, GOOD.encode() + line + GOOD.encode())
    with pytest.raises(InputError, match=f"Row 2: {sentence}"):
        read(source, tmp_path / "stopped.jsonl")
    assert len((tmp_path / "stopped.jsonl").read_bytes().splitlines()) == 1
    assert read(source, tmp_path / "skipped.jsonl", skip_bad=True).bad == 1
    assert len((tmp_path / "skipped.jsonl").read_bytes().splitlines()) == 2


@pytest.mark.parametrize("depth", [100, 900, 950, 980, 999])
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_brackets_too_deep_to_be_written_are_a_bad_row(read: Read, tmp_path: Path, depth: int, ending: str) -> None:
    deep = '{"question": "Hungry?", "reply": "no", "tags": ' + "[" * depth + "]" * depth + "}\n"
    allowed = deep.replace("[" * depth, "[" * 99).replace("]" * depth, "]" * 99)
    assert read(write(tmp_path, GOOD + deep + allowed), tmp_path / f"out.{ending}", skip_bad=True).bad == 1
    with pytest.raises(InputError, match="Row 2: it is JSON with .*brackets too deep"):
        read(write(tmp_path, GOOD + deep), tmp_path / f"stopped.{ending}")


def test_the_line_is_named_where_it_is_not_the_row(read: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Row 2 \(line 3\): it is not JSON"):
        read(write(tmp_path, GOOD + "\n{\n"), tmp_path / "out.jsonl")


def test_a_string_without_end_is_told_once_where_it_starts(read: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Row 1: it is not JSON \(Unterminated string starting at character 14\)"):
        read(write(tmp_path, '{"question": "unterminated'), tmp_path / "out.jsonl")


def test_bad_first_lines_do_not_hide_the_columns(read: Read, tmp_path: Path) -> None:
    assert read(write(tmp_path, "{\n" * 3 + GOOD), tmp_path / "out.jsonl", skip_bad=True).bad == 3
    with pytest.raises(InputError, match="Row 1: it is not JSON"):
        read(write(tmp_path, "{\n" + GOOD), tmp_path / "other.jsonl")


def test_a_file_of_rubbish_is_found_out(read: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="The first 1,000 rows are all bad.*Check --format"):
        read(write(tmp_path, "rubbish\n" * 2000), tmp_path / "out.jsonl", skip_bad=True)


def test_half_a_surrogate_pair_survives_as_an_escape(read: Read, tmp_path: Path) -> None:
    line = '{"question": "Hungry?", "reply": "no \\ud83d"}'
    read(write(tmp_path, line + "\n"), tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_bytes())["reply"] == "no \ud83d"


@pytest.mark.parametrize(
    "line", ['{"question": "a", "reply": "yes", "reply": "no"}', '{"x": {"reply": 1, "reply": 2}}']
)
def test_a_field_that_comes_twice_is_a_bad_row(read: Read, tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match="Row 1: it has the field 'reply' twice."):
        read(write(tmp_path, line + "\n"), tmp_path / "out.jsonl")
