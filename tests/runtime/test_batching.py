from __future__ import annotations

from pathlib import Path

import pytest

from meant import InputError
from meant.runtime.batching import Batching
from meant.runtime.session import Session

PAIRS = [("Hungry?", "word " * length) for length in (1, 30, 2, 9, 4)]


def batching(bundle: Path, threads: int, max_length: int = 64) -> Batching:
    session = Session((bundle / "model.onnx").read_bytes())
    return Batching(session, (bundle / "tokenizer.json").read_bytes(), max_length, "replies", threads)


def test_rows_come_back_in_the_order_of_the_pairs(bundle: Path) -> None:
    side_by_side, one_by_one = batching(bundle, 3), batching(bundle, 1)
    expected = [one_by_one.logits([pair]).rows[0].tolist() for pair in PAIRS]
    assert side_by_side.logits(PAIRS).rows.tolist() == expected


def test_pairs_beyond_the_length_are_marked_as_cut(bundle: Path) -> None:
    assert batching(bundle, 2, max_length=16).logits(PAIRS).cut == [False, True, False, False, False]


def test_no_pairs_give_no_rows(bundle: Path) -> None:
    assert len(batching(bundle, 2).logits([]).rows) == 0


def test_a_tokenizer_that_is_none_is_a_sentence(bundle: Path) -> None:
    session = Session((bundle / "model.onnx").read_bytes())
    with pytest.raises(InputError, match="not a tokenizer"):
        Batching(session, b"{}", 64, "replies", 1)
