"""Pictures: how far probabilities can be trusted, and what is taken for what. Needs meant[bench]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import MissingExtra


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingExtra("bench", "Drawing") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def reliability(curves: Mapping[str, tuple[np.ndarray, np.ndarray]], out: Path, bins: int = 15) -> None:
    """Accuracy over confidence for each scheme, with the share of readings in each bin below."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(
        2, len(curves), figsize=(5 * len(curves), 5), sharex=True, squeeze=False, height_ratios=(3, 1)
    )
    for column, (name, (confidence, correct)) in enumerate(curves.items()):
        place = np.clip(np.ceil(confidence * bins).astype(int) - 1, 0, bins - 1)
        used = [i for i in range(bins) if (place == i).any()]
        sure = [confidence[place == i].mean() for i in used]
        right = [correct[place == i].mean() for i in used]
        above, below = axes[0, column], axes[1, column]
        above.plot([0, 1], [0, 1], color="grey", linewidth=1, linestyle="--", label="perfect")
        above.plot(sure, right, marker="o", label="measured")
        above.set(title=name, ylabel="accuracy", ylim=(0, 1.02))
        above.legend(loc="upper left")
        below.bar((np.arange(bins) + 0.5) / bins, [100 * (place == i).mean() for i in range(bins)], width=0.9 / bins)
        below.set(xlabel="confidence", ylabel="% of readings", xlim=(0, 1))
    _save(pyplot, figure, out)


def confusion(matrices: Mapping[str, tuple[np.ndarray, Sequence[str]]], out: Path) -> None:
    """For each scheme, of the rows with a gold label the per cent that was read as each label."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(1, len(matrices), figsize=(5.6 * len(matrices), 4.8), squeeze=False)
    for axis, (name, (counts, labels)) in zip(axes[0], matrices.items(), strict=True):
        share = 100 * counts / np.maximum(counts.sum(1, keepdims=True), 1)
        axis.imshow(share, cmap="Blues", vmin=0, vmax=100)
        axis.set_xticks(range(len(labels)), labels, rotation=35, ha="right")
        axis.set_yticks(
            range(len(labels)), [f"{label} ({n:,})" for label, n in zip(labels, counts.sum(1), strict=True)]
        )
        axis.set(title=name, xlabel="read as", ylabel="gold")
        for i in range(len(labels)):
            for j in range(len(labels)):
                axis.text(
                    j, i, f"{share[i, j]:.1f}", ha="center", va="center", color="white" if share[i, j] > 55 else "black"
                )
    _save(pyplot, figure, out)


def _save(pyplot: Any, figure: Any, out: Path) -> None:
    figure.tight_layout()
    figure.savefig(out, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
