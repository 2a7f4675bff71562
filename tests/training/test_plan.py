from __future__ import annotations

import numpy as np
import pytest

from meant.training.plan import BLOCK, batch_count, epoch_batches

LENGTHS = np.random.default_rng(0).integers(5, 60, 2_000).tolist()


@pytest.mark.parametrize(("count", "batch"), [(1, 8), (8, 8), (9, 8), (60, 7), (2_000, 16), (400, 8), (401, 8)])
def test_an_epoch_meets_every_example_once(count: int, batch: int) -> None:
    batches = epoch_batches(LENGTHS[:count], batch, 0, 0)
    assert sorted(np.concatenate(batches).tolist()) == list(range(count))
    assert len(batches) == batch_count(count, batch)
    assert max(map(len, batches)) <= batch


def as_lists(seed: int, epoch: int) -> list[list[int]]:
    return [rows.tolist() for rows in epoch_batches(LENGTHS, 16, seed, epoch)]


def test_the_plan_depends_on_seed_and_epoch_alone() -> None:
    np.random.seed(1)
    first = as_lists(3, 1)
    np.random.seed(2)
    assert as_lists(3, 1) == first
    assert as_lists(3, 2) != first
    assert as_lists(4, 1) != first


def test_a_batch_holds_examples_of_like_length_and_long_ones_are_not_kept_for_the_end() -> None:
    batches = [[LENGTHS[i] for i in rows] for rows in epoch_batches(LENGTHS, 16, 0, 0)]
    within = np.mean([max(lengths) - min(lengths) for lengths in batches])
    assert within < 5  # at random it would be fifty
    means = [np.mean(lengths) for lengths in batches[:BLOCK]]
    assert means != sorted(means)
