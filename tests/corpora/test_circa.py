from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from meant.corpora import circa
from meant.corpora.circa import Row
from meant.errors import InputError
from meant.labels import MARKS, RELAXED, STRICT

HEADER = "\t".join(circa.COLUMNS)
LINE = "0\tfriends\tHungry?\tI am hungry .\tI just ate.\tNo#No#No#Probably no#Yes\tNo\tNo"


def file_of(folder: Path, content: str | bytes) -> Path:
    path = folder / circa.FILE
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def ids(rows: list[Row]) -> list[int]:
    return [row.id for row in rows]


# The official file.


def test_the_file_is_the_official_one(circa_data: Path) -> None:
    assert hashlib.sha256((circa_data / "circa" / circa.FILE).read_bytes()).hexdigest() == circa.SHA256


def test_both_gold_labels_recomputed_from_the_marks_are_the_published_ones_in_every_row(circa_data: Path) -> None:
    read = circa.read(circa_data / "circa" / circa.FILE)
    assert len(read) == 34_268
    assert [(row.id, row.strict, row.relaxed) for row, _ in read] == [
        (row.id, strict, relaxed) for row, (strict, relaxed) in read
    ]


def test_ids_run_from_0_in_file_order(rows: list[Row]) -> None:
    assert ids(rows) == list(range(34_268))


def test_twenty_mangled_rows_are_mended(rows: list[Row]) -> None:
    mended = [row for row in rows if row.mangled]
    assert Counter(row.question for row in mended) == {
        "Do you answer phones for your work?": 10,
        "Have you had to answer phones?": 10,
    }
    assert rows[940].reply == "I have an assistant for that."
    assert rows[10496].reply == "That's the secretary's job."
    assert not any('"' in row.question + row.reply for row in mended)
    # What was mended says what the untouched statement says.
    assert {row.statement for row in mended} == {"I answer phones for my work .", "I have had to answer phones ."}


def test_no_other_row_has_a_question_that_was_cut(rows: list[Row]) -> None:
    assert not [row for row in rows if row.question in ("Do y", "Have you had")]
    assert not [row for row in rows if '","' in row.reply or '":"' in row.reply]


def test_twenty_rows_have_four_marks_and_the_others_five(rows: list[Row]) -> None:
    assert Counter(len(row.marks) for row in rows) == {5: 34_248, 4: 20}


def test_the_totals_of_the_marks(rows: list[Row]) -> None:
    totals = Counter(mark for row in rows for mark in row.marks)
    assert totals == {
        "yes": 70_213, "no": 51_876, "conditional yes": 13_778, "probably yes": 12_184, "probably no": 11_032,
        "middle": 6_958, "unsure": 2_918, "other": 2_361,
    }  # fmt: skip
    assert set(totals) == set(MARKS)


def test_the_counts_of_the_gold_labels(rows: list[Row]) -> None:
    assert Counter(row.strict for row in rows) == {
        "yes": 14_504, "no": 10_829, None: 2_743, "conditional yes": 2_583, "probably yes": 1_244,
        "probably no": 1_160, "middle": 638, "other": 504, "unsure": 63,
    }  # fmt: skip
    assert Counter(row.relaxed for row in rows) == {
        "yes": 16_628, "no": 12_833, "conditional yes": 2_583, "middle": 949, None: 771, "other": 504,
    }  # fmt: skip


def test_other_unsure_and_no_majority_are_gold_in_neither_scheme(rows: list[Row]) -> None:
    for scheme in (STRICT, RELAXED):
        assert {row.gold(scheme) for row in rows} == {*scheme.labels, None}
    assert sum(row.gold("strict") is None for row in rows) == 2_743 + 504 + 63
    assert sum(row.gold("relaxed") is None for row in rows) == 771 + 504


def test_the_texts_are_whole(rows: list[Row]) -> None:
    assert all(row.question.strip() and row.reply.strip() for row in rows)
    assert len({row.question for row in rows}) in range(3_340, 3_350)  # 3,345 before the mangled ones are mended
    assert len(circa.contexts(rows)) == 10


