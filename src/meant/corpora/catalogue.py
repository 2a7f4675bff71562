"""The corpora that `meant` trains on: where each comes from, its licence, whether shipped weights may learn from it."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InputError
from . import circa, clinc, nli


@dataclass(frozen=True)
class Corpus:
    """A corpus. One with a `url` can be fetched. Of each tuple in `files`, one file is enough."""

    name: str
    files: tuple[tuple[str, ...], ...]
    licence: str
    weights: str
    home: str
    url: str | None = None
    sha256: str = ""


CORPORA = (
    Corpus(
        "circa", ((circa.FILE,),), "its text says CC BY 4.0, its link CC BY-SA 4.0", "yes, with attribution",
        "https://github.com/google-research-datasets/circa", circa.URL, circa.SHA256,
    ),
    Corpus("mnli", (nli.MNLI_TRAIN, nli.MNLI_DEV), "OANC", "yes, but TaxiNLI's rows (left out)", nli.HOMES["mnli"]),
    Corpus("snli", (nli.SNLI_TRAIN,), "CC BY-SA 4.0", "yes, its train part", nli.HOMES["snli"]),
    Corpus(
        "clinc-oos", ((clinc.FILE,),), "CC BY 3.0", "yes, its train part",
        "https://github.com/clinc/oos-eval", clinc.URL, clinc.SHA256,
    ),
)  # fmt: skip


def named(name: str) -> Corpus:
    """The corpus of that name; a sentence with the names there are where it is none of them."""
    for corpus in CORPORA:
        if corpus.name == name:
            return corpus
    raise InputError(f"There is no corpus {name[:40]!r}: choose one of {', '.join(each.name for each in CORPORA)}.")
