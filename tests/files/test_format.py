from __future__ import annotations

from pathlib import Path

import pytest

from meant import InputError
from meant.files.format import formats


@pytest.mark.parametrize(
    ("source", "out", "option", "found"),
    [
        ("a.csv", "b.jsonl", None, ("csv", "jsonl")),
        ("A.CSV", None, None, ("csv", "csv")),
        ("a.csv.gz", "b.parquet", None, ("csv", "parquet")),
        (None, None, None, ("jsonl", "jsonl")),
        (None, None, "tsv", ("tsv", "tsv")),
        ("a.txt", "b.csv", "tsv", ("tsv", "csv")),
        ("a.csv", "b.csv", "tsv", ("tsv", "csv")),
        ("a.ndjson", "b.txt", None, ("jsonl", "jsonl")),
        ("a.csv", "b", None, ("csv", "csv")),
        ("a.csv", "/dev/stdout", None, ("csv", "csv")),
        ("a.jsonl", "b.json", "jsonl", ("jsonl", "jsonl")),
    ],
)
def test_names_and_options_tell_the_formats(
    source: str | None, out: str | None, option: str | None, found: tuple[str, str]
) -> None:
    assert formats(Path(source) if source else None, Path(out) if out else None, option) == found


@pytest.mark.parametrize(
    ("source", "out", "option", "sentence"),
    [
        ("a.txt", None, None, "does not tell the format: add --format"),
        ("a.csv", None, "xml", "no format 'xml': choose one of csv"),
        ("a.csv", "b.csv.gz", None, "writes no .gz"),
        ("a.csv", "b.json", None, r"meant writes no .json files \(b.json\): let --out end in .csv, .tsv, .jsonl"),
        ("a.csv", "b.XLSX", None, "meant writes no .XLSX files"),
    ],
)
def test_a_doubt_is_a_sentence(source: str, out: str | None, option: str | None, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        formats(Path(source), Path(out) if out else None, option)
