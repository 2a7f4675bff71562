"""Examples that were written for training by hand: direct replies, and twins that only the question tells apart.

No wording of theirs is among the cases of `meant.bench` (a test holds them apart).
"""

from __future__ import annotations

from importlib import resources

from ..labels import HEAD
from .example import Example


def written_replies() -> list[Example]:
    """Direct replies with a question each."""
    return [Example.of(question, reply, {label: 1.0}) for question, reply, label in table("direct.tsv", 3)]


def written_twins() -> list[Example]:
    """Both halves of every twin: one reply, two questions, two meanings."""
    examples = []
    for reply, first, label_first, second, label_second in table("twins.tsv", 5):
        examples.append(Example.of(first, reply, {label_first: 1.0}))
        examples.append(Example.of(second, reply, {label_second: 1.0}))
    return examples


def table(name: str, width: int) -> list[tuple[str, ...]]:
    """The rows of a packaged file, below its header."""
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    rows = [tuple(line.split("\t")) for line in text.splitlines()[1:] if line]
    for number, row in enumerate(rows, 2):
        if len(row) != width or row[-1] not in HEAD:
            raise ValueError(f"{name}, line {number}: {width} cells with a label last are expected")
    return rows
