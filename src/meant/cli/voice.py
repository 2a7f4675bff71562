"""Voice: what a command says beside its output."""

from __future__ import annotations

import sys
from contextlib import suppress


def say(sentence: str) -> None:
    """A line on stderr, at once; a full disk behind it stops no work and changes no exit code."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)
