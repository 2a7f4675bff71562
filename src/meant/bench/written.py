"""Cases that were written for `meant`: direct replies, and twins that only the question tells apart."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import dataclass
from importlib import resources

from ..text import clean

PARTS = ("dev", "test")


@dataclass(frozen=True, slots=True)
class Direct:
    """A reply that says its answer outright."""

    id: str
    part: str
    question: str
    reply: str
    label: str


@dataclass(frozen=True, slots=True)
class Twin:
    """One reply to two questions of opposite meaning."""

    id: str
    part: str
    reply: str
    question_a: str
    label_a: str
    question_b: str
    label_b: str


def direct(part: str) -> list[Direct]:
    """The direct replies of a part; their wordings are in no training data (a test holds them apart)."""
    return [case for row in _rows("direct.tsv") if (case := Direct(**row)).part == part]


def twins(part: str) -> list[Twin]:
    """The twins of a part."""
    return [case for row in _rows("twins.tsv") if (case := Twin(**row)).part == part]


def wording(reply: str) -> str:
    """A reply without case, stops and spaces: two that are alike in this are one wording."""
    text = unicodedata.normalize("NFKC", clean(reply)).lower()
    return re.sub(r"[\W_]+", "", text) or text


def _rows(name: str) -> list[dict[str, str]]:
    text = resources.files(__package__).joinpath("cases", name).read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
