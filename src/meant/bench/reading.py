"""`meant bench reply`: how well a reader of replies reads, on Circa, on direct replies and on twins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..corpora import circa
from ..labels import RELAXED, STRICT, Scheme
from ..runtime.calibration import expected_calibration_error
from . import written
from .scores import Score, accuracy, confusion, f_scores, signature

Pairs = Sequence[tuple[str, str]]
Reader = Callable[[Pairs], np.ndarray]  # pairs -> probabilities over the head's labels

MUST = {
    "relaxed accuracy": (89.5, 91.0), "strict accuracy": (85.0, 86.5), "relaxed ECE": (2.0, 1.0), "strict ECE": (2.0, 1.0),
    "direct replies": (98.0, 99.5), "twins, both right": (70.0, 90.0),
}  # fmt: skip
TEACHER_MUST = {"relaxed accuracy": (91.5, 92.5), "strict accuracy": (87.3, 88.5)}


def collapse(probabilities: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Probabilities over the scheme's labels, adding up to 1, out of those over the head's."""
    sums = probabilities @ scheme.matrix()
    shares: np.ndarray = sums / sums.sum(1, keepdims=True)
    return shares


def labels_of(probabilities: np.ndarray, scheme: Scheme) -> list[str]:
    """The likeliest label of each row."""
    return [scheme.labels[i] for i in collapse(probabilities, scheme).argmax(1)]


def circa_scores(
    reader: Reader, rows: Sequence[circa.Row], where: str, name: str, must: dict[str, tuple[float, float]]
) -> list[Score]:
    """Accuracy, F per label and calibration in both schemes over the same rows."""
    probabilities = reader([(row.question, row.reply) for row in rows])
    scores: list[Score] = []
    for scheme in (RELAXED, STRICT):
        kept = [i for i, row in enumerate(rows) if row.gold(scheme)]
        gold = [rows[i].gold(scheme) or "" for i in kept]
        shares = collapse(probabilities[kept], scheme)
        found = [scheme.labels[i] for i in shares.argmax(1)]
        right = np.asarray([a == b for a, b in zip(found, gold, strict=True)])
        figures = {
            "accuracy": accuracy(found, gold),
            "ECE": 100.0 * expected_calibration_error(shares.max(1), right),
        }
        per_label = f_scores(confusion(found, gold, scheme.labels))
        figures |= {f"F {label}": value for label, value in zip(scheme.labels, per_label, strict=True)}
        for measure, value in figures.items():
            key = f"{scheme.name} {measure}"
            short = {"accuracy": "acc", "ECE": "ece15"}.get(measure, measure.replace(" ", ":", 1))
            line = signature(short, "circa", scheme.name, where, f"model:{name}", f"n:{len(kept)}")
            least, aim = must.get(key, (None, None))
            scores.append(Score("reply", name, key, value, line, must=least, aim=aim))
    return scores


def written_scores(reader: Reader, part: str, name: str, must: dict[str, tuple[float, float]]) -> list[Score]:
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
        Score("reply", name, measure, value, line, must=must.get(measure, (None, None))[0], aim=must.get(measure, (None, None))[1])
        for measure, (value, line) in figures.items()
    ]


def _both_right(reader: Reader, twins: Sequence[written.Twin]) -> list[bool]:
    first = labels_of(reader([(twin.question_a, twin.reply) for twin in twins]), RELAXED)
    second = labels_of(reader([(twin.question_b, twin.reply) for twin in twins]), RELAXED)
    return [
        a == twin.label_a and b == twin.label_b for a, b, twin in zip(first, second, twins, strict=True)
    ]
