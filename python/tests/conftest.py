"""What tests have in common."""

import numpy as np
import pytest

import surefoot

ROOMS = """
............
.####.#####.
.#........#.
.#.######.#.
.#......#...
.########.#.
............
"""


@pytest.fixture
def rooms():
    """A small map with two rooms."""
    return surefoot.Map.parse(ROOMS.strip())


@pytest.fixture(scope="session")
def world():
    """A map of 128 x 96 cells, a navigator for it, and 400 pairs of free cells."""
    map = surefoot.Map.generate("game", 128, 96, seed=5)
    free = np.argwhere(map.cells)[:, ::-1]
    chosen = np.random.default_rng(1).integers(len(free), size=(2, 400))
    return map, map.navigator(), free[chosen[0]], free[chosen[1]]
