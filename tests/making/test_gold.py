from __future__ import annotations

import pytest

from meant.making.gold import relaxed_gold, strict_gold


@pytest.mark.parametrize(
    ("marks", "strict", "relaxed"),
    [
        (["yes"] * 5, "yes", "yes"),
        (["yes", "yes", "yes", "no", "no"], "yes", "yes"),
        (["yes", "yes", "no", "no", "middle"], None, None),
        (["yes", "yes", "probably yes", "no", "no"], None, "yes"),
        (["probably no", "probably no", "probably no", "yes", "yes"], "probably no", "no"),
        (["unsure", "unsure", "unsure", "yes", "yes"], "unsure", "middle"),
        (["unsure", "middle", "middle", "yes", "no"], None, "middle"),
        (["other", "other", "other", "yes", "no"], "other", "other"),
        (["conditional yes", "conditional yes", "yes", "yes", "probably yes"], None, "yes"),
        (["yes", "yes", "yes", "no"], "yes", "yes"),  # four marks need three as well
        (["yes", "yes", "no", "no"], None, None),
        (["yes", "yes", "no", "middle"], None, None),
    ],
)
def test_gold_is_what_three_annotators_chose(marks: list[str], strict: str | None, relaxed: str | None) -> None:
    assert (strict_gold(marks), relaxed_gold(marks)) == (strict, relaxed)
    assert (strict_gold(marks[::-1]), relaxed_gold(marks[::-1])) == (strict, relaxed)


def test_another_majority_may_be_asked_for() -> None:
    marks = ["yes", "yes", "yes", "no", "probably no"]
    assert [strict_gold(marks, majority) for majority in (3, 4)] == ["yes", None]
    assert relaxed_gold(["no", "no", "probably no", "probably no", "yes"], 4) == "no"
