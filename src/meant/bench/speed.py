"""`meant bench speed`: the shipped bundle beside other ways to read a reply, each in a process of its own.

Accuracy and speed stand together because each alone is easy. Every rival has the same pairs and number of threads, is
warmed up, reads the pairs in bulk and one at a time, and starts afresh for its first reading. What it needs made
beforehand (a fitted regression, weights taken out of the bundle) is made in another process and not counted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from ..corpora import circa
from ..errors import InputError, MeantError
from ..labels import RELAXED
from ..runtime.bundle import Bundle
from ..runtime.session import available_cores
from . import written
from .scores import Score, accuracy, signature

SHIPPED, PIPELINE, INFERENCE = "shipped bundle", "Transformers pipeline, fp32", "zero-shot NLI, a pass per label"
EMBEDDINGS = "sentence embeddings, logistic regression"
WHOLE, ANYWHERE = "word list, whole reply", "word list, anywhere"

# What the bundle must reach and what it aims at; less is better in the last three.
MUST = {"pairs/s": (350.0, 900.0), "p50 ms": (6.0, 2.0), "first reading s": (1.0, 0.5), "memory MB": (400.0, 250.0)}

_SINGLES = 300  # readings whose median is `p50 ms`
_STARTS = 3  # processes whose median is `first reading s`
_TRAIN, _DEV, _CHECKED = 8000, 1000, 200
_LONGEST = 3600  # seconds for one process
_DISTURBED = 0.2  # cores that others use, above which a speed says little

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What to measure, and with what. A rival whose model is not given is left out, with a sentence."""

    checkpoint: str | None = None
    nli: str | None = None
    embedder: str | None = None
    pairs: int = 1000
    threads: int = field(default_factory=available_cores)
    bundle: str | None = None
    data: str | None = None

    def __post_init__(self) -> None:
        for name in ("pairs", "threads"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InputError(f"{name} should be a whole number from 1 up, not {value!r}.")


@dataclass(frozen=True)
class _Row:
    """A rival: its name in the table, its module, what that takes, the model that signatures name."""

    name: str
    module: str
    arguments: Mapping[str, Any]
    model: str
    prepares: bool = False


class Cases:
    """What every rival reads, and the labels that are right."""

    def __init__(self, options: Options) -> None:
        split = circa.release(options.data)
        self.pairs, self.gold = _labelled(split.test, options.pairs)
        self.train = _labelled(split.train, _TRAIN)
        self.dev = _labelled(split.dev, _DEV)
        self.direct, self.twins = written.direct("test"), written.twins("test")

    def others(self) -> list[list[tuple[str, str]]]:
        """The pairs that are read for their labels alone: direct replies, either question of the twins."""
        return [
            [(case.question, case.reply) for case in self.direct],
            [(twin.question_a, twin.reply) for twin in self.twins],
            [(twin.question_b, twin.reply) for twin in self.twins],
        ]


def run(options: Options, progress: Progress = lambda sentence: None) -> list[Score]:
    """The table, a row per rival; `progress` is told what is being done, and in a sentence what is left out."""
    cases = Cases(options)
    scores: list[Score] = []
    bundle_speed: float | None = None
    with tempfile.TemporaryDirectory(prefix="meant-speed-") as folder:
        for row in _rows(options, cases, Path(folder), progress):
            progress(f"Measuring: {row.name}.")
            if (busy := _busy()) > _DISTURBED:
                progress(f"Other programs keep {busy:.1f} cores busy: these speeds are too low, measure again later.")
            try:
                found = _measured(row, options, cases)
            except MeantError as error:
                if row.name == SHIPPED:  # what all others are set against
                    raise
                progress(f"Left out: {row.name}. {error}")
                continue
            if row.name == SHIPPED:
                bundle_speed = found["pairs/s"]
            scores += _scores(row, found, cases, options.threads, bundle_speed)
    if not scores:
        raise MeantError("No rival could be measured: the sentences above say why.")
    return scores


def _rows(options: Options, cases: Cases, work: Path, progress: Progress) -> Iterator[_Row]:
    threads, bundle = options.threads, str(Bundle.load(options.bundle).folder)
    shipped = Bundle.load(options.bundle).name
    yield _Row(SHIPPED, "shipped", {"threads": threads, "bundle": bundle}, shipped)
    pipeline = {
        "threads": threads, "bundle": bundle, "checkpoint": options.checkpoint, "folder": str(work / "restored"),
        "pairs": cases.dev[0][:_CHECKED],
    }  # fmt: skip
    model = _short(options.checkpoint) if options.checkpoint else f"{shipped}:restored"
    yield _Row(PIPELINE, "pipeline", pipeline, model, prepares=True)
    if options.nli:
        yield _Row(
            INFERENCE, "entailment", {"threads": threads, "nli": options.nli}, _short(options.nli), prepares=True
        )
    else:
        progress(f"Left out: {INFERENCE}. Give an encoder tuned on inference (a run of  meant train nli) as --nli.")
    if options.embedder:
        embeddings = {
            "threads": threads, "embedder": options.embedder, "folder": str(work / "embeddings"),
            "train": cases.train[0], "train_gold": cases.train[1], "dev": cases.dev[0], "dev_gold": cases.dev[1],
        }  # fmt: skip
        yield _Row(EMBEDDINGS, "embeddings", embeddings, _short(options.embedder), prepares=True)
    else:
        progress(f"Left out: {EMBEDDINGS}. Give a sentence encoder (a folder or hub id) as --embedder.")
    yield _Row(WHOLE, "whole", {}, "none")
    yield _Row(ANYWHERE, "keywords", {}, "none")


def _measured(row: _Row, options: Options, cases: Cases) -> dict[str, Any]:
    arguments = row.arguments
    if row.prepares:
        arguments = _process({"rival": row.module, "do": "prepare", "arguments": dict(arguments)}, options.threads)
    task = {"rival": row.module, "arguments": dict(arguments), "pairs": cases.pairs, "singles": _SINGLES}
    found = _process(task | {"do": "measure", "others": cases.others()}, options.threads)
    first = task | {"do": "first", "pairs": cases.pairs[:1]}
    found["first reading s"] = median(_process(first, options.threads)["seconds"] for _ in range(_STARTS))
    return found


def _process(task: Mapping[str, Any], threads: int) -> dict[str, Any]:
    """A fresh process' answer to a task; a MeantError where it has none."""
    environment = os.environ | {name: str(threads) for name in _THREADS} | _QUIET
    command = [sys.executable, "-m", f"{__package__}.rivals"]
    text = json.dumps(dict(task) | {"started": time.monotonic()})
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, encoding="utf-8", errors="replace",
            env=environment, timeout=_LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise MeantError(f"Its process took longer than {_LONGEST} seconds: measure fewer --pairs.") from None
    try:
        result: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1][:200]
        raise MeantError(f"Its process ended with code {done.returncode} and no result ({last}).") from None
    if "error" in result:
        raise MeantError(result["error"])
    return result


