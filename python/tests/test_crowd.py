"""Crowds, frame by frame."""

import pickle

import numpy as np
import pytest

import surefoot


def crowd_of(world, **options):
    map, _, starts, goals = world
    crowd = surefoot.Crowd(map, **options)
    kind = crowd.add_kind()
    return crowd, kind, crowd.add_many(kind, starts, goals)


def test_units_get_where_there_is_a_way(world):
    map, nav, starts, goals = world
    crowd, _, units = crowd_of(world)
    np.testing.assert_array_equal(crowd.positions(units), starts)
    np.testing.assert_array_equal(crowd.goals(units), goals)
    place = dict(zip(units.tolist(), starts.tolist(), strict=True))
    for _ in range(600):
        frame = crowd.frame(50_000)
        for unit, origin, cell in zip(frame.units, frame.origins, frame.cells, strict=True):
            assert place[int(unit)] == origin.tolist() and map.is_free(cell)
            place[int(unit)] = cell.tolist()
    reachable = nav.pair_reachable(starts, goals)
    np.testing.assert_array_equal(crowd.positions(units)[reachable], goals[reachable])
    np.testing.assert_array_equal(crowd.statuses(units), np.where(reachable, 1, 2))
    assert [place[int(unit)] for unit in units] == crowd.positions(units).tolist()


def test_crowds_are_the_same_on_any_number_of_threads_and_when_they_are_loaded(world):
    one, _, _ = crowd_of(world)
    two, _, _ = crowd_of(world, threads=2)
    for number in range(60):
        one.frame(3_000)
        two.frame(3_000)
        assert one.checksum() == two.checksum()
        if number == 20:
            two = surefoot.Crowd.load(two.save(), threads=2)
        if number == 40:
            one = pickle.loads(pickle.dumps(one))
            one.edit([(5, 5), (6, 5)], free=False)
            two.edit([(5, 5), (6, 5)], free=False)
    np.testing.assert_array_equal(one.positions(), two.positions())


def test_no_two_units_stand_on_one_cell_where_they_are_obstacles(rooms):
    crowd = surefoot.Crowd(rooms, units_as_obstacles=True)
    kind = crowd.add_kind()
    units = crowd.add_many(kind, [(x, 0) for x in range(10)], [(11, 6)] * 10)
    group = crowd.send(units, (9, 6))
    assert set(crowd.members(group).tolist()) == set(units.tolist()) and crowd.group_of(units[0]) == group
    settled = []
    for _ in range(300):
        settled += crowd.frame().settled
        assert len({tuple(cell) for cell in crowd.positions().tolist()}) == 10
    assert settled == [group]
    with pytest.raises(surefoot.CrowdError):
        crowd.add(kind, crowd.positions()[0], (0, 0))


def test_orders_edits_and_links(rooms):
    crowd = surefoot.Crowd(rooms)
    kind = crowd.add_kind()
    one, other = crowd.add(kind, (0, 0), (0, 0)), crowd.add(kind, (11, 6), (11, 6), priority="high")
    assert len(crowd) == 2 and crowd.units.tolist() == [one, other]
    crowd.pursue(one, other)
    crowd.set_speed([one], 1, 2)
    for _ in range(60):
        crowd.frame()
    assert abs(crowd.positions()[0].astype(int) - [11, 6]).max() <= 1
    crowd.set_goal(one, (0, 0))
    assert crowd.path(one).cells[-1].tolist() == [0, 0]
    assert crowd.costs_left([one])[0] == pytest.approx(crowd.cost(kind, crowd.positions([one])[0], (0, 0)))
    assert crowd.edit([(0, 1), (0, 2), (0, 3)], free=False) == 3 and not crowd.map.is_free((0, 1))
    link = crowd.add_link(kind, (11, 6), (0, 0), moves=3)
    for _ in range(40):
        crowd.frame()
    assert crowd.positions([one]).tolist() == [[0, 0]]
    crowd.remove_link(kind, link)
    crowd.remove([one, one])
    assert crowd.units.tolist() == [other]
    crowd.place(other, (0, 0))
    crowd.stop(other)
    assert crowd.set_goal_or_nearest(other, (1, 1)) == (1, 0)
    crowd.set_goals([other], [(3, 0)])
    assert crowd.goals().tolist() == [[3, 0]]
    assert crowd.edit([(0, 0)], free=False) == 1
    pushed, cells = crowd.push_out()
    assert pushed.tolist() == [other] and cells.tolist() == [[1, 0]]


