from __future__ import annotations

from importlib import resources

import pytest

from meant.labels import HEAD
from meant.making import written
from meant.making.example import Example


def label(example: Example) -> str:
    assert sorted(example.target) == [0.0] * (len(HEAD) - 1) + [1.0]
    return HEAD[example.target.index(1.0)]


def test_every_line_below_the_header_is_an_example() -> None:
    lines = {name: _lines(name) for name in ("direct.tsv", "twins.tsv")}
    assert lines["direct.tsv"][0] == "question\treply\tlabel"
    assert lines["twins.tsv"][0] == "reply\tquestion_a\tlabel_a\tquestion_b\tlabel_b"
    assert len(written.written_replies()) == len(lines["direct.tsv"]) - 1
    assert len(written.written_twins()) == 2 * (len(lines["twins.tsv"]) - 1)


def _lines(name: str) -> list[str]:
    return [line for line in resources.files("meant.making").joinpath(name).read_text("utf-8").split("\n") if line]


@pytest.mark.parametrize(("name", "texts"), [("direct.tsv", (0, 1)), ("twins.tsv", (0, 1, 3))])
def test_no_cell_is_empty_or_padded_and_no_line_comes_twice(name: str, texts: tuple[int, ...]) -> None:
    rows = written.table(name, 3 if name == "direct.tsv" else 5)
    assert [row for row in rows if any(not row[i].strip() or row[i] != row[i].strip() for i in texts)] == []
    assert len(set(rows)) == len(rows)


def test_no_question_with_its_reply_is_labelled_twice_differently() -> None:
    labels: dict[tuple[str, str], set[str]] = {}
    for example in written.written_replies() + written.written_twins():
        labels.setdefault((example.question.lower(), example.reply.lower()), set()).add(label(example))
    assert {pair: found for pair, found in labels.items() if len(found) > 1} == {}


def test_the_two_halves_of_a_twin_mean_different_things() -> None:
    rows = written.table("twins.tsv", 5)
    assert [row for row in rows if row[2] == row[4] or row[1] == row[3]] == []
    assert {row[i] for row in rows for i in (2, 4)} <= set(HEAD)


def test_a_table_of_another_width_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match="direct.tsv, line 2: 4 cells with a label last are expected"):
        written.table("direct.tsv", 4)
