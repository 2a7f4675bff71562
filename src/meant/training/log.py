"""The log of a run (log.jsonl), read and drawn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, MissingExtra


def read(run: Path) -> list[dict[str, float]]:
    """The lines of a run's log."""
    path = run / "log.jsonl"
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        raise InputError(f"{run} has no log.jsonl: name the folder of a run.") from None
    entries = []
    for number, line in enumerate(lines, 1):
        if (found := entry(line)) is None:
            raise InputError(f"{path} is damaged: its line {number} is no step with a loss.")
        entries.append(found)
    return entries


def entry(line: str) -> dict[str, float] | None:
    """What a line says of a step; None where it was cut or is something else."""
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    whole = isinstance(found, dict) and all(isinstance(found.get(name), int | float) for name in ("step", "loss"))
    return found if whole else None


def draw(runs: Sequence[Path], out: Path) -> None:
    """The loss of each run over its steps."""
    logs = [(str(run), read(run)) for run in runs]
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtra("bench", "Drawing") from None
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, lines in logs:
        axes.plot([line["step"] for line in lines], [line["loss"] for line in lines], label=name)
    axes.set(xlabel="step", ylabel="loss")
    axes.legend()
    figure.tight_layout()
    try:
        figure.savefig(out, dpi=120)
    except ValueError as error:
        raise InputError(f"{out}: {error}.") from None
    finally:
        pyplot.close(figure)
