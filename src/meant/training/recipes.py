"""What each run is trained on: examples out of corpora and recipes, chosen by a few named options."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ..corpora import circa, clinc, nli
from ..errors import InputError
from ..labels import HEAD
from ..making import votes
from ..making.direct import direct_replies, off_topic
from ..making.entailment import answered, inferences
from ..making.example import Example
from ..making.opposites import opposites
from ..making.pairs import swapped
from ..making.written import written_replies, written_twins

TOLERANCE = 0.02  # by which the figures of a target may miss 1
MOST_REST = 4000  # pairs left over that a temperature is fitted on
TEACHER_SHARE = 0.8  # of a labelled row's target, the rest being its own marks


@dataclass(frozen=True)
class ReplyData:
    """Which examples a reader of replies learns from."""

    split: str = "release"
    scheme: str = "strict"  # matters to splits that leave out rows without a gold label
    refit: bool = False  # train on dev as well, with settings that were chosen before
    target: str = "mixed"
    direct: int = 4  # direct replies per question
    off_topic: int = 1  # utterances that answer nothing, per question
    written: int = 3  # how often each example that was written by hand is met in an epoch
    opposites: bool = True  # the rows' replies to the opposite questions
    asked: int = 0  # inference pairs, asked and answered, that keep the reader looking at the question
    seed: int = 0

    def rows(self, data: str | os.PathLike[str] | None = None) -> tuple[list[circa.Row], list[circa.Row]]:
        """The rows to train on, and those to choose and calibrate on."""
        split = circa.split_named(self.split, self.scheme, data)
        return (split.train + split.dev if self.refit else split.train), split.dev


def reply_examples(
    options: ReplyData,
    data: str | os.PathLike[str] | None = None,
    pairs: Path | None = None,
    sample: int | None = None,
) -> tuple[list[Example], list[Example]]:
    """Examples to train on, and dev rows with their gold labels.

    With `pairs`, a file of labelled pairs (or `sample` of them) stands in for the rows' own marks. Where dev is trained
    on as well (`refit`), pairs that were not sampled stand in for dev: a temperature can be fitted on them.
    """
    rows, dev = options.rows(data)
    core = votes.examples(rows, options.target) if pairs is None else read_examples(pairs)
    rest: list[Example] = []
    if sample is not None and sample < len(core):
        shuffled = Random(options.seed).sample(core, len(core))
        core, rest = shuffled[:sample], shuffled[sample : sample + MOST_REST]
    return core + made_replies(rows, options, data), rest if options.refit else votes.examples(dev, "gold")


def made_replies(
    rows: Sequence[circa.Row], options: ReplyData, data: str | os.PathLike[str] | None = None
) -> list[Example]:
    """Direct replies, off-topic ones and all else that is made or written beside the corpus."""
    made: list[Example] = []
    if options.direct:
        made += direct_replies(rows, options.direct, options.seed)
    if options.off_topic:
        questions = sorted({row.question for row in rows}) * options.off_topic
        made += off_topic(questions, clinc.off_topic(data), options.seed)
    if options.opposites:
        made += opposites(rows)
    if options.asked:
        made += answered(nli.train(data), options.asked, options.seed)
    return made + (written_replies() + written_twins()) * options.written


def labelled_pairs(
    options: ReplyData, teachers: Sequence[str], extra: float, data: str | os.PathLike[str] | None = None
) -> list[Example]:
    """The rows, and `extra` swapped replies per row, labelled by the mean of the teachers."""
    from .teachers import probabilities

    rows, _ = options.rows(data)
    own = votes.examples(rows, options.target)
    pairs = [(example.question, example.reply) for example in own] + swapped(rows, extra, options.seed)
    labels = probabilities(teachers, pairs, HEAD)
    taught = [
        Example(example.question, example.reply, votes.blended(label, example.target, TEACHER_SHARE))
        for example, label in zip(own, labels, strict=False)
    ]
    strange = zip(pairs[len(own) :], labels[len(own) :], strict=True)
    return taught + [Example(question, reply, tuple(label)) for (question, reply), label in strange]


def inference_examples(data: str | os.PathLike[str] | None = None) -> tuple[list[Example], list[Example]]:
    """Inference as question and reply: the first link of a chain."""
    return inferences(nli.train(data)), inferences(nli.matched_dev(data))


def write_examples(path: Path, examples: Sequence[Example]) -> None:
    """Labelled examples as a file, so that several students can learn from one labelling."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as out:
        for example in examples:
            target = [round(share, 5) for share in example.target]
            fields = {"question": example.question, "reply": example.reply, "target": target}
            out.write(json.dumps(fields, ensure_ascii=False) + "\n")
    part.replace(path)


def read_examples(path: Path) -> list[Example]:
    """The examples of such a file."""
    examples = []
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    examples.append(_example(line))
                except ValueError as error:
                    raise _no_pairs(path, f"line {number}: {error}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from None
    if not examples:
        raise _no_pairs(path, "it is empty")
    return examples


def _no_pairs(path: Path, why: str) -> InputError:
    return InputError(f"{path} is not a file of labelled pairs ({why}): make one with  meant train pairs.")


def _example(line: bytes) -> Example:
    """One line's example; a ValueError says what is wrong with it."""
    try:
        fields: Any = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(fields, dict):
        raise ValueError("it is no JSON object")
    for name in ("question", "reply"):
        if not isinstance(fields.get(name), str):
            raise ValueError(f"it has no text {name!r}")
    target = fields.get("target")
    if not isinstance(target, list):
        raise ValueError("it has no list 'target'")
    if len(target) != len(HEAD):
        raise ValueError(f"its target has {len(target)} figures, not {len(HEAD)}")
    # Compared before they are added up: NaN is in no range, and an integer may be larger than any float.
    shares = all(isinstance(share, int | float) and 0 <= share <= 1 + TOLERANCE for share in target)
    if not shares or abs(sum(target) - 1) > TOLERANCE:
        raise ValueError("its target is not made of shares that add up to 1")
    return Example(fields["question"], fields["reply"], tuple(float(share) for share in target))
