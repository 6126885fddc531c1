"""What a notebook shows: pictures."""

import struct

import pytest

import surefoot
from surefoot import lab

formatters = pytest.importorskip("IPython.core.formatters")


def shown(thing):
    """What a notebook would get, by kind of data."""
    return formatters.DisplayFormatter().format(thing)[0]


def size_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize("side", [8, 100, 3000])
def test_maps_paths_walks_databases_and_crowds_show_themselves(side):
    map = surefoot.Map.generate("rooms", side, side // 2, seed=1)
    cells = map.problems(1, min_cost=2)
    nav = map.navigator()
    crowd = surefoot.Crowd(map)
    crowd.add_many(crowd.add_kind(), cells.starts, cells.goals)
    things = [map, nav.path(cells.starts[0], cells.goals[0]), map.walk("a*", cells.starts[0], cells.goals[0]), crowd]
    things += [map.database("beacon*"), map.database("pra*")] if side < 3000 else []
    pictures = [shown(thing)["image/png"] for thing in things]
    for picture in pictures:
        width, height = size_of(picture)
        assert 8 <= width <= 3000 and 4 <= height <= 6000
    # A path is something else than its map.
    assert pictures[0] != pictures[1]


def test_databases_have_a_legend_and_ways():
    map = surefoot.Map.generate("rooms", 60, 40, seed=1)
    cells = map.problems(1, min_cost=30)
    beacons = map.database("beacon*")
    plain, way = beacons.to_svg(), beacons.to_svg(way=(cells.starts[0], cells.goals[0]))
    assert plain.startswith("<svg") and "corner" in plain and way != plain
    assert map.database("knn-lrta*(n=20)").to_png(record=3) != map.database("knn-lrta*(n=20)").to_png(record=4)
    with pytest.raises(surefoot.SurefootError):
        beacons.to_png(level=2)
    with pytest.raises(surefoot.SurefootError):
        beacons.to_png(way=((0, 0), (999, 0)))


def test_reports_show_themselves(tmp_path):
    plan = lab.Plan.parse(
        'title = "t"\ntimed = false\n[[maps]]\ngenerate = "rooms"\nwidth = 30\nheight = 30\nrule = "no-cut"\n'
        'cost = "sqrt2"\nproblems = { count = 2, min-cost = 5, max-cost = 30 }\n[[algorithms]]\nspecs = ["a*"]\n'
    )
    assert "iframe" in shown(lab.run(plan, tmp_path).report())["text/html"]
