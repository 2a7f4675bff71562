"""`meant bench reply`: how well a reader of replies reads, on Circa, on direct replies and on twins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..corpora import circa
from ..labels import HEAD, RELAXED, STRICT, Scheme
from ..runtime.calibration import expected_calibration_error
from . import written
from .scores import Score, accuracy, confusion, f_scores, signature

if TYPE_CHECKING:
    from ..interpreter import Interpreter

Pairs = Sequence[tuple[str, str]]
Reader = Callable[[Pairs], np.ndarray]  # pairs -> probabilities over the head's labels

MUST = {
    "relaxed accuracy": (89.5, 91.0),
    "strict accuracy": (85.0, 86.5),
    "relaxed ECE": (2.0, 1.0),
    "strict ECE": (2.0, 1.0),
    "direct replies": (98.0, 99.5),
    "twins, both right": (70.0, 90.0),
}
TEACHER_MUST = {"relaxed accuracy": (91.5, 92.5), "strict accuracy": (87.3, 88.5)}


def collapse(probabilities: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Probabilities over the scheme's labels, adding up to 1, out of those over the head's."""
    sums = probabilities @ scheme.matrix()
    # Where all is `other`, no label has a share: the first is as good as any.
    shares: np.ndarray = sums / np.maximum(sums.sum(1, keepdims=True), np.finfo(float).tiny)
    return shares


def labels_of(probabilities: np.ndarray, scheme: Scheme) -> list[str]:
    """The likeliest label of each row."""
    return [scheme.labels[i] for i in collapse(probabilities, scheme).argmax(1)]


@dataclass(frozen=True)
class Judged:
    """The rows of a part that have a gold label in a scheme, as a reader read them."""

    scheme: Scheme
    gold: list[str]
    found: list[str]
    confidence: np.ndarray

    @property
    def correct(self) -> np.ndarray:
        """Right or wrong, row by row."""
        return np.asarray([a == b for a, b in zip(self.found, self.gold, strict=True)])

    @property
    def counts(self) -> np.ndarray:
        """The confusion matrix."""
        return confusion(self.found, self.gold, self.scheme.labels)


def judge(probabilities: np.ndarray, rows: Sequence[circa.Row], scheme: Scheme) -> Judged:
    """What was found beside what is right."""
    kept = [i for i, row in enumerate(rows) if row.gold(scheme)]
    shares = collapse(probabilities[kept], scheme)
    found = [scheme.labels[i] for i in shares.argmax(1)]
    return Judged(scheme, [rows[i].gold(scheme) or "" for i in kept], found, shares.max(1))


def circa_scores(
    probabilities: np.ndarray,
    rows: Sequence[circa.Row],
    where: str,
    name: str,
    must: dict[str, tuple[float, float]],
    row: str = "",
) -> list[Score]:
    """Accuracy, F per label and calibration in both schemes over the same rows."""
    scores: list[Score] = []
    for scheme in (RELAXED, STRICT):
        judged = judge(probabilities, rows, scheme)
        figures = {
            "accuracy": accuracy(judged.found, judged.gold),
            "ECE": 100.0 * expected_calibration_error(judged.confidence, judged.correct),
        }
        per_label = f_scores(judged.counts)
        figures |= {f"F {label}": value for label, value in zip(scheme.labels, per_label, strict=True)}
        for measure, value in figures.items():
            key = f"{scheme.name} {measure}"
            short = {"accuracy": "acc", "ECE": "ece15"}.get(measure, measure.replace(" ", ":", 1))
            line = signature(short, "circa", scheme.name, where, f"model:{name}", f"n:{len(judged.gold)}")
            least, aim = must.get(key, (None, None))
            scores.append(Score("reply", row or name, key, value, line, must=least, aim=aim))
    return scores


def written_scores(
    reader: Reader, part: str, name: str, must: dict[str, tuple[float, float]], row: str = ""
) -> list[Score]:
    """Direct replies and twins, in the relaxed scheme."""
    cases = written.direct(part)
    found = labels_of(reader([(case.question, case.reply) for case in cases]), RELAXED)
    right = accuracy(found, [case.label for case in cases])
    twins = written.twins(part)
    both = _both_right(reader, twins)
    figures = {
        "direct replies": (right, signature("acc", "direct", "relaxed", part, f"model:{name}", f"n:{len(cases)}")),
        "twins, both right": (
            100.0 * float(np.mean(both)),
            signature("both", "twins", "relaxed", part, f"model:{name}", f"n:{len(twins)}"),
        ),
    }
    return [
        Score("reply", row or name, measure, value, line, must=least, aim=aim)
        for measure, (value, line) in figures.items()
        for least, aim in [must.get(measure, (None, None))]
    ]


def _both_right(reader: Reader, twins: Sequence[written.Twin]) -> list[bool]:
    first = labels_of(reader([(twin.question_a, twin.reply) for twin in twins]), RELAXED)
    second = labels_of(reader([(twin.question_b, twin.reply) for twin in twins]), RELAXED)
    return [a == twin.label_a and b == twin.label_b for a, b, twin in zip(first, second, twins, strict=True)]


def bundle_reader(interpreter: Interpreter) -> Reader:
    """A reader out of an Interpreter: its strict probabilities and `other` are the head's labels again."""

    def read(pairs: Pairs) -> np.ndarray:
        readings = interpreter.read(pairs, STRICT)
        rows = np.zeros((len(readings), len(HEAD)))
        for place, reading in enumerate(readings):
            other = reading.other or 0.0
            for label, share in reading.probabilities.items():
                rows[place, HEAD.index(label)] = share * (1.0 - other)
            rows[place, HEAD.index("other")] = other
        return rows

    return read


def runs_reader(folders: Sequence[Path]) -> Reader:
    """A reader out of finished runs in PyTorch, the mean of their probabilities."""
    from ..training.teachers import probabilities

    return lambda pairs: probabilities([str(folder) for folder in folders], pairs, HEAD)


def loss_by_int8(small: np.ndarray, full: np.ndarray, rows: Sequence[circa.Row], where: str, name: str) -> list[Score]:
    """How many points of accuracy the eight bits cost, with McNemar's p-value in the signature."""
    from statsmodels.stats.contingency_tables import mcnemar

    scores = []
    for scheme in (RELAXED, STRICT):
        a, b = judge(small, rows, scheme).correct, judge(full, rows, scheme).correct
        table = [[int((a & b).sum()), int((a & ~b).sum())], [int((~a & b).sum()), int((~a & ~b).sum())]]
        p = float(mcnemar(table, exact=False).pvalue)
        line = signature("acc-diff", "circa", scheme.name, where, f"model:{name}", f"n:{len(a)}", f"mcnemar-p:{p:.3f}")
        value = 100.0 * float(b.mean() - a.mean())
        scores.append(
            Score("reply", "shipped bundle", f"{scheme.name} int8 below fp32", value, line, must=0.3, aim=0.1)
        )
    return scores


def size_score(folder: Path, name: str) -> Score:
    """Megabytes on disk."""
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    return Score("reply", "shipped bundle", "size MB", size, signature("size", f"model:{name}"), must=35.0, aim=25.0)
