"""The model card of a bundle: made of its bundle.json and of measured figures, nothing typed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..tasks import replies
from . import report
from .scores import Score

PAGE = """# Model card: {name} {version}

What it is: {base}, fine-tuned to read what a reply means as an answer to a yes/no question. Weights: {precision}.
One head gives {count} labels ({labels}); the strict and the relaxed scheme are both added up from them.
It reads English, one question with one reply, at most {length} tokens together.

## What it was trained on

{sources}

Direct replies, off-topic ones, twins and opposite questions were made or written for `meant` (`meant.making`). No row
of Circa's `release` test part was trained on, and no wording of the written test cases. Teachers labelled the training
questions with replies to other questions (`meant train pairs`); the shipped model learnt from those labels.

## What it reaches

{table}

![Reliability](results/reply-reliability.png)

![Confusion](results/reply-confusion.png)

## What it is not for

- Other languages; long dialogues (it sees one question and one reply); questions that offer a choice.
- Deciding alone where a wrong "yes" does harm. Look at the probabilities and at `other`, and ask back when in doubt.
- Judging people: Circa was written by crowd workers, mostly in the USA, in ten everyday situations.
- `probably no` and `middle` are the labels it finds hardest; see the F scores above and the confusion picture.

## How it was trained

{training}
"""


def model_card(card: Mapping[str, Any], scores: Sequence[Score]) -> str:
    """The page."""
    head = card["tasks"][replies.TASK]
    return PAGE.format(
        name=card["name"],
        version=card["version"],
        base=card["base"],
        precision=card.get("precision", "int8"),
        count=len(head["labels"]),
        labels=", ".join(head["labels"]),
        length=card["max_length"],
        sources="\n".join(f"- {source['name']}: {source['licence']}" for source in card.get("sources", [])),
        table=report.markdown(scores),
        training="\n".join(f"- {key}: {_told(value)}" for key, value in card.get("training", {}).items()),
    )


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_told(inner)}" for key, inner in value.items() if inner is not None)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "all"
    return str(value)
