"""Text as the models see it, the same in training and in reading.

The encoders' vocabularies have no emoji and no control characters, and spell "yesssss" in pieces that depend on its
length. So an emoji is replaced by its Unicode name, whatever cannot be seen is dropped, and a letter written three
times or more is written twice.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 4000  # characters of one text that are looked at: more than any model's tokens hold

_RUN = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_PLAIN = re.compile(r"[ -~]*\Z")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "–": "-", "—": " - ", "…": "..."})

# Emoji that are younger than Unicode 14, which Python 3.11 knows: they should read alike under every Python.
_YOUNG = {
    "\U0001fa75": "light blue heart", "\U0001fa76": "grey heart", "\U0001fa77": "pink heart",
    "\U0001fae8": "shaking face", "\U0001fae9": "face with bags under eyes",
    "\U0001faf7": "leftwards pushing hand", "\U0001faf8": "rightwards pushing hand",
}  # fmt: skip
_PICTURES = range(0x1F300, 0x1FB00)  # where emoji stand, those to come among them


def clean(text: str) -> str:
    """The text without what cannot be seen, emoji by name, white space folded, at most LONGEST characters."""
    text = _folded(text)[:LONGEST]
    if not _PLAIN.match(text):
        text = unicodedata.normalize("NFC", text.translate(_QUOTES))
        text = "".join(map(_visible, text))
    return _SPACE.sub(" ", _RUN.sub(r"\1\1", text)).strip()


def is_longer(text: str) -> bool:
    """Whether `clean` left out the text's end."""
    return len(_folded(text)) > LONGEST


def _folded(text: str) -> str:
    # White space must not use up the LONGEST characters: "yes", a page of blanks, "but not today" keeps its end.
    return _SPACE.sub(" ", text).strip() if len(text) > LONGEST else text


def _visible(char: str) -> str:
    if char <= "~":
        return char if char >= " " or char in "\t\n\r" else " "
    category = unicodedata.category(char)
    if category == "So" or (category == "Cn" and ord(char) in _PICTURES):
        name = _YOUNG.get(char) or unicodedata.name(char, "emoji").lower().removesuffix(" sign").removesuffix(" symbol")
        return f" {name} "
    if category == "Sk" or char == "\ufe0f":  # skin tones and presentation selectors change no meaning
        return ""
    if category == "Cf":  # joiners, soft hyphens, marks of direction: they part no words
        return ""
    return " " if category[0] == "C" or category[0] == "Z" else char
