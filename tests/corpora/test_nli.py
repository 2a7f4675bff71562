from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from meant.corpora import nli
from meant.corpora.nli import Row
from meant.errors import InputError
from meant.labels import ENTAILMENT


def lay(data: Path, name: str, *rows: dict[str, str]) -> None:
    path = data / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def pair(number: int, label: str = "neutral", source: str = "task200") -> dict[str, str]:
    return {"premise": f"p{number}", "hypothesis": f"h{number}", "label": label, "source": source}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    lay(tmp_path, "mnli/train_subset_37k.jsonl", pair(1), pair(2, source="taxinli"), pair(3), pair(4, label="-"))
    lay(tmp_path, "snli/train_subset_73k.jsonl", pair(5, "entailment"))
    lay(tmp_path, "mnli/dev_matched.jsonl", pair(3, "contradiction"))
    return tmp_path


def test_taxinli_dev_pairs_and_rows_without_a_label_are_left_out(small: Path) -> None:
    assert nli.train(small) == [Row("p1", "h1", "neutral"), Row("p5", "h5", "entailment")]
    assert nli.matched_dev(small) == [Row("p3", "h3", "contradiction")]


def test_the_official_releases_are_taken_where_they_are(small: Path) -> None:
    official = {"sentence1": "p", "sentence2": "h", "gold_label": "entailment", "genre": "fiction"}
    lay(small, "mnli/multinli_1.0_train.jsonl", official, official | {"gold_label": "-"})
    lay(small, "snli/snli_1.0_train.jsonl", official | {"sentence1": "q"})
    assert nli.train(small) == [Row("p", "h", "entailment"), Row("q", "h", "entailment")]


def test_a_missing_part_is_a_sentence(small: Path) -> None:
    (small / "snli" / "train_subset_73k.jsonl").unlink()
    with pytest.raises(InputError, match="The snli corpus is not at .*: get it from https://nlp.stanford.edu"):
        nli.train(small)


def test_no_pair_to_train_on_is_taxinlis_or_of_dev(nli_data: Path) -> None:
    trained = {(row.premise, row.hypothesis) for row in nli.train(nli_data)}
    with (nli_data / "mnli" / "train_subset_37k.jsonl").open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    taxinli = {(row["premise"], row["hypothesis"]) for row in found if row["source"] == "taxinli"}
    kept = {(row["premise"], row["hypothesis"]) for row in found if row["source"] != "taxinli"}
    assert len(taxinli) == 2_043
    assert not trained & (taxinli - kept)
    assert not trained & {(row.premise, row.hypothesis) for row in nli.matched_dev(nli_data)}
    assert len(nli.train(nli_data)) > 100_000


def test_matched_dev_is_whole(nli_data: Path) -> None:
    assert Counter(row.label for row in nli.matched_dev(nli_data)) == dict(
        zip(ENTAILMENT, (3_479, 3_123, 3_213), strict=True)
    )
