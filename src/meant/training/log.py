"""The log of a run (log.jsonl), read and drawn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError, MissingExtra


def read(run: Path) -> list[dict[str, float]]:
    """The lines of a run's log."""
    path = run / "log.jsonl"
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except OSError:
        raise InputError(f"{run} has no log.jsonl: name the folder of a run.") from None
    except ValueError:
        raise InputError(f"{path} is damaged: a line in it is no JSON.") from None


def draw(runs: Sequence[Path], out: Path) -> None:
    """The loss of each run over its steps."""
    logs = {run.name: read(run) for run in runs}
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtra("bench", "Drawing") from None
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, lines in logs.items():
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
