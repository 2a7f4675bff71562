"""Inference pairs in the shape of question and reply: the hypothesis asked, the premise said.

The encoder then meets in its first task the order and the form of its second. Hypotheses whose first auxiliary
stands plainly after the subject are turned into questions; the others stay statements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from ..corpora.nli import Row
from ..labels import ENTAILMENT
from .example import Example

_STATEMENT = re.compile(
    r"(?P<subject>(?!(?:who|what|that|if|when|because)\b)\w+"
    r"(?: (?!(?:who|which|that|is|are|was|were|can|will)\b)[\w'-]+){0,5}?)"
    r" (?P<aux>is|are|was|were|can|will) (?P<rest>.+?)[.!\s]*\Z",
    re.IGNORECASE,
)


def asked(statement: str) -> str:
    """ "A man is asleep." -> "Is a man asleep?", where that is plain; else the statement as it is."""
    found = _STATEMENT.match(statement.strip())
    if not found:
        return statement.strip()
    subject = found["subject"]
    first = subject.split(" ", 1)[0]
    if first.lower() in {
        "a",
        "an",
        "the",
        "there",
        "some",
        "two",
        "three",
        "people",
        "he",
        "she",
        "it",
        "they",
        "this",
    }:
        subject = subject[0].lower() + subject[1:]
    return f"{found['aux'].capitalize()} {subject} {found['rest']}?"


def inferences(rows: Sequence[Row]) -> list[Example]:
    """Examples over the labels of inference, every second hypothesis asked where it can be."""
    return [
        Example.of(asked(row.hypothesis) if i % 2 else row.hypothesis, row.premise, {row.label: 1.0}, ENTAILMENT)
        for i, row in enumerate(rows)
    ]


# A neutral hypothesis is left out: nobody says whether its premise would be heard as "in the middle" or as no answer.
_ANSWERS = {"entailment": {"yes": 1.0}, "contradiction": {"no": 1.0}}


def answered(rows: Sequence[Row], count: int, seed: int) -> list[Example]:
    """Up to `count` examples over the replies' labels: a hypothesis that can be asked, its premise as the reply."""
    askable = [
        (question, row)
        for row in rows
        if row.label in _ANSWERS and (question := asked(row.hypothesis)) != row.hypothesis.strip()
    ]
    chosen = Random(seed).sample(askable, min(count, len(askable)))
    return [Example.of(question, row.premise, _ANSWERS[row.label]) for question, row in chosen]
