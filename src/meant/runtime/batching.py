"""Batching: many pairs to logits, each pair in a run of its own, several runs side by side.

Why not pack pairs into padded batches? An int8 model with dynamic quantisation takes the scale of its activations
from the whole batch, so a pair's probabilities would depend on the pairs that happen to stand beside it. With one
pair a run, a reading is the same to the last bit alone, in a file and on any number of threads, nothing is padded,
and on two cores it costs less than a tenth of the speed of the best batch size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from tokenizers import Tokenizer

from ..errors import InputError
from .session import Session


class Logits(NamedTuple):
    """One row per pair, and whether the pair was cut to the model's length."""

    rows: np.ndarray
    cut: list[bool]


class Batching:
    """Pairs of texts in, logits of one output out, in the order of the pairs."""

    def __init__(self, session: Session, tokenizer: bytes, max_length: int, output: str, threads: int) -> None:
        self._session = session
        self._tokenizer = _tokenizer(tokenizer, max_length)
        self._output = output
        self._threads = threads

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """The logits of each pair."""
        if len(pairs) < 2 or self._threads == 1:
            return _stack(map(self._one, pairs))
        # A pool for each call: it costs a tenth of a millisecond, and leaves nothing behind to pickle, fork or close.
        with ThreadPoolExecutor(min(self._threads, len(pairs))) as pool:
            return _stack(pool.map(self._one, pairs))

    def _one(self, pair: tuple[str, str]) -> tuple[np.ndarray, bool]:
        encoding = self._tokenizer.encode(*pair)
        arrays = {
            "input_ids": np.array([encoding.ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(encoding.ids)), dtype=np.int64),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        return self._session.run(self._output, arrays)[0], bool(encoding.overflowing)


def _stack(results: Iterable[tuple[np.ndarray, bool]]) -> Logits:
    listed = list(results)
    return Logits(np.array([row for row, _ in listed], dtype=np.float64), [cut for _, cut in listed])


def _tokenizer(source: bytes, max_length: int) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_buffer(source)
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length, strategy="longest_first")
    except Exception:  # the library raises bare Exceptions
        raise InputError("The bundle's tokenizer.json is not a tokenizer: copy the bundle again.") from None
    return tokenizer
