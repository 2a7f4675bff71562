"""The process of one rival: a JSON object in on stdin, its measurements as a JSON object out on stdout.

The first reading is counted from when the parent started this process (the monotonic clock is the machine's, so the
two may be subtracted): the start of Python is part of what a user waits for.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, cast

from ...errors import MeantError
from . import Module, Pair, Reader

_WARM_UP = 20  # pairs
_PATIENCE, _FEWEST = 20.0, 30  # single readings stop after so many seconds, but not before so many readings
_LONG_ENOUGH = 2.0  # seconds of bulk reading after which no further pass is made
_PASSES = 3


def main() -> None:
    """Do what stdin asks; a failure is a sentence in the result."""
    task = json.load(sys.stdin)
    # Libraries print what they like on stdout: that goes to stderr, and the result alone to where stdout was.
    result_to = os.dup(1)
    os.dup2(2, 1)
    try:
        module = cast(Module, import_module(f".{task['rival']}", __package__))
        result = _DO[task["do"]](module, task)
    except Exception as error:
        result = {"error": _sentence(error)}
    with os.fdopen(result_to, "w", encoding="utf-8") as out:
        json.dump(result, out)


def _sentence(error: Exception) -> str:
    if isinstance(error, MeantError):
        return str(error)
    reason = (str(error).strip().splitlines() or ["no reason given"])[0][:200]
    return f"It failed ({type(error).__name__}: {reason}): mend that, or leave the rival's option out."


def _prepare(module: Module, task: dict[str, Any]) -> dict[str, Any]:
    return module.prepare(task["arguments"])


def _first(module: Module, task: dict[str, Any]) -> dict[str, Any]:
    """Seconds from the start of the process to its first label."""
    module.Reader(task["arguments"]).read(_pairs(task["pairs"][:1]))
    return {"seconds": time.monotonic() - task["started"]}


def _measure(module: Module, task: dict[str, Any]) -> dict[str, Any]:
    """Labels, speed in bulk, milliseconds of one reading, memory."""
    reader, pairs = module.Reader(task["arguments"]), _pairs(task["pairs"])
    reader.read(pairs[:_WARM_UP])
    singles = _singles(reader, pairs, task["singles"])
    labels, seconds = _bulk(reader, pairs)
    memory = peak_memory()  # before the other cases, which are no part of what is measured
    return {
        "labels": labels,
        "pairs/s": len(pairs) / seconds,
        "p50 ms": 1000 * median(singles),
        "singles": len(singles),
        "memory MB": memory / 1e6,
        "others": [reader.read(_pairs(others)) if others else [] for others in task["others"]],
    }


def _singles(reader: Reader, pairs: list[Pair], count: int) -> list[float]:
    seconds: list[float] = []
    for i in range(count):
        if sum(seconds) > _PATIENCE and i >= _FEWEST:
            break
        begin = time.perf_counter()
        reader.read([pairs[i % len(pairs)]])
        seconds.append(time.perf_counter() - begin)
    return seconds


def _bulk(reader: Reader, pairs: list[Pair]) -> tuple[list[str], float]:
    """The labels, and the median of a few passes' seconds (of one, where that takes long)."""
    passes: list[float] = []
    while True:
        begin = time.perf_counter()
        labels = reader.read(pairs)
        passes.append(time.perf_counter() - begin)
        if len(passes) == _PASSES or sum(passes) > _LONG_ENOUGH:
            return labels, median(passes)


def peak_memory() -> float:
    """Bytes of memory that this process held at most.

    Linux' `ru_maxrss` would not do: a new process inherits the peak of the one that started it.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return 1024.0 * int(status.split("VmHWM:")[1].split()[0])
    except (OSError, IndexError):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return float(unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _pairs(listed: list[list[str]]) -> list[Pair]:
    return [(question, reply) for question, reply in listed]


_DO: dict[str, Callable[[Module, dict[str, Any]], dict[str, Any]]] = {
    "prepare": _prepare,
    "first": _first,
    "measure": _measure,
}

if __name__ == "__main__":
    main()
