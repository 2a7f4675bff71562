"""Circa: 34,268 polar questions with indirect replies and five annotators' marks (Louis, Roth, Radlinski 2020).

Splits are those of the paper's two settings and one for what ships:

- `paper(scheme, seed)`: rows with that scheme's gold among its classes, permuted, cut 60/20/20;
- `scenario(scheme, k)`: one of the ten situations is the test part, a ninth of the others is dev;
- `release()`: all rows permuted and cut likewise, filtered by scheme afterwards, so that both schemes share
  their train, dev and test parts and rows without a majority can be trained on.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..labels import Scheme, scheme_named
from ..making.gold import relaxed_gold, strict_gold
from . import folder

FILE = "circa-data.tsv"
SHA256 = "98454df6b716dd7ff5f83a3db298849f05414688e81c2ee21b8e5a548ed897aa"
URL = "https://raw.githubusercontent.com/google-research-datasets/circa/main/circa-data.tsv"
ATTRIBUTION = (
    "Circa, by Annie Louis, Dan Roth and Filip Radlinski (Google), 2020. Its text states CC BY 4.0, its link leads "
    "to CC BY-SA 4.0."
)

COLUMNS = (
    "id", "context", "question-X", "canquestion-X", "answer-Y", "judgements", "goldstandard1", "goldstandard2",
)  # fmt: skip

# The file's spelling of each mark (the apostrophe in the seventh is a curly one).
SPELLING = {
    "Yes": "yes",
    "Probably yes / sometimes yes": "probably yes",
    "Yes, subject to some conditions": "conditional yes",
    "No": "no",
    "Probably no": "probably no",
    "In the middle, neither yes nor no": "middle",
    "I am not sure how X will interpret Y’s answer": "unsure",
    "Other": "other",
}

# Twenty rows lost the middle of their question ("Do y", "Have you had") and carry its end in the answer's cell,
# before '","'. Their declarative form, which is whole, tells what the two questions were.
_MANGLED = {"Do y": "Do you answer phones for your work?", "Have you had": "Have you had to answer phones?"}


@dataclass(frozen=True, slots=True)
class Row:
    """One question with one reply, its situation and all its marks."""

    id: int
    context: str
    question: str
    statement: str
    reply: str
    marks: tuple[str, ...]
    mangled: bool = False

    @property
    def strict(self) -> str | None:
        """The majority of the marks, or None."""
        return strict_gold(self.marks)

    @property
    def relaxed(self) -> str | None:
        """The majority when uncertain marks count as definite ones, or None."""
        return relaxed_gold(self.marks)

    def gold(self, scheme: str | Scheme) -> str | None:
        """The gold label where it is one of the scheme's classes (`other`, `unsure` and no majority are not)."""
        scheme = scheme_named(scheme)
        label = self.strict if scheme.name == "strict" else self.relaxed
        return label if label in scheme.labels else None


@dataclass(frozen=True)
class Split:
    """Three parts, and the name that signatures carry."""

    name: str
    train: list[Row]
    dev: list[Row]
    test: list[Row]

    def part(self, name: str) -> list[Row]:
        """The part of that name; a sentence where it is none of the three."""
        parts = {"train": self.train, "dev": self.dev, "test": self.test}
        if name not in parts:
            raise InputError(f"There is no part {name[:40]!r}: choose one of {', '.join(parts)}.")
        return parts[name]


def load(data: str | os.PathLike[str] | None = None) -> list[Row]:
    """All rows in file order; mangled ones are mended and marked."""
    path = folder.corpus_file("circa", FILE, data, "run  meant corpus fetch circa ")
    return [row for row, _ in read(path)]