# Every library that starts threads of its own reads one of these.
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
_QUIET = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "PYTHONIOENCODING": "utf-8"}


def _scores(row: _Row, found: Mapping[str, Any], cases: Cases, threads: int, bundle_speed: float | None) -> list[Score]:
    n, model, where = f"n:{len(cases.pairs)}", f"model:{row.model}", f"threads:{threads}"
    direct, first, second = found["others"]
    both = [a == twin.label_a and b == twin.label_b for a, b, twin in zip(first, second, cases.twins, strict=True)]
    circa_part = ("circa", "relaxed", "release:test", model)
    figures = {
        "relaxed accuracy": (accuracy(found["labels"], cases.gold), signature("acc", *circa_part, n)),
        "direct replies": (
            accuracy(direct, [case.label for case in cases.direct]),
            signature("acc", "direct", "relaxed", "test", model, f"n:{len(direct)}"),
        ),
        "twins, both right": (
            100.0 * sum(both) / len(both),
            signature("both", "twins", "relaxed", "test", model, f"n:{len(both)}"),
        ),
        "pairs/s": (found["pairs/s"], signature("pairs/s", *circa_part, n, where)),
        "p50 ms": (found["p50 ms"], signature("p50:ms", *circa_part, f"n:{found['singles']}", where)),
        "first reading s": (found["first reading s"], signature("first:s", *circa_part, f"starts:{_STARTS}", where)),
        "memory MB": (found["memory MB"], signature("peak:MB", *circa_part, n, where)),
    }
    if bundle_speed:
        ratio = found["pairs/s"] / bundle_speed
        figures["pairs/s against the bundle"] = ratio, signature("ratio", *circa_part, n, where)
    must = MUST if row.name == SHIPPED else {}
    return [
        Score(
            "speed",
            row.name,
            measure,
            value,
            line,
            must=must.get(measure, (None, None))[0],
            aim=must.get(measure, (None, None))[1],
        )
        for measure, (value, line) in figures.items()
    ]


def _busy(seconds: float = 0.5) -> float:
    """Cores in use while this process sleeps: what other programs take away (0 where the system does not tell)."""
    before = _ticks()
    time.sleep(seconds)
    after = _ticks()
    if before is None or after is None:
        return 0.0
    return (after - before) / os.sysconf("SC_CLK_TCK") / seconds


def _ticks() -> int | None:
    try:
        user, nice, system = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:4]
    except (OSError, ValueError):
        return None
    return int(user) + int(nice) + int(system)


def _labelled(rows: Sequence[circa.Row], most: int) -> tuple[list[tuple[str, str]], list[str]]:
    """The first rows that have a relaxed label: their pairs, and the labels."""
    kept = [(row, label) for row in rows if (label := row.gold(RELAXED))][:most]
    return [(row.question, row.reply) for row, _ in kept], [label for _, label in kept]


def _short(model: str) -> str:
    """A folder's own name, or a hub id: a signature should not depend on where somebody keeps a folder."""
    return Path(model).resolve().name if Path(model).is_dir() else model
