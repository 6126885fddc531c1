"""Maps, navigators, walkers, walks and databases."""

import pickle

import numpy as np
import pytest

import surefoot


def legal(map, cells):
    """Whether all moves of a list of cells are legal where no corners are cut."""
    free, cells = map.cells, np.asarray(cells).astype(int)
    if not free[cells[:, 1], cells[:, 0]].all():
        return False
    steps = np.diff(cells, axis=0)
    if len(steps) and abs(steps).max() > 1:
        return False
    sides = free[cells[:-1, 1], cells[1:, 0]] & free[cells[1:, 1], cells[:-1, 0]]
    return bool(sides.all())


def test_paths_are_legal_and_cost_what_is_said(world):
    map, nav, starts, goals = world
    costs = nav.pair_costs(starts, goals)
    assert nav.is_exact and np.isfinite(costs).any()
    for start, goal, cost, path in zip(starts, goals, costs, nav.pair_paths(starts, goals), strict=True):
        assert (path is None) == np.isinf(cost)
        assert nav.reachable(start, goal) == (path is not None)
        if path is None:
            assert nav.cost(start, goal) is None
            continue
        assert legal(map, path.cells) and path.cost == cost == nav.cost(start, goal)
        lengths = np.linalg.norm(np.diff(path.cells.astype(float), axis=0), axis=1)
        assert lengths.sum() == pytest.approx(cost)
        assert len(path) == len(path.cells) - 1
        assert path.turning_points[0].tolist() == start.tolist() and path.smooth()[1] <= cost + 1e-9


def test_costs_are_those_of_exact_search(world):
    map, nav, starts, goals = world
    for start, goal in list(zip(starts, goals, strict=True))[:60]:
        walk = map.walk("a*", start, goal)
        assert nav.cost(start, goal) == (walk.cost if walk.solved else None)


def test_many_questions_are_one_question_each(world):
    _, nav, starts, goals = world
    costs = nav.costs(starts[0], goals)
    np.testing.assert_array_equal(costs, nav.pair_costs(np.repeat(starts[:1], len(goals), 0), goals))
    np.testing.assert_array_equal(nav.pair_reachable(starts, goals), np.isfinite(nav.pair_costs(starts, goals)))
    place, cost = nav.nearest_of(starts[0], goals)
    assert cost == costs.min() and place == costs.argmin()
    for threads in (1, 2, 3):
        np.testing.assert_array_equal(nav.pair_costs(starts, goals, threads=threads), nav.pair_costs(starts, goals))
    assert nav.pair_costs(np.zeros((0, 2), int), np.zeros((0, 2), int)).shape == (0,)


def test_navigators_are_saved_and_opened(world, tmp_path):
    map, nav, starts, goals = world
    nav.save(tmp_path / "nav.sfdb")
    again = surefoot.Navigator.open(map, tmp_path / "nav.sfdb")
    assert again.to_bytes() == nav.to_bytes() == pickle.loads(pickle.dumps(nav)).to_bytes()
    np.testing.assert_array_equal(again.pair_costs(starts, goals), nav.pair_costs(starts, goals))
    with pytest.raises(surefoot.DatabaseError):
        surefoot.Navigator.open(surefoot.Map.parse("..."), tmp_path / "nav.sfdb")
    with pytest.raises(surefoot.DatabaseError, match="nothere"):
        surefoot.Navigator.open(map, tmp_path / "nothere")
    with pytest.raises(surefoot.DatabaseError):
        surefoot.Navigator.from_bytes(map, b"no database")


def test_edits_show_in_the_navigator_and_walkers_follow(rooms):
    nav = rooms.navigator()
    before = nav.cost((0, 0), (2, 2))
    walker = nav.walker((0, 0), (11, 6))
    nav.edit([(5, 1)], free=False)
    assert nav.cost((0, 0), (2, 2)) > before and rooms.is_free((5, 1)) and not nav.map.is_free((5, 1))
    walker.follow(nav)
    way = [(0, 0), *walker]
    assert legal(nav.map, way) and walker.has_arrived and walker.position == (11, 6)
    assert nav.cost((0, 0), (11, 6)) == pytest.approx(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())


