"""Arrays of every type, order and size, and what is none: an error of the family, never a panic."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import surefoot

SETTINGS = settings(deadline=None, max_examples=150)
DTYPES = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", ">u2", ">i4", ">f8", "f16"]


def layouts(array):
    """The same numbers, in several orders of memory."""
    yield array
    yield np.asfortranarray(array)
    yield np.repeat(np.repeat(array, 2, 0), 3, 1)[::2, ::3]
    yield array[::-1, ::-1][::-1, ::-1]
    padded = np.zeros(array.nbytes + 1, np.uint8)
    shifted = padded[1:].view(array.dtype).reshape(array.shape)
    shifted[...] = array
    yield shifted
    frozen = array.copy()
    frozen.flags.writeable = False
    yield frozen


@SETTINGS
@given(
    st.sampled_from(DTYPES),
    arrays.arrays(np.uint8, arrays.array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(0, 127)),
)
def test_cells_are_read_whatever_their_type_and_order(dtype, numbers):
    cells = numbers.astype(dtype)
    for array in layouts(cells):
        map = surefoot.Map(array)
        assert map.shape == array.shape
        np.testing.assert_array_equal(map.cells, numbers != 0)
        if dtype == "?" or numbers.max() <= 1:
            assert map.weights is None
        else:
            np.testing.assert_array_equal(map.weights, numbers)


@SETTINGS
@given(st.sampled_from(["u4", "i8", "f8", "u2", ">i4"]), st.data())
def test_lists_of_cells_are_read_whatever_their_type_and_order(dtype, data):
    map = surefoot.Map(np.ones((9, 7), bool))
    nav = map.navigator()
    cell = st.tuples(st.integers(0, 6), st.integers(0, 8))
    pairs = data.draw(st.lists(st.tuples(cell, cell), min_size=1, max_size=20))
    starts, goals = (np.array([pair[side] for pair in pairs], dtype=dtype) for side in (0, 1))
    expected = [nav.cost(start, goal) for start, goal in pairs]
    for a, b in zip(layouts(starts), layouts(goals), strict=True):
        np.testing.assert_array_equal(nav.pair_costs(a, b), expected)
    np.testing.assert_array_equal(nav.pair_costs(starts.tolist(), goals.tolist()), expected)


ANYTHING = st.one_of(
    arrays.arrays(
        st.one_of(arrays.scalar_dtypes(), arrays.unicode_string_dtypes()),
        arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
    ),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.complex_numbers()),
        lambda inner: st.lists(inner, max_size=4),
    ),
)


@settings(deadline=None, max_examples=400)
@given(ANYTHING, ANYTHING)
def test_whatever_is_no_map_and_no_cell_is_an_error_of_the_family(one, other):
    try:
        map = surefoot.Map(one)
        assert map.shape == np.shape(one)
    except surefoot.SurefootError as error:
        assert str(error)
    nav = surefoot.Map(np.ones((4, 4), bool)).navigator()
    crowd = surefoot.Crowd(surefoot.Map(np.ones((4, 4), bool)))
    kind = crowd.add_kind()
    calls = [
        lambda: nav.pair_costs(one, other),
        lambda: nav.costs((0, 0), one),
        lambda: nav.path(one, other),
        lambda: nav.edit(one, True),
        lambda: crowd.add_many(kind, one, other),
        lambda: crowd.positions(one),
        lambda: crowd.send(one, (0, 0)),
        lambda: crowd.remove(one),
        lambda: crowd.add_kind(weights=one) if one is not None else None,
        lambda: surefoot.Map(np.ones((2, 2)), links=one) if one is not None else None,
    ]
    for call in calls:
        try:
            call()
        except surefoot.SurefootError as error:
            assert str(error)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (np.zeros(4), "two dimensions"),
        (np.zeros((2, 2, 2)), "two dimensions"),
        (np.array([[1, np.nan]]), "row 0, column 1: NaN"),
        (np.array([[1.0], [np.inf]]), "row 1, column 0: inf"),
        (np.array([[0.5]]), "row 0, column 0: 0.5"),
        (np.array([[-1]]), "-1 is no weight"),
        (np.array([[256]]), "256 is no weight"),
        (np.array([[2**63]], np.uint64), "is no weight"),
        (np.array([["a"]]), "whole numbers or bools"),
        (np.array([[None]]), "whole numbers or bools"),
        (np.zeros((0, 3)), "both sides must be at least 1"),
        ([[1, 2], [3]], "must be an array"),
    ],
)
def test_wrong_maps_say_what_is_wrong(cells, words):
    with pytest.raises(surefoot.SurefootError, match=words):
        surefoot.Map(cells)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (np.array([[0, 0], [1, -1]]), r"row 1: \(1, -1\) is no cell"),
        (np.array([[0, 0.5]]), r"row 0: \(0, 0.5\) is no cell"),
        (np.array([[0, np.nan]]), "is no cell"),
        (np.array([[0, 2**40]]), "is no cell"),
        (np.array([[0, 1, 2]]), r"shape \(n, 2\)"),
        (np.array([1, 2]), "two dimensions"),
        (np.array([[True, False]]), r"shape \(n, 2\)"),
        (np.array([[9, 9]]), "row 0"),
    ],
)
def test_wrong_cells_say_what_is_wrong(cells, words):
    nav = surefoot.Map(np.ones((3, 3), bool)).navigator()
    with pytest.raises(surefoot.SurefootError, match=words):
        nav.pair_costs(cells, np.zeros((len(cells), 2), int))


def test_a_large_map_is_read_and_written_back():
    cells = np.random.default_rng(3).random((1500, 2000)) < 0.9
    map = surefoot.Map(cells)
    np.testing.assert_array_equal(map.cells, cells)
    assert map.states == cells.sum()
