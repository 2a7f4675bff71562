"""A word list for the whole reply: what confirmation prompts do that compare the reply with a few synonyms.

Such a prompt asks again when nothing matches, so no match counts as `middle`. The question plays no part.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import Arguments, Pair

YES = frozenset({"yes", "y", "yeah", "yep", "yup", "sure", "ok", "okay", "of course", "correct", "true", "yes please"})
NO = frozenset({"no", "n", "nope", "nah", "never", "not really", "false", "no thanks", "no way", "no thank you"})


class Reader:
    """Looks the reply up, in lower case and without the stops around it."""

    def __init__(self, arguments: Arguments) -> None:
        pass

    def read(self, pairs: Sequence[Pair]) -> list[str]:
        """A relaxed label for each pair."""
        return [_label(reply.lower().strip(" \t\r\n.,!?;:'\"")) for _, reply in pairs]


def _label(reply: str) -> str:
    return "yes" if reply in YES else "no" if reply in NO else "middle"
