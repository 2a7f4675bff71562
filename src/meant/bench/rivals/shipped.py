"""The bundle through `Interpreter`, as a user of `meant` has it."""

from __future__ import annotations

from collections.abc import Sequence

from ...interpreter import Interpreter
from ...labels import RELAXED
from . import Arguments, Pair


class Reader:
    """The front door, with as many threads as every rival has."""

    def __init__(self, arguments: Arguments) -> None:
        self._interpreter = Interpreter(arguments["bundle"], threads=arguments["threads"])

    def read(self, pairs: Sequence[Pair]) -> list[str]:
        """A relaxed label for each pair."""
        return [reading.label for reading in self._interpreter.read(pairs, RELAXED)]