def test_a_walker_says_that_there_is_no_way():
    walker = surefoot.Map.parse("..#..").navigator().walker((0, 0), (4, 0))
    with pytest.raises(surefoot.NoWay):
        next(walker)


def test_weights_and_links_count():
    ground = np.ones((5, 20), np.uint8)
    ground[1:4, 5:15] = 9
    muddy = surefoot.Map(ground).navigator()
    path = muddy.path((0, 2), (19, 2))
    assert 0 in path.cells[:, 1] or 4 in path.cells[:, 1]
    door = surefoot.Map(np.array([[1, 1, 0, 1, 1]]), links=[((1, 0), (3, 0), 2)])
    assert door.links == [((1, 0), (3, 0), 2)]
    nav = door.navigator()
    assert nav.path((0, 0), (4, 0)).jumps == [((1, 0), (3, 0))] and nav.cost((0, 0), (4, 0)) == 4.0
    assert nav.cost((4, 0), (0, 0)) is None


def test_maps_are_pickled_and_compared():
    ground = np.random.default_rng(2).integers(0, 5, (13, 17))
    for map in [
        surefoot.Map(ground, rule="squeeze", costs="1.4"),
        surefoot.Map(ground > 0, rule="cardinal", links=[((0, 0), (5, 5))]),
        surefoot.Map(np.where(ground > 0, 3, 0)),
    ]:
        again = pickle.loads(pickle.dumps(map))
        assert again == map and again.rule == map.rule and again.costs == map.costs
        edited = map.copy()
        x, y = np.argwhere(map.cells)[0][::-1]
        edited.edit([(x, y)], free=False)
        assert edited != map and not edited.is_free((x, y)) and map.is_free((x, y))