# Its splits.


@pytest.mark.parametrize(("scheme", "sizes"), [("relaxed", (19_795, 6_599, 6_599)), ("strict", (18_574, 6_192, 6_192))])
def test_the_papers_matched_setting_has_its_sizes(circa_data: Path, scheme: str, sizes: tuple[int, ...]) -> None:
    split = circa.paper(scheme, 0, circa_data)
    assert split.name == "paper:0"
    assert (len(split.train), len(split.dev), len(split.test)) == sizes
    together = ids(split.train) + ids(split.dev) + ids(split.test)
    assert len(set(together)) == sum(sizes)
    assert all(row.gold(scheme) for row in split.train + split.dev + split.test)


def test_the_same_seed_gives_the_same_split_and_another_seed_another(circa_data: Path) -> None:
    first, again, other = (circa.paper("strict", seed, circa_data) for seed in (3, 3, 4))
    assert first == again
    assert set(ids(first.test)) != set(ids(other.test))


def test_the_papers_split_is_that_permutation_of_the_rows_in_file_order(circa_data: Path, rows: list[Row]) -> None:
    kept = [row for row in rows if row.gold("relaxed")]
    order = np.random.RandomState(1).permutation(len(kept))
    split = circa.paper("relaxed", 1, circa_data)
    assert split.train + split.dev + split.test == [kept[i] for i in order]


def test_release_permutes_all_rows_and_cuts_them_in_three(circa_data: Path) -> None:
    split = circa.release(circa_data)
    assert (len(split.train), len(split.dev), len(split.test)) == (20_560, 6_854, 6_854)
    together = ids(split.train) + ids(split.dev) + ids(split.test)
    assert together == np.random.RandomState(0).permutation(34_268).tolist()


def test_both_schemes_share_the_parts_of_release(circa_data: Path) -> None:
    relaxed, strict = (circa.split_named("release", scheme, circa_data) for scheme in ("relaxed", "strict"))
    assert relaxed == strict
    assert any(row.strict is None for row in relaxed.train)


@pytest.mark.parametrize(("scheme", "ks"), [("relaxed", range(10)), ("strict", (0, 9))])
def test_a_scenario_is_the_test_part_and_a_ninth_of_the_others_dev(
    circa_data: Path, rows: list[Row], scheme: str, ks: Sequence[int]
) -> None:
    labelled = [row for row in rows if row.gold(scheme)]
    contexts = circa.contexts(rows)
    tested: list[int] = []
    for k in ks:
        split, context = circa.scenario(scheme, k, circa_data), contexts[k]
        assert {row.context for row in split.test} == {context}
        assert context not in {row.context for row in split.train + split.dev}
        rest = len(labelled) - len(split.test)
        assert len(split.dev) == rest // 9
        assert sorted(ids(split.train + split.dev + split.test)) == ids(labelled)
        tested += ids(split.test)
    assert sorted(tested) == [row.id for row in labelled if row.context in {contexts[k] for k in ks}]


@pytest.mark.parametrize(
    ("name", "given"),
    [("release", "release"), ("paper:2", "paper:2"), ("paper", "paper:0"), ("scenario:9", "scenario:9")],
)
def test_a_signatures_name_gives_its_split(circa_data: Path, name: str, given: str) -> None:
    assert circa.split_named(name, "relaxed", circa_data).name == given


@pytest.mark.parametrize(
    "name",
    ["", "papers", "release:1", "paper:-1", "paper:one", "paper:1.5", "scenario: 3", "Release", "paper:" + "9" * 5000],
)
def test_a_name_of_no_split_is_a_sentence_with_the_names_there_are(name: str) -> None:
    with pytest.raises(InputError, match="There is no split .{,50}: say release, paper:SEED or scenario:K"):
        circa.split_named(name)


