from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from meant import InputError, MeantError
from meant.labels import HEAD
from meant.runtime.session import INPUTS, Session, available_cores


@pytest.fixture(scope="module")
def session(bundle: Path) -> Session:
    return Session((bundle / "model.onnx").read_bytes())


def arrays(*ids: int) -> dict[str, np.ndarray]:
    row = np.array([ids], dtype=np.int64)
    return {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}


def test_a_row_of_tokens_gives_a_row_of_logits(session: Session) -> None:
    assert session.run("replies", arrays(101, 2748, 102)).shape == (1, len(HEAD))


def test_the_graph_gets_only_what_it_asks_for(session: Session) -> None:
    assert set(session.inputs) <= set(INPUTS)


def test_the_same_tokens_give_the_same_bits(session: Session) -> None:
    first = session.run("replies", arrays(101, 2748, 102))
    assert all((session.run("replies", arrays(101, 2748, 102)) == first).all() for _ in range(20))


def test_tokens_beyond_the_vocabulary_are_a_failure_in_a_sentence(session: Session) -> None:
    with pytest.raises(MeantError, match="The model failed on a row"):
        session.run("replies", arrays(10**9))


@pytest.mark.parametrize("model", [b"", b"rubbish", b"\x08\x08" * 100])
def test_a_file_that_is_no_model_is_a_sentence(model: bytes) -> None:
    with pytest.raises(InputError, match="is not a model"):
        Session(model)


def test_an_output_of_another_width_is_a_sentence(session: Session) -> None:
    session.check("replies", len(HEAD))
    with pytest.raises(InputError, match="no output 'acts'"):
        session.check("acts", 7)


def test_there_is_at_least_one_core() -> None:
    assert available_cores() >= 1
