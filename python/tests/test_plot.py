"""Pictures show what they are given."""

import doctest
import inspect
import re
import subprocess
import sys

import numpy as np
import pytest

import surefoot

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402

from surefoot import plot  # noqa: E402

START, GOAL = (2, 2), (11, 6)
ROW = ("a*", "true", "1", "2")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def walk(rooms):
    return rooms.walk("lrta*(d=1)", START, GOAL, tape=True)


class Table(surefoot.lab.Results):
    """Results with rows that a test makes."""

    def __init__(self, *rows, **more):
        names = ("algorithm", "solved", "expansions_mean", "suboptimality_pct")
        self._table = {name: [row[at] for row in rows] for at, name in enumerate(names)} | more

    def table(self):
        return self._table


def pixels(ax):
    """The picture of some axes."""
    ax.figure.canvas.draw()
    return np.asarray(ax.figure.canvas.buffer_rgba())[..., :3].astype(int)


def colour_at(ax, cell):
    """The colour of the pixel in the middle of a cell."""
    picture = pixels(ax)
    x, y = ax.transData.transform(cell)
    return tuple(int(part) for part in picture[int(picture.shape[0] - y), int(x)])


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def marked(ax):
    """The cells with a disc, a square or a cross, by the mark."""
    ends = (line for line in ax.lines if line.get_marker() != "None")
    return {line.get_marker(): tuple(line.get_xydata()[0].tolist()) for line in ends}


# Maps.


def test_a_map_is_its_cells(rooms):
    ax = plot.map(rooms)
    assert np.array_equal(np.asarray(ax.images[0].get_array()) != 0, rooms.cells)
    assert ax.images[0].get_interpolation() == "nearest"


def test_walls_are_dark_and_y_grows_downwards(rooms):
    ax = plot.map(rooms)
    assert ax.yaxis_inverted()
    assert ax.get_aspect() == 1
    dark = {cell: sum(colour_at(ax, cell)) < 300 for cell in [(0, 0), (1, 1), (5, 1), (9, 6), (2, 5)]}
    assert dark == {(0, 0): False, (1, 1): True, (5, 1): False, (9, 6): False, (2, 5): True}


def test_weights_are_shades():
    map = surefoot.Map(np.array([[1, 5, 0, 9]], dtype=np.uint8))
    ax = plot.map(map)
    assert ax.images[0].get_array().tolist() == [[1, 5, 0, 9]]
    bright = [sum(colour_at(ax, (x, 0))) for x in (0, 1, 3, 2)]
    assert bright == sorted(bright, reverse=True)
    assert len(set(bright)) == 4
    assert plot.map(map, weights=False).images[0].get_array().tolist() == [[1, 1, 0, 1]]


def test_axes_are_those_that_were_given(rooms, walk):
    _, axes = plt.subplots(2, 3)
    for ax, draw in zip(
        axes.flat,
        [
            lambda ax: plot.map(rooms, ax),
            lambda ax: plot.path([(0, 0), (1, 0)], ax),
            lambda ax: plot.walk(walk, ax),
            lambda ax: plot.heat(rooms, rooms.cells, ax),
            lambda ax: plot.work(walk, ax),
            lambda ax: plot.crowd(surefoot.Crowd(rooms), ax),
        ],
        strict=True,
    ):
        assert draw(ax) is ax
    assert len(plt.get_fignums()) == 1


# Paths.


def test_a_path_has_a_point_for_each_cell(rooms):
    path = rooms.navigator().path(START, GOAL)
    ax = plot.path(path, map=rooms, label="the way")
    assert np.array_equal(ax.lines[0].get_xydata(), path.cells)
    assert ax.lines[0].get_label() == "the way"
    assert marked(ax) == {"o": START, "s": GOAL}
    assert len(ax.images) == 1


def test_an_array_is_drawn_without_a_map():
    ax = plot.path(np.array([[0, 0], [3, 4], [5, 4]], dtype=np.uint32), color="red")
    assert ax.lines[0].get_xydata().tolist() == [[0, 0], [3, 4], [5, 4]]
    assert to_hex(ax.lines[0].get_color()) == "#ff0000"
    assert not ax.images
    assert ax.yaxis_inverted()


def test_a_smooth_path_is_pulled_tight(world):
    _, nav, starts, goals = world
    path = max(nav.pair_paths(starts[:50], goals[:50]), key=lambda path: len(path) if path else 0)
    points, _ = path.smooth()
    assert len(points) < len(path.cells)
    assert np.array_equal(plot.path(path, smooth=True).lines[0].get_xydata(), points)


def test_paths_on_the_same_axes_differ():
    ax = None
    for row in range(8):
        ax = plot.path([(0, row), (5, row)], ax)
    lines = [line for line in ax.lines if len(line.get_xydata()) == 2]
    assert len(lines) == len({to_hex(line.get_color()) for line in lines}) == 8