def test_kinds_have_sizes_weights_and_algorithms(rooms):
    crowd = surefoot.Crowd(surefoot.Map(np.ones((20, 20), bool)))
    weights = np.ones((20, 20), np.uint8)
    weights[:, 10] = 200
    small, large = crowd.add_kind(), crowd.add_kind(size=3)
    muddy, classic = crowd.add_kind(weights=weights), crowd.add_kind(algorithm="lrta*(d=2)")
    assert crowd.cost(small, (0, 0), (19, 0)) == 19 < crowd.cost(muddy, (0, 0), (19, 0))
    assert not crowd.reachable(large, (0, 0), (10, 10)) or crowd.cost(large, (0, 0), (10, 10)) > 0
    unit = crowd.add(classic, (0, 0), (5, 5))
    for _ in range(10):
        crowd.frame(seconds=0.01)
    assert crowd.positions([unit]).tolist() == [[5, 5]]
    assert crowd.weigh(muddy, [(10, 0)], 1) == 1
    later = crowd.add_kind(built=False, rule="cardinal")
    assert not crowd.is_built(later)
    crowd.build_in_frames(later)
    built = []
    for _ in range(200):
        built += crowd.frame(5_000).built
    assert built == [later] and crowd.is_built(later) and crowd.is_up_to_date(later)


@pytest.mark.parametrize(
    "call",
    [
        lambda crowd: crowd.add(9, (0, 0), (0, 0)),
        lambda crowd: crowd.add(0, (1, 1), (0, 0)),
        lambda crowd: crowd.add(0, (0, 0), (99, 0)),
        lambda crowd: crowd.add(0, (0, 0), (0, 0), priority="urgent"),
        lambda crowd: crowd.add_many(0, [(0, 0)], [(0, 0), (1, 0)]),
        lambda crowd: crowd.positions([77]),
        lambda crowd: crowd.remove([2**63]),
        lambda crowd: crowd.frame(5, seconds=1),
        lambda crowd: crowd.frame(seconds=float("nan")),
        lambda crowd: crowd.frame(seconds=-1),
        lambda crowd: crowd.edit([(99, 99)], free=True),
        lambda crowd: crowd.weigh(0, [(0, 0)], 0),
        lambda crowd: crowd.set_speed(crowd.units, 1, 0),
        lambda crowd: crowd.add_kind(size=0),
        lambda crowd: crowd.add_kind(weights=np.ones((2, 2))),
        lambda crowd: crowd.add_kind(rule="fly"),
        lambda crowd: crowd.pursue(crowd.units[0], crowd.units[0]),
        lambda crowd: surefoot.Crowd.load(b"none"),
        lambda crowd: surefoot.Crowd(crowd.map, threads=0),
    ],
)
def test_mistakes_are_errors_and_change_nothing(rooms, call):
    crowd = surefoot.Crowd(rooms)
    crowd.add(crowd.add_kind(), (0, 0), (11, 0))
    before = crowd.checksum()
    with pytest.raises(surefoot.SurefootError) as caught:
        call(crowd)
    assert str(caught.value) and crowd.checksum() == before


def test_a_unit_that_cannot_be_added_takes_the_others_with_it(rooms):
    crowd = surefoot.Crowd(rooms)
    kind = crowd.add_kind()
    with pytest.raises(surefoot.CrowdError, match="row 1"):
        crowd.add_many(kind, [(0, 0), (1, 1), (2, 0)], [(0, 0)] * 3)
    assert len(crowd) == 0
