"""Tests of random interleavings of everything that changes a matcher, against a replay from the beginning."""

import random

import pytest
from walks import SEED, Walk, letters


@pytest.mark.parametrize("seed", range(SEED, SEED + 24))
def test_random_interleavings_equal_a_fresh_replay(seed: int) -> None:
    draw = random.Random(seed)
    walk = Walk.begin(draw, letters())
    for _ in range(120):
        walk.step(draw)
        walk.check()
