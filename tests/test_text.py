from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meant.text import LONGEST, clean, is_longer


@pytest.mark.parametrize(
    ("given_text", "cleaned"),
    [
        ("I'd rather just go to bed.", "I'd rather just go to bed."),
        ("  two\t\nlines ", "two lines"),
        ("I’d “rather” not…", 'I\'d "rather" not...'),
        ("yesssssss", "yess"),
        ("1000 yes!!!", "1000 yes!!!"),
        ("👍", "thumbs up"),
        ("👍🏽", "thumbs up"),
        ("\U0001faf7 no", "leftwards pushing hand no"),
        ("\U0001faff", "emoji"),
        ("no\x00way\x07", "no way"),
        ("\ud800broken", "broken"),
        ("\u200b\u200e", ""),
        ("abso\u00adlutely n\u200bo", "absolutely no"),
        ("نعم", "نعم"),
        ("", ""),
    ],
)
def test_clean(given_text: str, cleaned: str) -> None:
    assert clean(given_text) == cleaned


def test_white_space_does_not_use_up_the_length() -> None:
    assert clean(" " * 1_000_000 + "no") == "no"
    assert clean("yes" + " " * 1_000_000 + "but not today") == "yes but not today"
    assert not is_longer("yes" + " " * 1_000_000 + "but not today")


def test_a_longer_text_is_cut_and_says_so() -> None:
    assert len(clean("ab" * LONGEST)) == LONGEST
    assert is_longer("ab" * LONGEST)
    assert not is_longer("a" * LONGEST)


@given(st.text(st.characters(exclude_categories=())))
def test_nothing_invisible_is_left(given_text: str) -> None:
    cleaned = clean(given_text)
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    assert cleaned.encode("utf-8").count(b"\0") == 0
