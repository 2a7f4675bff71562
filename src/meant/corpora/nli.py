"""Natural language inference: the parts of MultiNLI and SNLI that shipped weights may be trained on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from ..labels import ENTAILMENT
from . import folder, lines

ATTRIBUTION = {
    "MultiNLI": "part of MultiNLI's train part (Williams, Nangia, Bowman 2018; OANC licence), without TaxiNLI's rows",
    "SNLI": "part of SNLI's train part (Bowman and others 2015; CC BY-SA 4.0)",
}

HOMES = {"mnli": "https://cims.nyu.edu/~sbowman/multinli/", "snli": "https://nlp.stanford.edu/projects/snli/"}

# The official releases, and the parts of them that shipped weights were trained on (fields of their own).
MNLI_TRAIN = ("multinli_1.0_train.jsonl", "train_subset_37k.jsonl")
MNLI_DEV = ("multinli_1.0_dev_matched.jsonl", "dev_matched.jsonl")
SNLI_TRAIN = ("snli_1.0_train.jsonl", "train_subset_73k.jsonl")
_OFFICIAL = ("sentence1", "sentence2", "gold_label")
_PARTS = ("premise", "hypothesis", "label")


@dataclass(frozen=True, slots=True)
class Row:
    """A premise, a hypothesis, and what holds between them."""

    premise: str
    hypothesis: str
    label: str


def train(data: str | os.PathLike[str] | None = None) -> list[Row]:
    """MultiNLI and SNLI train rows; TaxiNLI's are left out, for their terms are for research alone."""
    rows = _read("mnli", MNLI_TRAIN, data) + _read("snli", SNLI_TRAIN, data)
    dev = {(row.premise, row.hypothesis) for row in matched_dev(data)}
    return [row for row in rows if (row.premise, row.hypothesis) not in dev]


def matched_dev(data: str | os.PathLike[str] | None = None) -> list[Row]:
    """MultiNLI's matched dev part, whole, with its gold labels."""
    return _read("mnli", MNLI_DEV, data)


def _read(corpus: str, names: Sequence[str], data: str | os.PathLike[str] | None) -> list[Row]:
    path = folder.corpus_file(corpus, names, data, f"get it from {HOMES[corpus]}")
    premise, hypothesis, label = fields = _OFFICIAL if path.name == names[0] else _PARTS
    return [
        Row(row[premise], row[hypothesis], row[label])
        for row in lines.objects(path, fields)
        if row[label] in ENTAILMENT and row.get("source") != "taxinli"
    ]
