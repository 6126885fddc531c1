"""Faults that were found by trying to break the package, each mended."""

import itertools
import os
import pickle
import threading
import time

import numpy as np
import pytest

import surefoot
from surefoot import lab


def test_a_database_of_another_map_is_refused(rooms):
    own, other = surefoot.Map.generate("rooms", 40, 40, seed=1), surefoot.Map.generate("rooms", 40, 40, seed=2)
    start, goal = other.problems(1, min_cost=5).starts[0], other.problems(1, min_cost=5).goals[0]
    for spec in ("knn-lrta*(n=50)", "pra*", "d-lrta*", "hcdps*", "beacon*"):
        with pytest.raises(surefoot.DatabaseError):
            other.walk(spec, start, goal, database=own.database(spec))
        with pytest.raises(surefoot.DatabaseError):
            rooms.walk(spec, (0, 0), (1, 0), database=own.database(spec))
    database = other.database("pra*")
    assert other.walk("pra*", start, goal, database=database).solved
    other.edit([goal], free=False)
    with pytest.raises(surefoot.DatabaseError):
        other.walk("pra*", start, start, database=database)
    with pytest.raises(surefoot.ArgumentError, match="needs no database"):
        own.walk("a*", own.problems(1).starts[0], own.problems(1).goals[0], database=own.database("pra*"))


def test_a_goal_that_asks_the_walker_does_not_hang(rooms):
    walker = rooms.navigator().walker((0, 0), (5, 0))

    class Goal:
        def __iter__(self):
            assert walker.position == (0, 0)
            return iter((7, 0))

    walker.set_goal(Goal())
    assert walker.goal == (7, 0)


@pytest.mark.parametrize("weight", [1, 3])
def test_a_pickled_crowd_knows_what_its_map_was(weight):
    map = surefoot.Map(np.full((12, 30), weight, np.uint8), rule="cardinal", costs="1.4")
    crowd = surefoot.Crowd(map, threads=2)
    again = pickle.loads(pickle.dumps(crowd))
    assert again.map == crowd.map == map and again.checksum() == crowd.checksum()
    kind, other = crowd.add_kind(), again.add_kind()
    assert crowd.cost(kind, (0, 0), (20, 9)) == again.cost(other, (0, 0), (20, 9)) == 29 * weight


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_crowd_with_threads_goes_on_in_a_forked_process(world):
    map, _, starts, goals = world
    crowd = surefoot.Crowd(map, threads=2)
    crowd.add_many(crowd.add_kind(), starts, goals)
    crowd.frame(1000)
    child = os.fork()
    if child == 0:
        crowd.frame(1000)
        os._exit(0)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    pytest.fail("the forked process hangs")


def test_a_pickled_map_keeps_the_weights_of_blocked_cells():
    map = surefoot.Map(np.full((4, 4), 3, np.uint8))
    map.edit([(1, 1)], free=False)
    again = pickle.loads(pickle.dumps(map))
    assert again == map
    for one in (map, again):
        one.edit([(1, 1)], free=True)
    assert again.weights[1, 1] == map.weights[1, 1] == 3


def test_endless_and_odd_cells_are_refused(rooms):
    nav = rooms.navigator()
    for cell in (itertools.count(), {1: 0, 2: 0}, b"12", "12", {3, 4}):
        with pytest.raises(surefoot.ArgumentError):
            nav.path(cell, (0, 0))
    for cells in ("", {}, np.zeros((0, 5)), b""):
        with pytest.raises(surefoot.ArgumentError):
            nav.costs((0, 0), cells)
    assert nav.costs((0, 0), []).shape == (0,) == nav.costs((0, 0), np.zeros((0, 2), int)).shape
    with pytest.raises(surefoot.ArgumentError, match="masked"):
        surefoot.Map(np.ma.masked_array(np.ones((3, 3), bool), mask=True))
    with pytest.raises(surefoot.ArgumentError, match="threads"):
        nav.pair_costs([(0, 0)], [(0, 0)], threads=0)


def test_what_ends_the_program_is_passed_on():
    class Array:
        def __array__(self, dtype=None, copy=None):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        surefoot.Map(Array())


def test_small_things(rooms, tmp_path, capsys):
    nav = rooms.navigator(progress=True)
    assert nav.path((0, 0), (0, 0)) and rooms.walk("a*", (0, 0), (0, 0))
    assert "plot" in dir(surefoot) and "distributed" in dir(surefoot)
    results = lab.Results(tmp_path)
    assert str(tmp_path) in repr(results)
    with pytest.raises(surefoot.LabError, match=r"no rows\.csv"):
        len(results)
    with pytest.raises(surefoot.SurefootError) as caught:
        rooms.database("beacon*").to_png(level=2)
    assert "--" not in str(caught.value)


def test_an_edit_does_not_stop_those_who_ask(rooms):
    map = surefoot.Map(np.random.default_rng(1).random((700, 700)) > 0.3)
    nav = map.navigator()
    cells = np.argwhere(map.cells)[::2000, ::-1]
    editor = threading.Thread(target=nav.edit, args=(cells, False))
    editor.start()
    asked = 0
    while editor.is_alive():
        nav.memory_bytes
        asked += 1
    editor.join()
    assert asked > 100 and not nav.map.is_free(cells[0])
