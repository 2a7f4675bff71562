"""Interpreter: the front door. Loads a bundle, takes pairs or columns, gives Readings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from . import text
from .errors import InputError
from .explanation import Explanation, Word
from .labels import HEAD, Scheme, scheme_named
from .reading import Reading
from .runtime.batching import Batching
from .runtime.bundle import ENVIRONMENT, MODEL, TOKENIZER, Bundle
from .runtime.session import Session, available_cores
from .tasks import replies

_CHUNK = 256  # pairs that `stream` holds at a time
_WORD = re.compile(r"\S+")


class Interpreter:
    """Reads replies to yes/no questions.

    `bundle` is a bundle's folder (None: what MEANT_BUNDLE names, or else the one that ships), `threads` how many
    readings run at the same time (None: one for each available core). One Interpreter serves any number of threads,
    and can be pickled: what travels is its arguments, and the other side loads the bundle again.
    """

    def __init__(self, bundle: str | os.PathLike[str] | None = None, threads: int | None = None) -> None:
        if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 1):
            raise InputError(f"threads should be a whole number from 1 up, not {threads!r}.")
        # An Interpreter that travels to another process reads there with the same bundle, whatever is set there.
        self._arguments = {"bundle": bundle or os.environ.get(ENVIRONMENT) or None, "threads": threads}
        self.bundle = Bundle.load(bundle)
        self._head = self.bundle.head(replies.TASK)
        if set(self._head.labels) != set(HEAD):
            raise InputError(f"{self.bundle.folder} has other labels than {', '.join(HEAD)}: export the bundle anew.")
        session = Session(self.bundle.contents(MODEL), str(self.bundle.folder / MODEL))
        session.check(self._head.output, len(self._head.labels))
        self._batching = Batching(
            session,
            self.bundle.contents(TOKENIZER),
            self.bundle.max_length,
            self._head.output,
            threads or available_cores(),
        )

    def read(self, pairs: Iterable[Sequence[str]], scheme: str | Scheme = "strict") -> list[Reading]:
        """A Reading for each (question, reply), in order."""
        return list(self.stream(pairs, scheme))

    def stream(self, pairs: Iterable[Sequence[str]], scheme: str | Scheme = "strict") -> Iterator[Reading]:
        """As `read`, but taking pairs and giving Readings a few hundred at a time, in constant memory."""
        scheme = scheme_named(scheme)
        return self._stream(_pairs(pairs), scheme)

    def _stream(self, pairs: Iterator[replies.Pair], scheme: Scheme) -> Iterator[Reading]:
        while True:
            chunk: list[replies.Pair] = []
            wrong: InputError | None = None
            try:
                for pair in islice(pairs, _CHUNK):
                    chunk.append(pair)  # not `extend`: what came before an error must stay
            except InputError as error:  # the rows before the wrong one are read all the same
                wrong = error
            yield from self.read_clean(chunk, scheme)
            if wrong is not None:
                raise wrong
            if len(chunk) < _CHUNK:
                return

    def read_clean(self, pairs: Sequence[replies.Pair], scheme: str | Scheme = "strict") -> list[Reading]:
        """A Reading for each pair that `tasks.replies.clean` gave."""
        if not pairs:
            return []
        logits = self._batching.logits([(pair.question, pair.reply) for pair in pairs])
        cut = [pair.cut or model for pair, model in zip(pairs, logits.cut, strict=True)]
        return replies.readings(logits.rows, scheme, self._head.temperature, head=self._head.labels, cut=cut)

    def explain(self, question: str, reply: str, scheme: str | Scheme = "strict") -> Explanation:
        """The reading of one reply, and for each of its words how much the label's probability falls without it.

        Words beyond the model's length, which it never sees, are left out of the explanation.
        """
        whole = replies.clean(question, reply)
        words = list(islice(_WORD.finditer(reply), 2 * self.bundle.max_length))
        found, seen = words[: self.bundle.max_length], reply[: words[-1].end()]  # no word beyond can be seen
        shorter = [text.clean(seen[: word.start()] + seen[word.end() :]) for word in found]
        pairs = [whole, *(replies.Pair(whole.question, rest) for rest in shorter)]
        reading, *others = self.read_clean(pairs, scheme)
        falls = [reading.confidence - other.probabilities[reading.label] for other in others]
        told = (Word(word.group(), word.start(), word.end(), fall) for word, fall in zip(found, falls, strict=True))
        return Explanation(question, reply, reading, tuple(told))

    def __call__(self, batch: Mapping[str, Any], scheme: str | Scheme = "strict", prefix: str = "") -> dict[str, Any]:
        """Columns in, the same columns and the readings' out.

        Takes what Ray Data and `DataFrame.to_dict("list")` give, a DataFrame or an Arrow table: a mapping with the
        columns `question` and `reply` (or `answer`). Adds `label`, `confidence`, `probabilities`, `other` and
        `warning`; where the batch has such a column already, give a `prefix` for the new names.
        """
        columns = _columns(batch)
        reply = "reply" if "reply" in columns else "answer"
        readings = self.read(zip(columns["question"], columns[reply], strict=True), scheme)
        added = {
            "label": [reading.label for reading in readings],
            "confidence": np.array([reading.confidence for reading in readings], dtype=np.float64),
            "probabilities": [reading.probabilities for reading in readings],
            "other": np.array([reading.other for reading in readings], dtype=np.float64),
            "warning": [reading.warning for reading in readings],
        }
        named = {prefix + name: column for name, column in added.items()}
        if clash := [name for name in named if name in columns]:
            raise InputError(f"The batch has a column {clash[0]!r} already: give a prefix, such as prefix='meant.'.")
        return columns | named

    def __getstate__(self) -> dict[str, Any]:
        return self._arguments

    def __setstate__(self, arguments: dict[str, Any]) -> None:
        self.__init__(**arguments)  # type: ignore[misc]


def _pairs(pairs: Iterable[Sequence[str]]) -> Iterator[replies.Pair]:
    if isinstance(pairs, str | bytes | Mapping) or not isinstance(pairs, Iterable):
        raise InputError(f"Give (question, reply) pairs, such as a list of tuples, not a {type(pairs).__name__}.")
    return (_pair(pair, number) for number, pair in enumerate(pairs, 1))


def _pair(pair: object, number: int) -> replies.Pair:
    if isinstance(pair, str | bytes | Mapping) or not isinstance(pair, Iterable):
        raise InputError(f"Row {number} is a {type(pair).__name__}, not a (question, reply) pair.")
    fields = list(islice(pair, 3))
    if len(fields) != 2:
        count = "more than two" if len(fields) == 3 else len(fields)
        raise InputError(f"Row {number} has {count} fields, not the two of a (question, reply) pair.")
    return replies.clean(fields[0], fields[1], f"Row {number}")


def _columns(batch: Mapping[str, Any]) -> dict[str, Any]:
    if hasattr(batch, "to_pydict"):  # an Arrow table or record batch
        batch = batch.to_pydict()
    if not hasattr(batch, "keys"):
        raise InputError(f"A batch is a mapping of columns, or an Arrow table, not a {type(batch).__name__}.")
    columns = {str(name): batch[name] for name in batch.keys()}  # noqa: SIM118 (a DataFrame iterates differently)
    if "question" not in columns or not {"reply", "answer"} & set(columns):
        missing = "reply" if "question" in columns else "question"
        raise InputError(f"The batch has no column {missing!r}, only {', '.join(columns) or 'none'}: rename one.")
    if texts := [name for name in columns if isinstance(columns[name], str | bytes)]:
        raise InputError(f"The column {texts[0]!r} is a text: give a list of texts, even for a single row.")
    for name in {"question", "reply", "answer"} & set(columns):
        if hasattr(columns[name], "to_pylist"):  # an Arrow array, whose values are no texts yet
            columns[name] = columns[name].to_pylist()
    try:
        lengths = {name: len(column) for name, column in columns.items()}
    except TypeError:
        raise InputError("Each column of a batch should be a list or an array, even for a single row.") from None
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"The columns of a batch should be equally long, not {told}.")
    return columns