def test_links_are_dotted():
    map = surefoot.Map.parse("...#...").with_moves(links=[((2, 0), (4, 0))])
    ax = plot.path(map.navigator().path((0, 0), (6, 0)))
    assert np.isnan(ax.lines[0].get_xydata()).any(axis=1).tolist() == [False] * 3 + [True] + [False] * 3
    dotted = [line.get_xydata().tolist() for line in ax.lines if line.get_linestyle() == ":"]
    assert dotted == [[[2, 0], [4, 0]]]


# Walks.


@pytest.mark.parametrize("heat", ["learned", "expanded"])
def test_the_heat_of_a_walk(walk, heat):
    ax = plot.walk(walk, heat=heat)
    shown, values = ax.images[1].get_array(), getattr(walk, heat)()
    assert values.any()
    assert np.array_equal(shown.filled(0), values)
    assert np.array_equal(np.ma.getmaskarray(shown), values == 0)
    assert np.array_equal(ax.lines[0].get_xydata(), walk.cells)
    bar = next(other for other in ax.figure.axes if other is not ax)
    assert bar.get_ylabel().split(",")[0].split()[-1] == heat


def test_a_walk_without_heat(rooms):
    ax = plot.walk(rooms.walk("a*", START, GOAL), heat=None)
    assert len(ax.images) == 1
    assert len(ax.figure.axes) == 1
    assert marked(ax) == {"o": START, "s": GOAL}


def test_a_walk_that_was_cut_off_ends_in_a_cross(rooms):
    walk = rooms.walk("lrta*(d=1)", START, GOAL, max_moves=3)
    assert marked(plot.walk(walk, heat=None)) == {"o": START, "X": tuple(walk.cells[-1].tolist())}


def test_a_walk_that_was_not_recorded_has_no_heat(rooms):
    with pytest.raises(surefoot.ArgumentError, match="was not recorded"):
        plot.walk(rooms.walk("a*", START, GOAL))
    assert not plt.get_fignums()


def test_where_heat_is_zero_or_no_number_the_map_is_seen():
    map = surefoot.Map(np.ones((1, 5), dtype=bool))
    ax = plot.heat(map, [[0, np.nan, np.inf, 1, 4]], label="heat")
    assert np.ma.getmaskarray(ax.images[1].get_array()).tolist() == [[True, True, True, False, False]]
    colours = [colour_at(ax, (x, 0)) for x in range(5)]
    assert colours[0] == colours[1] == colours[2]
    assert len(set(colours)) == 3


def test_work_is_that_of_each_step(rooms, walk):
    ax = plot.work(walk, bound=9)
    line, bound = ax.lines
    assert np.array_equal(line.get_ydata(), walk.work["total"])
    assert line.get_xdata()[[0, -1]].tolist() == [1, len(walk.work["total"])]
    assert set(bound.get_ydata()) == {9}
    assert bound.get_linestyle() == "--"
    assert ax.get_ylim()[0] <= 0 < 9 <= ax.get_ylim()[1]
    plot.work(rooms.walk("a*", START, GOAL), ax)
    assert legend(ax) == ["lrta*(d=1)", "bound 9", "a*"]
    assert ax.lines[0].get_color() != ax.lines[2].get_color()
    ax.set_yscale("log")
    assert ax.get_ylim()[0] > 0.1


# Studies.


def test_a_point_is_the_mean_of_what_arrived():
    results = Table(
        ("a*", "true", "2", "0.0"),
        ("lrta*", "true", "10", "40"),
        ("a*", "true", "4", "1e-14"),
        ("lrta*", "false", "90000", ""),
        ("lrta*", "true", "30", "80"),
    )
    ax = plot.tradeoff(results)
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[3, 0]], [[20, 60]]]
    assert legend(ax) == ["a*", "lrta*, 2 of 3 arrived"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "symlog")
    assert ax.get_ylim()[0] < 0 < 60 < ax.get_ylim()[1]


def test_scales_are_as_numbers_allow():
    above, below = ("a", "true", "1", "2"), ("b", "true", "3", "-4")
    assert plot.tradeoff(Table(above)).get_yscale() == "log"
    assert plot.tradeoff(Table(above, below)).get_yscale() == "linear"


def test_many_algorithms_can_be_told_apart_and_nothing_overlaps():
    specs = [f"lrta*(d={d},with={'long' * (d % 5)})" for d in range(30)]
    ax = plot.tradeoff(Table(*((spec, "true", f"{d + 1}", f"{d * d}") for d, spec in enumerate(specs))))
    looks = [(to_hex(line.get_color()), line.get_marker()) for line in ax.lines]
    assert len(set(looks)) == 30
    assert len({colour for colour, _ in looks}) == 8 == len(set(plot.COLOURS))
    assert len({marker for _, marker in looks[:8]}) == 1
    ax.figure.canvas.draw()
    box, figure = ax.get_legend().get_window_extent(), ax.figure.bbox
    assert figure.width == 640
    assert 0 <= box.x0 < box.x1 <= figure.width
    assert box.y0 >= 0
    assert box.y1 < ax.xaxis.label.get_window_extent().y0
    assert ax.get_window_extent().height > 250
    texts = [text.get_window_extent() for text in ax.get_legend().get_texts()]
    assert not any(a.overlaps(b) for at, a in enumerate(texts) for b in texts[:at])


