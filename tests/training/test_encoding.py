from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs PyTorch (meant[train])")

from transformers import AutoTokenizer  # noqa: E402

from meant.training.encoding import Encoded  # noqa: E402

PAIRS = [("Hungry?", "I just ate."), ("Do you like opera at all?", "I hum it all day. " * 20), ("👍?", "Yesssss\u200b")]


@pytest.fixture(scope="module")
def tokenizer(base: Path) -> Any:
    return AutoTokenizer.from_pretrained(base)


def test_pairs_are_padded_to_the_longest_that_is_asked_for(tokenizer: Any) -> None:
    encoded = Encoded(tokenizer, PAIRS, 40)
    assert encoded.lengths[1] == 40 and encoded.lengths[0] < 16
    short = encoded.tensors([0], "cpu")
    assert short["input_ids"].shape == (1, -(-encoded.lengths[0] // 8) * 8)
    both = encoded.tensors([1, 0], "cpu")
    assert both["input_ids"].shape == (2, 40)
    assert both["attention_mask"].sum(1).tolist() == [40, encoded.lengths[0]]
    length = encoded.lengths[0]
    assert both["input_ids"][1, :length].tolist() == short["input_ids"][0, :length].tolist()
    assert set(both["input_ids"][1, length:].tolist()) == {tokenizer.pad_token_id}


def test_texts_are_cleaned_as_the_runtime_cleans_them(tokenizer: Any) -> None:
    encoded = Encoded(tokenizer, PAIRS, 40)
    assert tokenizer.decode(encoded.ids[2]) == "[CLS] thumbs up? [SEP] yess [SEP]"


def test_the_second_text_has_the_second_type(tokenizer: Any) -> None:
    encoded = Encoded(tokenizer, PAIRS[:1], 40)
    types = encoded.tensors([0], "cpu")["token_type_ids"][0, : encoded.lengths[0]].tolist()
    assert types == [0] * types.count(0) + [1] * types.count(1) and types.count(1) > 3


def test_a_model_without_types_is_given_none(base_without_types: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base_without_types)
    assert set(Encoded(tokenizer, PAIRS, 40).tensors([0, 1], "cpu")) == {"input_ids", "attention_mask"}