def test_maps_come_from_files(tmp_path, rooms):
    (tmp_path / "rooms.map").write_text(rooms.to_text())
    assert surefoot.Map.open(tmp_path / "rooms.map") == rooms
    (tmp_path / "rooms.png").write_bytes(rooms.to_png(side=rooms.width * 8))
    image = surefoot.Map.open(str(tmp_path / "rooms.png"))
    assert image.width % rooms.width == 0
    scale = image.width // rooms.width
    np.testing.assert_array_equal(image.cells[scale // 2 :: scale, scale // 2 :: scale], rooms.cells)
    with pytest.raises(surefoot.MapError, match="line 5, column 4"):
        surefoot.Map.parse("type octile\nheight 2\nwidth 3\nmap\n...\n")
    with pytest.raises(surefoot.MapError):
        surefoot.Map.open(tmp_path / "nothere.map")


@pytest.mark.parametrize("algorithm", [entry["name"] for entry in surefoot.algorithms()])
def test_every_algorithm_of_the_roster_walks(algorithm):
    map = surefoot.Map.generate("rooms", 40, 40, seed=2)
    problems = map.problems(3, min_cost=5, seed=4)
    walk = map.walk(algorithm, problems.starts[0], problems.goals[0], max_moves=20_000, tape=True)
    assert legal(map, walk.cells) and len(walk.cells) == len(walk) + 1
    assert walk.optimal_cost == problems.costs[0]
    work = walk.work
    assert work["moved"].sum() == len(walk) and len(work["total"]) == len(work["ns"])
    kinds = ["expansions", "backups", "trace_steps", "climb_steps", "probes"]
    np.testing.assert_array_equal(work["total"], sum(work[kind] for kind in kinds))
    expansions = (work["expansions"] + work["climb_steps"]).sum()
    # The step in which an agent gives up is no move.
    assert expansions == walk.expansions if walk.solved else expansions <= walk.expansions
    entry = next(entry for entry in surefoot.algorithms() if entry["name"] == algorithm)
    if entry["optimal"]:
        assert walk.solved and walk.suboptimality == 0
    assert walk.tape.startswith(b"sf") and walk.expanded().shape == map.shape


def test_what_was_learned_and_expanded_is_on_the_tape(rooms):
    walk = rooms.walk("lrta*(d=1)", (2, 4), (9, 4), tape=True)
    assert walk.solved and walk.learned().max() > 0 and walk.expanded().sum() == walk.expansions
    assert (walk.learned()[~rooms.cells] == 0).all()
    assert walk.to_gif().startswith(b"GIF8")
    silent = rooms.walk("lrta*(d=1)", (2, 4), (9, 4))
    assert silent.tape is None and silent.cells.tolist() == walk.cells.tolist()
    with pytest.raises(surefoot.ArgumentError, match="tape=True"):
        silent.learned()


def test_walks_are_cut_off_and_say_so(rooms):
    walk = rooms.walk("lrta*(d=1)", (2, 4), (9, 4), max_moves=3)
    assert not walk.solved and len(walk) == 3 and walk.suboptimality is None
    nowhere = surefoot.Map.parse("..#..").walk("lrta*", (0, 0), (4, 0))
    assert nowhere.unreachable and nowhere.optimal_cost is None


@pytest.mark.parametrize("spec", ["nothing*", "lrta*(x=3)", "lrta*(d=", "", "lrta*(d=-1)"])
def test_wrong_specs_are_errors_of_the_family(rooms, spec):
    with pytest.raises(surefoot.SpecError):
        rooms.walk(spec, (0, 0), (1, 0))


@pytest.mark.parametrize("spec", ["knn-lrta*(n=300)", "d-lrta*"])
def test_databases_are_the_same_from_shards(spec):
    map = surefoot.Map.generate("rooms", 60, 60, seed=2)
    whole = map.database(spec)
    for count in (1, 3):
        shards = [map.database_shard(spec, number, count) for number in range(count, 0, -1)]
        assert map.merge_shards(shards).to_bytes() == whole.to_bytes() == map.database(spec, threads=1).to_bytes()
    assert surefoot.Map.has_shards(spec)
    with pytest.raises(surefoot.DatabaseError):
        map.merge_shards([map.database_shard(spec, 1, 3)])
    with pytest.raises(surefoot.ArgumentError, match="counted from 1"):
        map.database_shard(spec, 0, 3)


def test_databases_are_saved_checked_and_used(tmp_path):
    map = surefoot.Map.generate("rooms", 60, 60, seed=2)
    database = map.database("knn-lrta*(n=300)")
    database.save(tmp_path / "records.sfdb")
    again = surefoot.Database.open(map, tmp_path / "records.sfdb")
    assert again.to_bytes() == database.to_bytes() == pickle.loads(pickle.dumps(database)).to_bytes()
    assert database.facts["records"] == 300 and database.verify(sample=20)
    problems = map.problems(5, min_cost=10)
    with_database = map.walk("knn-lrta*(n=300)", problems.starts[0], problems.goals[0], database=again)
    without = map.walk("knn-lrta*(n=300)", problems.starts[0], problems.goals[0])
    assert with_database.cells.tolist() == without.cells.tolist()
    with pytest.raises(surefoot.SurefootError):
        map.walk("pra*", problems.starts[0], problems.goals[0], database=database)
    with pytest.raises(surefoot.ArgumentError, match="needs no database"):
        map.database("a*")
    with pytest.raises(surefoot.DatabaseError):
        surefoot.Database.from_bytes(surefoot.Map.parse("..."), database.to_bytes())
    assert list(tmp_path.iterdir()) == [tmp_path / "records.sfdb"]


def test_problems_are_drawn_and_read(tmp_path, world):
    map, nav, _, _ = world
    problems = map.problems(30, min_cost=20, max_cost=60, seed=9)
    np.testing.assert_allclose(nav.pair_costs(problems.starts, problems.goals), problems.costs)
    assert (problems.costs >= 20).all() and (problems.costs <= 60).all()
    lines = ["version 1"]
    for (a, b), (c, d), cost in zip(problems.starts, problems.goals, problems.costs, strict=True):
        lines.append(f"0\tx.map\t{map.width}\t{map.height}\t{a}\t{b}\t{c}\t{d}\t{cost:.8f}")
    (tmp_path / "x.map.scen").write_text("\n".join(lines) + "\n")
    read = surefoot.read_scen(tmp_path / "x.map.scen")
    np.testing.assert_array_equal(read.starts, problems.starts)
    np.testing.assert_allclose(read.costs, problems.costs)
    with pytest.raises(surefoot.QueryError):
        map.problems(1, min_cost=1e6)