def test_a_study_is_drawn(tmp_path):
    plan = surefoot.lab.Plan.parse(
        'title = "Two"\ntimed = false\n[[maps]]\ngenerate = "rooms"\nwidth = 40\nheight = 30\n'
        'rule = "no-cut"\ncost = "sqrt2"\nproblems = { count = 3, min-cost = 10, max-cost = 40 }\n'
        '[[algorithms]]\nspecs = ["a*", "lrta*(d=2)"]\n'
    )
    results = surefoot.lab.run(plan, tmp_path)
    ax = plot.tradeoff(results, x="moves", y="travel_cost")
    assert legend(ax) == ["a*", "lrta*(d=2)"]
    table = results.table()
    moves = [int(m) for m, name in zip(table["moves"], table["algorithm"], strict=True) if name == "a*"]
    assert ax.lines[0].get_xdata()[0] == pytest.approx(sum(moves) / 3)
    with pytest.raises(surefoot.ArgumentError, match="both 'plan_ns_mean'"):
        plot.tradeoff(results, x="plan_ns_mean")


# Crowds.


def test_units_have_the_colour_of_how_they_fare():
    crowd = surefoot.Crowd(surefoot.Map.parse("......\n####.#\n...#.."))
    kind = crowd.add_kind()
    crowd.add_many(kind, [(0, 0), (3, 0), (5, 2), (1, 0)], [(5, 2), (3, 0), (0, 2), (5, 0)])
    crowd.frame()
    ax = plot.crowd(crowd)
    assert legend(ax) == ["walking (2)", "arrived (1)", "no way (1)"]
    drawn = [group.get_offsets().tolist() for group in ax.collections]
    points, statuses = crowd.points(), crowd.statuses()
    assert drawn == [points[statuses == status].tolist() for status in (0, 1, 2)]
    assert len({to_hex(group.get_facecolor()[0]) for group in ax.collections}) == 3


def test_nobody_can_be_drawn(rooms):
    ax = plot.crowd(surefoot.Crowd(rooms))
    assert not ax.collections
    assert ax.get_legend() is None


# What is wrong.


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda map, walk: plot.map(map.cells), "map must be a surefoot.Map, not ndarray"),
        (lambda map, walk: plot.path(None), "there is no path to draw"),
        (lambda map, walk: plot.path([1, 2]), "shape (n, 2)"),
        (lambda map, walk: plot.path(np.zeros((0, 2))), "shape (n, 2)"),
        (lambda map, walk: plot.path([(0, 0, 0)]), "shape (n, 2)"),
        (lambda map, walk: plot.path("way"), "surefoot.Path or an array"),
        (lambda map, walk: plot.path([(0, 0)], smooth=True), "only a surefoot.Path"),
        (lambda map, walk: plot.path([(0, 0)], map=3), "map must be a surefoot.Map, not int"),
        (lambda map, walk: plot.walk(map), "walk must be a surefoot.Walk, not Map"),
        (lambda map, walk: plot.walk(walk, heat="warm"), "unknown heat 'warm'"),
        (lambda map, walk: plot.heat(map, np.zeros((12, 7))), "the shape of the map, (7, 12), not (12, 7)"),
        (lambda map, walk: plot.heat(map, [["a"]]), "an array of numbers"),
        (lambda map, walk: plot.work(walk, bound=0), "bound must be a number above 0, not 0"),
        (lambda map, walk: plot.work(walk, bound="25"), "bound must be a number above 0, not '25'"),
        (lambda map, walk: plot.tradeoff("results"), "results must be surefoot.lab.Results, not str"),
        (lambda map, walk: plot.tradeoff(Table(ROW), x="work"), "no column 'work'"),
        (lambda map, walk: plot.tradeoff(Table(("a*", "false", "1", ""))), "no walk of these results"),
        (lambda map, walk: plot.tradeoff(Table(ROW), x="algorithm"), "columns of numbers"),
        (lambda map, walk: plot.crowd(map), "crowd must be a surefoot.Crowd, not Map"),
    ],
)
def test_what_is_wrong_is_said(rooms, walk, draw, words):
    with pytest.raises(surefoot.ArgumentError, match=re.escape(words)):
        draw(rooms, walk)
    assert not plt.get_fignums(), "an error leaves no figure behind"


def test_without_matplotlib_it_says_what_to_install():
    program = "import sys; sys.modules['matplotlib'] = None; import surefoot.plot"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode != 0
    assert "ImportError: surefoot.plot needs matplotlib: pip install surefoot[plot]" in done.stderr


# Docstrings.


@pytest.mark.parametrize("name", ["", *(name for name in plot.__all__ if name != "COLOURS")])
def test_the_example_of_a_docstring_runs(name, tmp_path):
    text = inspect.getdoc(getattr(plot, name) if name else plot)
    names = {"surefoot": surefoot, "np": np, "tmp_path": tmp_path}
    example = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    assert example.examples
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example)
    assert runner.failures == 0