@pytest.mark.parametrize("name", ["paper:4294967296", "paper:9999999999"])
def test_a_seed_that_the_generator_cannot_take_is_a_sentence(circa_data: Path, name: str) -> None:
    with pytest.raises(InputError, match="seed is a whole number from 0 to 4294967295"):
        circa.split_named(name, "strict", circa_data)


@pytest.mark.parametrize("k", [-1, 10])
def test_an_eleventh_scenario_is_a_sentence(circa_data: Path, k: int) -> None:
    with pytest.raises(InputError, match=f"no scenario {k}: they are numbered 0 to 9"):
        circa.scenario("strict", k, circa_data)


def test_an_unknown_scheme_is_a_sentence(circa_data: Path) -> None:
    with pytest.raises(InputError, match="no scheme 'loose'"):
        circa.split_named("paper:0", "loose", circa_data)


def test_a_part_is_had_by_name() -> None:
    row = Row(0, "", "q", "", "r", ("yes",) * 5)
    split = circa.Split("paper:0", [row], [], [row, row])
    assert [len(split.part(name)) for name in ("train", "dev", "test")] == [1, 0, 2]


@pytest.mark.parametrize("name", ["name", "validation", ""])
def test_a_part_that_is_none_is_a_sentence(name: str) -> None:
    with pytest.raises(InputError, match="There is no part .*: choose one of train, dev, test"):
        circa.Split("paper:0", [], [], []).part(name)


# Files that are not it.


def test_a_small_file_is_read(tmp_path: Path) -> None:
    ((row, published),) = circa.read(file_of(tmp_path, f"{HEADER}\n{LINE}\n"))
    assert row == Row(0, "friends", "Hungry?", "I am hungry .", "I just ate.", ("no", "no", "no", "probably no", "yes"))
    assert published == ("no", "no")


def test_the_last_line_may_lack_its_end(tmp_path: Path) -> None:
    assert len(circa.read(file_of(tmp_path, f"{HEADER}\n{LINE}\n{LINE}"))) == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (f"{HEADER}\n".encode() + b"0\t\xff\n", "is not UTF-8 text"),
        (f"{HEADER}\n{LINE}\n".encode("utf-16"), "is not UTF-8 text"),
        ("", "first line should name the columns id, context"),
        (f"{LINE}\n", "is not a Circa file"),
        (f"{HEADER.replace('id', 'number')}\n{LINE}\n", "is not a Circa file"),
        (f"\ufeff{HEADER}\n{LINE}\n", "is not a Circa file"),
        (f"{HEADER}\n{LINE}\nonly\ttwo\n", "line 3: 2 cells where a Circa file has 8"),
        (f"{HEADER}\n{LINE}\textra\n", "line 2: 9 cells"),
        (f"{HEADER}\n{LINE}\n\n{LINE}\n", "line 3: 1 cells"),
        (f"{HEADER}\n{LINE.replace('Probably no', 'Perhaps')}\n", "line 2: 'Perhaps' is not something"),
        (f"{HEADER}\n{LINE.replace('No#No#No#Probably no#Yes', '')}\n", "line 2: '' is not something"),
        (f"{HEADER}\n{LINE[:-2]}Never\n", "line 2: 'Never' is not something"),
        (f"{HEADER}\nx{LINE}\n", "line 2: .*'x0'.* is not something"),
        (f"{HEADER}\n{LINE.replace('Hungry?', 'Do y')}\n", "line 2: question and reply are cut"),
    ],
)
def test_a_file_that_is_something_else_is_a_sentence(tmp_path: Path, content: str | bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        circa.read(file_of(tmp_path, content))


@pytest.mark.parametrize("load", [circa.load, circa.release, lambda data: circa.paper("strict", 0, data)])
def test_a_missing_corpus_is_a_sentence_that_says_how_to_get_it(tmp_path: Path, load: Callable[[Path], object]) -> None:
    with pytest.raises(InputError, match=r"not at .*circa-data.tsv: run  meant corpus fetch circa  or set MEANT_DATA"):
        load(tmp_path)
