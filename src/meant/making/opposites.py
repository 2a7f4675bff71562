"""A question turned into its opposite, with the same reply: what was a yes becomes a no.

"Do you like opera?" - "I hum it all day." is a yes; "Can't you stand opera?" is not. Only rewordings whose meaning is
plainly the other way round (a negated "Aren't you ...?" is not: its yes and no are heard both ways); a no to the one is
taken for a likely yes to the other, since there is a middle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..corpora.circa import Row
from .example import Example

_REWORDINGS = [
    (re.compile(pattern, re.IGNORECASE), opposite)
    for pattern, opposite in (
        (r"do you (?:really )?(?:like|love|enjoy) (.+)\Z", r"Do you dislike \1"),
        (r"(?:are you|would you say you're) (?:a (?:big |huge )?fan of|into|fond of) (.+)\Z", r"Do you hate \1"),
        (r"do you (?:still )?want to (.+)\Z", r"Would you rather not \1"),
        (r"(?:do you )?want to (.+)\Z", r"Would you rather not \1"),
        (r"would you (?:like|love|be willing|be interested in going) to (.+)\Z", r"Would you refuse to \1"),
        (r"do you have (?:any|a|an) (.+)\Z", r"Are you without a \1"),
        (r"do you still (.+)\Z", r"Have you stopped, so that you no longer \1"),
        (r"are you still (.+)\Z", r"Are you no longer \1"),
        (r"are you (happy|excited|comfortable|familiar) (.*)\Z", r"Are you anything but \1 \2"),
        (r"did you (?:like|enjoy|love) (.+)\Z", r"Did you dislike \1"),
        (r"is it (easy|cheap|safe|far|big|hard|quiet) (.*)\Z", r"Is it anything but \1 \2"),
    )
]
# "I don't" and "Love to" answer the question's own words: turned round, they would say the opposite.
_ECHO = re.compile(
    r"(?:\b(?:do|does|did|have|has|am|are|is|was|would|could|can|will|should|not|so|to|it|really)|n't?)\W*\Z",
    re.IGNORECASE,
)
_FLIPPED = {
    "yes": {"no": 1.0},
    "probably yes": {"no": 0.4, "probably no": 0.6},
    "no": {"yes": 0.6, "probably yes": 0.4},
    "probably no": {"yes": 0.2, "probably yes": 0.8},
}


def opposite(question: str) -> str | None:
    """The question with the opposite meaning, where one of the rewordings fits."""
    for pattern, reworded in _REWORDINGS:
        if pattern.match(question):
            return pattern.sub(reworded, question)
    return None


def opposites(rows: Sequence[Row]) -> list[Example]:
    """The rows' replies to the opposite questions, for rows that mean yes or no."""
    return [
        Example.of(turned, row.reply, _FLIPPED[row.strict])
        for row in rows
        if row.strict in _FLIPPED and not _ECHO.search(row.reply) and (turned := opposite(row.question))
    ]
