from __future__ import annotations

from pathlib import Path

import pytest

from meant.corpora.lines import objects
from meant.errors import InputError


def test_each_line_is_an_object_with_all_its_fields(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1, "b": "ü"}\n{"b": null, "a": [2]}\n', encoding="utf-8")
    assert list(objects(path, ("a", "b"))) == [{"a": 1, "b": "ü"}, {"b": None, "a": [2]}]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"{", "not a JSON object"),
        (b"", "not a JSON object"),
        (b"7", "not a JSON object"),
        (b'["a", "b"]', "not a JSON object"),
        (b'"a and b"', "not a JSON object"),
        (b'{"a": "\xff", "b": 1}', "not a JSON object"),
        (b"[" * 100_000, "not a JSON object"),
        (b'{"a": 1}', "the field b is missing"),
    ],
)
def test_a_line_that_is_something_else_is_named_by_its_number(tmp_path: Path, line: bytes, sentence: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": 1, "b": 2}\n' + line + b"\n")
    with pytest.raises(InputError, match=f"rows.jsonl, line 2: {sentence}"):
        list(objects(path, ("a", "b")))
