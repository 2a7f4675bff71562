"""Columns: which ones hold the question and the reply, and which ones a reading adds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..labels import Scheme
from ..reading import Reading

_QUESTION = ("question", "question_x", "question_text", "q", "query", "text_a")
_REPLY = ("reply", "answer", "answer_y", "answer_text", "response", "a", "utterance", "text_b")
_DIGITS = 6  # of a probability in a file


@dataclass(frozen=True)
class Columns:
    """The names of the two columns that are read."""

    question: str
    reply: str


def choose(names: Sequence[str], question: str | None, reply: str | None) -> Columns:
    """The columns that the options name, or else those whose names say what they are."""
    chosen = Columns(
        _one(names, question, "question", _QUESTION),
        _one(names, reply, "reply", _REPLY),
    )
    if chosen.question == chosen.reply:
        raise InputError(f"The question and the reply cannot both be the column {chosen.reply!r}: name two.")
    return chosen


def _one(names: Sequence[str], option: str | None, role: str, usual: tuple[str, ...]) -> str:
    if option is not None:
        if option not in names:
            raise InputError(f"There is no column {option!r}, only {_listed(names)}: change --{role}-column.")
        return option
    if role in names:
        return role
    found = [name for name in names if _plain(name) in usual]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"Several columns may be the {role} ({_listed(found)}): choose with --{role}-column.")
    raise InputError(f"No column looks like the {role} among {_listed(names)}: name it with --{role}-column.")


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:40]) for name in names[:12])
    return (shown or "none") + (", ..." if len(names) > 12 else "")


class Added:
    """The columns a reading adds: `label`, `confidence`, `other`, `probabilities`, `warning`.

    In csv and tsv, whose cells are flat, the probabilities are a column for each label, `probabilities.yes` and so
    on. In jsonl, where each row names its own fields, a warning that there is not is left out.
    An input that has one of these names already is refused until a prefix tells them apart: nothing is overwritten.
    """

    def __init__(self, scheme: Scheme, prefix: str, format: str) -> None:
        self._prefix = prefix
        self._flat = format in ("csv", "tsv")
        self._sparse = format == "jsonl"
        middle = [f"probabilities.{label}" for label in scheme.labels] if self._flat else ["probabilities"]
        self.names = tuple(prefix + name for name in ["label", "confidence", "other", *middle, "warning"])

    def clash(self, names: Iterable[str]) -> str | None:
        """A sentence where the input has a column of such a name."""
        taken = set(self.names) & set(names)
        if not taken:
            return None
        return f"there is a column {min(taken)!r} already: add --prefix, such as  --prefix meant_ ."

    def fields(self, reading: Reading) -> dict[str, Any]:
        """The reading as fields of a row, in the order of `names`."""
        shares = rounded(reading)
        values: list[Any] = [reading.label, shares[reading.label], _round(reading.other)]
        values += [*shares.values(), reading.warning] if self._flat else [shares, reading.warning]
        names = self.names[:-1] if self._sparse and reading.warning is None else self.names
        return dict(zip(names, values, strict=False))


def rounded(reading: Reading) -> dict[str, float]:
    """The probabilities with six digits; what rounding leaves over goes to the label, so that they still make 1."""
    shares = {label: round(share, _DIGITS) for label, share in reading.probabilities.items()}
    rest = sum(share for label, share in shares.items() if label != reading.label)
    shares[reading.label] = round(1.0 - rest, _DIGITS)
    return shares


def _round(share: float | None) -> float | None:
    return None if share is None else round(share, _DIGITS)
