"""Other ways to read a reply, each measured in a process of its own by `meant bench speed`.

A rival is a module here with a class `Reader`: made out of the arguments of its row, it gives relaxed labels for
pairs. A module with a function `prepare` has work to do beforehand (weights to restore, a classifier to fit), which
runs in yet another process, so that neither its time nor its memory counts as reading. Nothing is imported here: what
a process loads is what its rival needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Pair = tuple[str, str]
Arguments = Mapping[str, Any]


class Reader(Protocol):
    """What each rival's class can do."""

    def __init__(self, arguments: Arguments) -> None: ...

    def read(self, pairs: Sequence[Pair]) -> list[str]:
        """A relaxed label for each (question, reply)."""
        ...


class Module(Protocol):
    """What each rival's module holds."""

    Reader: type[Reader]

    def prepare(self, arguments: Arguments) -> dict[str, Any]:
        """Do what comes before reading; the arguments that `Reader` then takes."""
        ...
