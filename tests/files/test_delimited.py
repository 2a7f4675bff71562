from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from meant import InputError, Interpreter
from meant.files.job import Summary

Read = Callable[..., Summary]

GOOD = b'id,question,reply\n1,Hungry?,"I just ate, thanks."\n2,Tired?,"Two\nlines"\n'


def rows(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter=delimiter))


def write(folder: Path, content: bytes, name: str = "in.csv") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def test_the_inputs_columns_come_along(read: Read, tmp_path: Path, interpreter: Interpreter) -> None:
    summary = read(write(tmp_path, GOOD), tmp_path / "out.csv")
    first, second = rows(tmp_path / "out.csv")
    assert (summary.rows, summary.bad) == (2, 0)
    assert list(first) == [
        "id", "question", "reply", "label", "confidence", "other", "probabilities.yes", "probabilities.probably yes",
        "probabilities.conditional yes", "probabilities.no", "probabilities.probably no", "probabilities.middle",
        "warning",
    ]  # fmt: skip
    assert second["reply"] == "Two\nlines"
    assert first["label"] == interpreter.read([("Hungry?", "I just ate, thanks.")])[0].label
    assert first["confidence"] == first[f"probabilities.{first['label']}"]
    assert not (tmp_path / "out.csv.progress").exists()


