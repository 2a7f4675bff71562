from __future__ import annotations

import json
from pathlib import Path

import pytest

from meant.corpora import clinc
from meant.errors import InputError


def lay(data: Path, content: bytes) -> Path:
    (data / "clinc-oos").mkdir()
    (data / "clinc-oos" / "data_full.json").write_bytes(content)
    return data


def test_what_could_answer_a_question_is_left_out_and_so_are_dev_and_test(tmp_path: Path) -> None:
    parts = {
        "train": [["book a flight", "book_flight"], ["that is right", "yes"], ["i am not sure", "maybe"]],
        "oos_train": [["how tall is the moon", "oos"]],
        "val": [["book a hotel", "book_hotel"]],
        "test": [["play jazz", "play_music"]],
    }
    data = lay(tmp_path, json.dumps(parts).encode())
    assert clinc.off_topic(data) == ["book a flight", "how tall is the moon"]


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b"\xff", b'{"train": [["one cell"]], "oos_train": []}', b'{"train": 1, "oos_train": 2}'],
)
def test_another_file_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="is not CLINC150's data_full.json"):
        clinc.off_topic(lay(tmp_path, content))


def test_the_corpus_has_fourteen_thousand_utterances_that_answer_nothing(clinc_data: Path) -> None:
    utterances = clinc.off_topic(clinc_data)
    assert len(utterances) == (150 - 9) * 100 + 100
    assert all(utterance.strip() for utterance in utterances)
