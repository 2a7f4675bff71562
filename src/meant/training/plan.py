"""Which examples make up which batch: a pure function of the seed, so that a resumed run meets the same ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

BLOCK = 50  # batches that are sorted by length together: little padding, still a random order


def epoch_batches(lengths: Sequence[int], batch: int, seed: int, epoch: int) -> list[np.ndarray]:
    """The batches of one epoch: shuffled, sorted by length within blocks, the batches shuffled again."""
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(lengths))
    sizes = np.asarray(lengths)
    batches: list[np.ndarray] = []
    for start in range(0, len(order), batch * BLOCK):
        block = order[start : start + batch * BLOCK]
        block = block[np.argsort(sizes[block], kind="stable")]
        batches += [block[i : i + batch] for i in range(0, len(block), batch)]
    random.shuffle(batches)
    return batches


def batch_count(examples: int, batch: int) -> int:
    """How many batches an epoch has."""
    full, rest = divmod(examples, batch * BLOCK)
    return full * BLOCK + -(-rest // batch)