def test_tsv_keeps_quotes_as_they_are(read: Read, tmp_path: Path) -> None:
    source = write(tmp_path, b'question-X\tanswer-Y\r\nHungry?\t"No" she said\r\n\r\n', "in.tsv")
    read(source, tmp_path / "out.tsv")
    (row,) = (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert row.startswith('Hungry?\t"No" she said\t')


def test_a_byte_order_mark_is_no_part_of_a_name(read: Read, tmp_path: Path) -> None:
    assert read(write(tmp_path, b"\xef\xbb\xbfquestion,reply\nHungry?,no\n"), tmp_path / "out.csv").rows == 1


def test_windows_line_ends_and_empty_lines(read: Read, tmp_path: Path) -> None:
    assert read(write(tmp_path, b"question,reply\r\n\r\nHungry?,no\r\n\r\n"), tmp_path / "out.csv").rows == 1


def test_a_header_alone_gives_a_header_alone(read: Read, tmp_path: Path) -> None:
    assert read(write(tmp_path, b"question,reply\n"), tmp_path / "out.csv").rows == 0
    assert (tmp_path / "out.csv").read_bytes().startswith(b"question,reply,label,")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty: its first line should name the columns"),
        (b"\n\n", "is empty"),
        (b"question,reply,question\na,b,c\n", "two columns 'question'"),
        (b"quest\xffion,reply\n", "header of .* it is not UTF-8"),
        ('"question","reply"\n'.encode("utf-16"), "is UTF-16 text: save it as UTF-8"),
        (b'"question,reply\n', "header of .* is not csv"),
        (b"text,reply\na,b\n", "No column looks like the question among 'text', 'reply': name it with --question-c"),
        (b"question,reply,label\na,b,c\n", "column 'label' already: add --prefix"),
    ],
)
def test_a_wrong_file_is_a_sentence_and_no_output(read: Read, tmp_path: Path, content: bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read(write(tmp_path, content), tmp_path / "out.csv")
    assert not list(tmp_path.glob("out*"))


BAD_ROWS = [
    (b"Hungry?\n", "it has 1 field where the header names 2"),
    (b"Hungry?,no,thanks\n", "it has 3 fields where the header names 2"),
    (b"Hungry?,n\xff\n", "it is not UTF-8 text"),
    (b"Hungry?,n\x00o\n", "there is a NUL byte in it"),
    (b"Hungry?,\n", "the reply is empty"),
    (b" ,no\n", "the question is empty"),
    (b'Hungry?,"n"o\n', "a quote ends before its cell does"),
]


@pytest.mark.parametrize(("bad", "sentence"), BAD_ROWS)
def test_a_bad_row_stops_the_run_and_those_before_it_stay(
    read: Read, tmp_path: Path, bad: bytes, sentence: str
) -> None:
    source = write(tmp_path, b'question,reply\n"Hun\ngry?",no\n' + bad + b"Tired?,yes\n")
    with pytest.raises(InputError, match=rf"Row 2 \(line 4\): {sentence}.*--skip-bad"):
        read(source, tmp_path / "out.csv")
    assert [row["question"] for row in rows(tmp_path / "out.csv")] == ["Hun\ngry?"]


@pytest.mark.parametrize(("bad", "sentence"), BAD_ROWS)
def test_a_bad_row_is_left_out_by_number(
    read: Read, tmp_path: Path, bad: bytes, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path, b"question,reply\nHungry?,no\n" + bad + b"Tired?,yes\n")
    summary = read(source, tmp_path / "out.csv", skip_bad=True)
    assert (summary.rows, summary.bad) == (3, 1)
    assert [row["question"] for row in rows(tmp_path / "out.csv")] == ["Hungry?", "Tired?"]
    assert "Row 2 (line 3): " in capsys.readouterr().err


def test_a_quote_that_never_closes_is_a_bad_row(read: Read, tmp_path: Path) -> None:
    source = write(tmp_path, b'question,reply\nHungry?,"no\nTired?,yes\n')
    with pytest.raises(InputError, match=r"Row 1 \(line 2\): a quote is opened and not closed up to line 3"):
        read(source, tmp_path / "out.csv")


def test_a_prefix_keeps_a_column_of_the_same_name(read: Read, tmp_path: Path) -> None:
    source = write(tmp_path, b"question,reply,label\nHungry?,no,gold\n")
    read(source, tmp_path / "out.csv", prefix="meant.")
    (row,) = rows(tmp_path / "out.csv")
    assert row["label"] == "gold"
    assert row["meant.label"] in {"yes", "probably yes", "conditional yes", "no", "probably no", "middle"}
    assert sum(float(row[name]) for name in row if name.startswith("meant.probabilities.")) == pytest.approx(1)


def test_line_ends_of_every_kind_inside_a_cell_can_be_read_back(read: Read, tmp_path: Path) -> None:
    cells = ["one\rtwo", "one\ntwo", "one\r\ntwo", "\r", "one\r\n"]
    lines = [json.dumps({"question": "Hungry?", "reply": "no", "note": cell}) + "\n" for cell in cells]
    read(write(tmp_path, "".join(lines).encode(), "in.jsonl"), tmp_path / "out.csv")
    assert [row["note"] for row in rows(tmp_path / "out.csv")] == cells
    assert b"\r\n" not in (tmp_path / "out.csv").read_bytes().splitlines(keepends=True)[0]
    read(tmp_path / "out.csv", tmp_path / "back.jsonl", prefix="again.")
    back = (tmp_path / "back.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["note"] for line in back] == cells


def test_a_megabyte_cell_is_read_with_a_warning(read: Read, tmp_path: Path) -> None:
    source = write(tmp_path, b"question,reply\nHungry?," + b"no way " * 150_000 + b"\n")
    read(source, tmp_path / "out.csv")
    csv.field_size_limit(4_000_000)
    (row,) = rows(tmp_path / "out.csv")
    assert "left out" in row["warning"]


def test_two_columns_without_a_name_are_two_of_one_name(read: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has two columns ''"):
        read(write(tmp_path, b"question,reply,,\na,b,c,d\n"), tmp_path / "out.csv")


def test_a_stray_quote_tells_which_lines_it_costs(
    read: Read, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [b"question,reply", b'a?,"yes', b"b?,no", b"c?,no", b'd?,"no', b"e?,no", b""]
    summary = read(write(tmp_path, b"\n".join(lines)), tmp_path / "out.csv", skip_bad=True)
    assert (summary.rows, summary.bad) == (2, 1)
    assert "All that stands in lines 2 to 5 is lost with it." in capsys.readouterr().err


def test_lines_that_end_in_carriage_returns_alone_are_told(read: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="carriage returns alone: save it with other line ends"):
        read(write(tmp_path, b"question,reply\ra?,no\r"), tmp_path / "out.csv")
