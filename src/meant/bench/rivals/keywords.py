"""A word list for anywhere in the reply: what rule-based intents do that search a reply for key words.

The word that stands first decides ("no, sure, go on" is a no); a reply with none of them counts as `middle`. The
question plays no part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import Arguments, Pair

_KEY = re.compile(
    r"\b(?:(?P<yes>yes|yeah|yep|yup|yea|sure|ok|okay|alright|absolutely|definitely|certainly|of course)"
    r"|(?P<no>no|not|nope|nah|never|cannot|\w+n't))\b",
    re.IGNORECASE,
)


class Reader:
    """Searches the reply."""

    def __init__(self, arguments: Arguments) -> None:
        pass

    def read(self, pairs: Sequence[Pair]) -> list[str]:
        """A relaxed label for each pair."""
        return [_label(reply) for _, reply in pairs]


def _label(reply: str) -> str:
    found = _KEY.search(reply.replace("’", "'"))
    return (found.lastgroup or "middle") if found else "middle"
