"""Natural language inference: the parts of MultiNLI and SNLI that shipped weights may be trained on."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..labels import ENTAILMENT
from . import folder, lines

ATTRIBUTION = {
    "MultiNLI": "part of MultiNLI's train part (Williams, Nangia, Bowman 2018; OANC licence), without TaxiNLI's rows",
    "SNLI": "part of SNLI's train part (Bowman and others 2015; CC BY-SA 4.0)",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A premise, a hypothesis, and what holds between them."""

    premise: str
    hypothesis: str
    label: str


def train(data: str | os.PathLike[str] | None = None) -> list[Row]:
    """MultiNLI and SNLI train rows; TaxiNLI's are left out, for their terms are for research alone."""
    files = (("mnli", "train_subset_37k.jsonl"), ("snli", "train_subset_73k.jsonl"))
    rows = [row for corpus, name in files for row in _read(corpus, name, data)]
    dev = {(row.premise, row.hypothesis) for row in matched_dev(data)}
    return [row for row in rows if (row.premise, row.hypothesis) not in dev]


def matched_dev(data: str | os.PathLike[str] | None = None) -> list[Row]:
    """MultiNLI's matched dev part, whole, with its gold labels."""
    return _read("mnli", "dev_matched.jsonl", data)


def _read(corpus: str, name: str, data: str | os.PathLike[str] | None) -> list[Row]:
    path = folder.corpus_file(corpus, name, data)
    found = lines.objects(path, ("premise", "hypothesis", "label"))
    return [
        Row(row["premise"], row["hypothesis"], row["label"])
        for row in found
        if row["label"] in ENTAILMENT and row.get("source") != "taxinli"
    ]