def read(path: Path) -> list[tuple[Row, tuple[str | None, str | None]]]:
    """The rows of a Circa file, each with the two gold labels that the file itself states."""
    try:
        lines = folder.contents(path).decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text: fetch it again with  meant corpus fetch circa.") from None
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise InputError(f"{path} is not a Circa file: its first line should name the columns {', '.join(COLUMNS)}.")
    if lines[-1] == "":
        lines.pop()
    return [_row(line.split("\t"), number, path) for number, line in enumerate(lines[1:], 2)]


def _row(cells: Sequence[str], number: int, path: Path) -> tuple[Row, tuple[str | None, str | None]]:
    if len(cells) != len(COLUMNS):
        raise InputError(f"{path}, line {number}: {len(cells)} cells where a Circa file has {len(COLUMNS)}.")
    try:
        marks = tuple(SPELLING[mark] for mark in cells[5].split("#"))
        published = _published(cells[6]), _published(cells[7])
        identity = int(cells[0])
    except (KeyError, ValueError) as error:
        raise InputError(f"{path}, line {number}: {error} is not something that a Circa file holds there.") from None
    question, reply, mangled = cells[2], cells[4], cells[2] in _MANGLED
    if mangled:
        question, reply = _MANGLED[question], reply.partition('","')[2].removeprefix('answer":"')
        if not reply:
            raise InputError(f"{path}, line {number}: question and reply are cut, with nothing to mend them by.")
    return Row(identity, cells[1], question, cells[3], reply, marks, mangled), published


def _published(cell: str) -> str | None:
    return None if cell == "NA" else SPELLING[cell]


def paper(scheme: str | Scheme, seed: int = 0, data: str | os.PathLike[str] | None = None) -> Split:
    """The matched setting: 60/20/20 of the rows that have a gold label in the scheme."""
    if not 0 <= seed < 2**32:
        raise InputError(f"A split's seed is a whole number from 0 to {2**32 - 1}, not {seed}.")
    rows = [row for row in load(data) if row.gold(scheme)]
    return _cut(f"paper:{seed}", rows, seed)


def release(data: str | os.PathLike[str] | None = None) -> Split:
    """60/20/20 of all rows, for what ships. A part's rows without a gold label are for training alone."""
    return _cut("release", load(data), 0)


def _cut(name: str, rows: list[Row], seed: int) -> Split:
    order = np.random.RandomState(seed).permutation(len(rows))
    shuffled = [rows[i] for i in order]
    first, second = int(0.6 * len(rows)), int(0.8 * len(rows))
    return Split(name, shuffled[:first], shuffled[first:second], shuffled[second:])


def contexts(rows: Sequence[Row]) -> list[str]:
    """The situations, sorted: the k of `scenario`."""
    return sorted({row.context for row in rows})


def scenario(scheme: str | Scheme, k: int, data: str | os.PathLike[str] | None = None) -> Split:
    """The unmatched setting: situation k is the test part, a ninth of the rest is dev."""
    rows = [row for row in load(data) if row.gold(scheme)]
    names = contexts(rows)
    if not 0 <= k < len(names):
        raise InputError(f"There is no scenario {k}: they are numbered 0 to {len(names) - 1}.")
    rest = [row for row in rows if row.context != names[k]]
    order = np.random.RandomState(k).permutation(len(rest))
    ninth = len(rest) // 9
    dev, train = [rest[i] for i in order[:ninth]], [rest[i] for i in order[ninth:]]
    return Split(f"scenario:{k}", train, dev, [row for row in rows if row.context == names[k]])


def split_named(name: str, scheme: str | Scheme = "strict", data: str | os.PathLike[str] | None = None) -> Split:
    """The split of a signature's name: `release`, `paper:SEED` or `scenario:K`."""
    kind, _, number = name.partition(":")
    if kind == "release" and not number:
        return release(data)
    if kind in ("paper", "scenario") and (number.isdecimal() or not number) and len(number) <= 10:
        make = paper if kind == "paper" else scenario
        return make(scheme, int(number or 0), data)
    raise InputError(f"There is no split {name[:40]!r}: say release, paper:SEED or scenario:K.")
