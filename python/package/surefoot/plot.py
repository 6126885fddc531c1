"""Pictures with matplotlib: maps, paths, walks, crowds, and what algorithms cost.

Every function takes ``ax``, the axes to draw on, and gives them back. If they are left out, they are made.
On maps x and y are cells. The middle of the first cell is at 0, 0, and y grows downwards.

>>> from surefoot import plot
>>> map = surefoot.Map.generate("rooms", 64, 48)
>>> problems = map.problems(1, min_cost=30)
>>> walk = map.walk("lrta*(d=3)", problems.starts[0], problems.goals[0], tape=True)
>>> ax = plot.walk(walk)
>>> ax.figure.savefig(tmp_path / "walk.png")
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

try:
    import matplotlib
    from matplotlib import patheffects
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure
    from matplotlib.transforms import ScaledTranslation
except ImportError as error:
    raise ImportError("surefoot.plot needs matplotlib: pip install surefoot[plot]") from error

from ._surefoot import Crowd, Map, Path, Walk
from .errors import ArgumentError
from .lab import Results

__all__ = ["COLOURS", "crowd", "heat", "map", "path", "tradeoff", "walk", "work"]

#: Eight colours that can be told apart, also by those who see few: those of Okabe and Ito.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")

_MARKERS = "os^Dv*PX<>ph8d"

_WALL = "#39404d"

_SHADES = ["#f6f4ee", "#b9a88a", "#86714f"]
_GROUND = LinearSegmentedColormap.from_list("surefoot ground", _SHADES).with_extremes(under=_WALL)

#: From light to dark, but for the lightest part, which looks like ground.
_HEAT = LinearSegmentedColormap.from_list(
    "surefoot heat", matplotlib.colormaps["YlOrRd"](np.linspace(0.2, 1.0, 256))
)

#: What walks can be coloured by, and the words beside the bar.
_HEATS = {"learned": "learned, in straight moves", "expanded": "times expanded"}

_STATUSES = (
    ("walking", COLOURS[0]),
    ("arrived", COLOURS[2]),
    ("no way", COLOURS[1]),
    ("stuck", COLOURS[3]),
)

_WORDS = {
    "expansions_mean": "expansions a move",
    "expansions_max": "most expansions in a move",
    "suboptimality_pct": "suboptimality, %",
    "plan_ns_mean": "planning time a move, ns",
    "plan_ns_max": "longest planning time of a move, ns",
    "first_move_ns": "time to the first move, ns",
    "steps20_ns": "time to the first 20 steps, ns",
    "travel_cost": "cost of the walk",
    "moves": "moves",
    "revisits": "moves to cells seen before",
}


def map(map: Map, ax: Axes | None = None, *, weights: bool = True) -> Axes:
    """Draws a map: walls are dark, and ground is light. The more ground costs, the darker its shade is.

    >>> from surefoot import plot
    >>> ax = plot.map(surefoot.Map.parse("..#\\n..."))
    >>> ax.images[0].get_array().tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    _expect(map, Map, "map", "a surefoot.Map")
    ax = _map_axes(ax)
    _draw_map(ax, map, weights)
    return ax


def path(
    path: Path | Any,
    ax: Axes | None = None,
    *,
    color: Any = None,
    label: str | None = None,
    map: Map | None = None,
    smooth: bool = False,
) -> Axes:
    """Draws a path, or cells as an array of shape (n, 2). A disc is the start, and a square is the goal.

    ``map`` is drawn below it; that of a :class:`surefoot.Path` if the axes are new. With ``smooth`` the path is drawn as it is when it is pulled tight. Moves over
    links are dotted. Unless ``color`` says which, each path on the same axes has a colour of its own.

    >>> from surefoot import plot
    >>> map = surefoot.Map.parse("......\\n.####.\\n......")
    >>> ax = plot.path(map.navigator().path((1, 0), (1, 2)), map=map, label="around")
    >>> ax.lines[0].get_xydata().tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [1.0, 2.0]]
    """
    points, jumps = _points(path, smooth)
    if map is None and ax is None and isinstance(path, Path):
        map = path.map
    if map is not None:
        _expect(map, Map, "map", "a surefoot.Map")
    ax = _map_axes(ax)
    if map is not None:
        _draw_map(ax, map, True)
    _draw_path(ax, points, jumps, color=_next_colour(ax, color), label=label)
    return ax


def walk(walk: Walk, ax: Axes | None = None, *, heat: str | None = "learned") -> Axes:
    """Draws a walk on its map, over the heat of what was learned, or of what was ``"expanded"``.

    The walk must have been recorded for that, by ``tape=True``; with ``heat=None`` any walk can be drawn. A
    cross is where a walk ended that did not arrive.

    >>> from surefoot import plot
    >>> map = surefoot.Map.parse("......\\n.####.\\n......")
    >>> walk = map.walk("lrta*(d=1)", (1, 0), (3, 2), tape=True)
    >>> ax = plot.walk(walk, heat="expanded")
    >>> len(ax.lines[0].get_xydata()) == len(walk) + 1
    True
    """
    _expect(walk, Walk, "walk", "a surefoot.Walk")
    if heat is not None and heat not in _HEATS:
        raise ArgumentError(f'unknown heat {heat!r}; expected one of: "learned", "expanded", None')
    values = None if heat is None else getattr(walk, heat)()
    ax = _map_axes(ax)
    _draw_map(ax, walk.map, True)
    if values is not None:
        _draw_heat(ax, values, _HEATS[str(heat)], _HEAT)
    # Walks come back to cells. With heat the line is thinner than a cell, so that the heat is seen beside it.
    look: dict[str, Any] = {"width": 1.4}
    if values is not None and values.any():
        look = {"width": min(max(0.35 * _cell_points(ax, walk.map), 0.5), 1.4), "halo": False, "alpha": 0.7}
    _draw_path(ax, walk.cells, [], color=COLOURS[0], label=walk.spec, arrived=walk.solved, **look)
    return ax


def heat(
    map: Map, values: Any, ax: Axes | None = None, *, label: str | None = None, cmap: Any = _HEAT
) -> Axes:
    """Draws a number for each cell over a map, with a bar that says which colour is which number.

    ``values`` is an array of the map's shape. Where it is zero, or no finite number, the map is seen.

    >>> from surefoot import plot
    >>> map = surefoot.Map.parse("...\\n..#")
    >>> free = np.argwhere(map.cells)[:, ::-1]
    >>> costs = np.zeros(map.shape)
    >>> costs[map.cells] = map.navigator().costs((0, 0), free)
    >>> ax = plot.heat(map, costs, label="cost from the corner")
    >>> int(ax.images[1].get_array().count())
    4
    """
    _expect(map, Map, "map", "a surefoot.Map")
    try:
        values = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError("values must be an array of numbers") from None
    if values.shape != map.shape:
        raise ArgumentError(f"values must have the shape of the map, {map.shape}, not {values.shape}")
    ax = _map_axes(ax)
    _draw_map(ax, map, True)
    _draw_heat(ax, values, label, cmap)
    return ax


def work(walk: Walk, ax: Axes | None = None, *, bound: float | bool | None = None) -> Axes:
    """Draws how much work each step of a walk took, and a ``bound`` as a dashed line: ``True`` for its own.

    Walks that are drawn on the same axes have colours of their own.

    >>> from surefoot import plot
    >>> map = surefoot.Map.generate("rooms", 64, 48)
    >>> problems = map.problems(1, min_cost=30)
    >>> walk = map.walk("lrta*(d=3)", problems.starts[0], problems.goals[0])
    >>> ax = plot.work(walk, bound=25)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['lrta*(d=3)', 'bound 25']
    """
    _expect(walk, Walk, "walk", "a surefoot.Walk")
    if isinstance(bound, bool):
        bound = walk.work_bound if bound else None
    if bound is not None and not (_is_number(bound) and bound > 0):
        raise ArgumentError(f"bound must be a number above 0, not {bound!r}")
    ax = ax if ax is not None else _new_axes()
    total = walk.work["total"]
    colour = _next_colour(ax, None)
    steps = np.arange(1, len(total) + 1)
    (line,) = ax.plot(steps, total, drawstyle="steps-mid", color=colour, linewidth=1.0, label=walk.spec)
    line.set_gid("surefoot line")
    if bound is not None:
        ax.axhline(bound, color=colour, linestyle="--", linewidth=1.2, label=f"bound {bound:,}")
    ax.set_xlabel("step")
    ax.set_ylabel("work")
    ax.update_datalim([(1, 0)])  # Zero is in sight, unless the axis is logarithmic.
    ax.autoscale_view()
    ax.legend(loc="best", fontsize="small")
    return ax


def tradeoff(
    results: Results, ax: Axes | None = None, *, x: str = "expansions_mean", y: str = "suboptimality_pct"
) -> Axes:
    """Draws how good the walks of each algorithm are against how much work they take.

    There is a point for each algorithm of a study: the mean of all walks that arrived. ``x`` and ``y`` are
    columns of the results. Axes are logarithmic where numbers allow it.

    >>> from surefoot import plot
    >>> plan = surefoot.lab.Plan.parse('''
    ... title = "How far to look ahead"
    ... timed = false
    ... [[maps]]
    ... generate = "rooms"
    ... width = 60
    ... height = 40
    ... rule = "no-cut"
    ... cost = "sqrt2"
    ... problems = { count = 5, min-cost = 10, max-cost = 60 }
    ... [[algorithms]]
    ... specs = ["a*", "lrta*(d={1,3})"]
    ... ''')
    >>> ax = plot.tradeoff(surefoot.lab.run(plan, tmp_path / "ahead"))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a*', 'lrta*(d=1)', 'lrta*(d=3)']
    """
    _expect(results, Results, "results", "surefoot.lab.Results")
    means = _means(results.table(), x, y)
    own = ax is None
    ax = ax if ax is not None else _new_axes()
    for number, (label, at_x, at_y) in enumerate(means):
        ax.plot(
            at_x,
            at_y,
            linestyle="none",
            marker=_MARKERS[number // len(COLOURS) % len(_MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            markeredgecolor="black",
            markeredgewidth=0.6,
            markersize=8,
            clip_on=False,
            label=label,
        )
    _scale(ax.set_xscale, ax.set_xlim, [at_x for _, at_x, _ in means])
    _scale(ax.set_yscale, ax.set_ylim, [at_y for _, _, at_y in means])
    ax.set_xlabel(_WORDS.get(x, x))
    ax.set_ylabel(_WORDS.get(y, y))
    ax.grid(True, color="#e3e3e3", linewidth=0.8)
    ax.set_axisbelow(True)
    _legend_below(ax, own)
    return ax


def crowd(crowd: Crowd, ax: Axes | None = None) -> Axes:
    """Draws a crowd on its map. Colours say which units walk, have arrived, have no way, or are stuck.

    >>> from surefoot import plot
    >>> crowd = surefoot.Crowd(surefoot.Map.parse("......\\n.####.\\n......"))
    >>> units = crowd.add_many(crowd.add_kind(), [(1, 0), (0, 0)], [(3, 2), (0, 0)])
    >>> frame = crowd.frame()
    >>> ax = plot.crowd(crowd)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['walking (1)', 'arrived (1)']
    """
    _expect(crowd, Crowd, "crowd", "a surefoot.Crowd")
    ax = _map_axes(ax)
    map = crowd.map
    _draw_map(ax, map, True)
    points, statuses = crowd.points(), crowd.statuses()
    # As large as a cell, as far as that can be seen.
    side = min(max(0.8 * _cell_points(ax, map), 2.5), 20.0)
    for number, (name, colour) in enumerate(_STATUSES):
        some = points[statuses == number]
        if len(some):
            ax.scatter(
                some[:, 0],
                some[:, 1],
                s=side**2,
                color=colour,
                edgecolors="white" if side > 5 else "none",
                linewidths=0.5,
                label=f"{name} ({len(some):,})",
                zorder=3,
            )
    if len(points):
        _legend_below(ax, False, markerscale=max(6.0 / side, 1.0))
    return ax


# Axes.


def _new_axes() -> Axes:
    _, ax = plt.subplots(layout="constrained")
    return ax


def _map_axes(ax: Axes | None) -> Axes:
    """Axes for cells: y grows downwards, and a cell is as wide as it is high."""
    ax = ax if ax is not None else _new_axes()
    ax.set_aspect("equal")
    if not ax.yaxis_inverted():
        ax.invert_yaxis()
    return ax


def _cell_points(ax: Axes, map: Map) -> float:
    """The side of a cell in points, as the axes are now."""
    box = ax.get_window_extent()
    return min(box.width / map.width, box.height / map.height) * 72.0 / ax.figure.dpi


def _legend_below(ax: Axes, may_grow: bool, markerscale: float = 1.0) -> None:
    """A legend below the axes, with as many columns as there is room for."""
    box = ax.get_window_extent()
    handles, labels = ax.get_legend_handles_labels()
    # A letter of this size is about 6 points wide.
    letters = max(int(box.width * 72.0 / ax.figure.dpi / 6.0) - 8, 16)
    labels = [textwrap.fill(label, letters) for label in labels]
    below = ax.transAxes + ScaledTranslation(0, -0.62, ax.figure.dpi_scale_trans)
    for columns in range(min(len(labels), 4), 0, -1):
        legend = ax.legend(
            handles,
            labels,
            loc="upper left",
            bbox_to_anchor=(0, 0),
            bbox_transform=below,
            borderaxespad=0,
            ncol=columns,
            fontsize="small",
            frameon=False,
            markerscale=markerscale,
        )
        if legend.get_window_extent().width <= box.width:
            break
    figure = ax.figure
    if may_grow and isinstance(figure, Figure):
        figure.set_figheight(figure.get_figheight() + legend.get_window_extent().height / figure.dpi)


def _next_colour(ax: Axes, colour: Any) -> Any:
    if colour is not None:
        return colour
    drawn = sum(line.get_gid() == "surefoot line" for line in ax.lines)
    return COLOURS[drawn % len(COLOURS)]


def _scale(set_scale: Callable[..., Any], set_limits: Callable[..., Any], values: Sequence[float]) -> None:
    """Makes an axis logarithmic if numbers allow it. If one is zero, it is linear near zero."""
    least, most = min(values), max(values)
    if least > 0:
        set_scale("log")
    elif least == 0 and most > 0:
        above = min(value for value in values if value > 0)
        linear = 10.0 ** math.floor(math.log10(max(above, most / 1e4)))
        set_scale("symlog", linthresh=linear, linscale=0.5)
        # Zero is not quite at the end, and nothing below it has a tick.
        set_limits(-linear / 3, most * 2)


# What is drawn.


def _draw_map(ax: Axes, map: Map, weights: bool) -> None:
    ground = map.weights if weights else None
    if ground is None:
        ground = map.cells.view(np.uint8)
    most = max(int(ground.max(initial=0)), 2)
    ax.imshow(ground, cmap=_GROUND, vmin=1, vmax=most, interpolation="nearest", origin="upper", zorder=0)


def _draw_heat(ax: Axes, values: np.ndarray, label: str | None, cmap: Any) -> None:
    seen = np.isfinite(values) & (values != 0)
    shown = np.ma.masked_array(np.where(seen, values, 0.0), mask=~seen)
    least, most = (float(shown.min()), float(shown.max())) if seen.any() else (0.0, 1.0)
    image = ax.imshow(
        shown,
        cmap=cmap,
        vmin=min(least, 0.0),
        vmax=max(most, 0.0),
        interpolation="nearest",
        origin="upper",
        zorder=1,
    )
    # As high as a square map is.
    ax.figure.colorbar(image, ax=ax, fraction=0.046, pad=0.03, label=label or "")


def _draw_path(
    ax: Axes,
    points: np.ndarray,
    jumps: list[int],
    *,
    color: Any,
    label: str | None,
    width: float = 2.0,
    halo: bool = True,
    alpha: float = 1.0,
    arrived: bool = True,
) -> None:
    pieces = np.asarray(points, dtype=float)
    # A gap in the line where a link is.
    gaps = np.insert(pieces, jumps, np.nan, axis=0) if jumps else pieces
    (line,) = ax.plot(*gaps.T, color=color, linewidth=width, alpha=alpha, label=label, zorder=2)
    line.set_gid("surefoot line")
    if halo:
        line.set_path_effects([patheffects.withStroke(linewidth=width + 1.5, foreground="white", alpha=0.8)])
    for step in jumps:
        ax.plot(*pieces[step - 1 : step + 1].T, color=color, linewidth=width, linestyle=":", zorder=2)
    for (at_x, at_y), marker in ((pieces[0], "o"), (pieces[-1], "s" if arrived else "X")):
        (end,) = ax.plot(at_x, at_y, marker=marker, color=color, markeredgecolor="white", markersize=8)
        end.set(zorder=3, clip_on=False)


# What is given.


def _expect(value: Any, kind: type, name: str, words: str) -> None:
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} must be {words}, not {type(value).__name__}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _points(path: Any, smooth: bool) -> tuple[np.ndarray, list[int]]:
    """The points of a path, and the places of those that a link leads to."""
    if path is None:
        raise ArgumentError("there is no path to draw: None says that there is no way")
    if isinstance(path, Path):
        points = path.smooth()[0] if smooth else path.cells
        links = set(path.jumps)
        pairs = zip(points[:-1].tolist(), points[1:].tolist(), strict=True) if links else ()
        return points, [step for step, (a, b) in enumerate(pairs, 1) if (tuple(a), tuple(b)) in links]
    if smooth:
        raise ArgumentError("only a surefoot.Path can be drawn smooth")
    try:
        points = np.asarray(path, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError("path must be a surefoot.Path or an array of cells") from None
    if points.ndim != 2 or points.shape[1] != 2 or not len(points):
        raise ArgumentError(f"an array of cells has the shape (n, 2) with n from 1 on, not {points.shape}")
    return points, []


def _means(table: dict[str, list[str]], x: str, y: str) -> list[tuple[str, float, float]]:
    """The mean of two columns for each algorithm, in the order of the table, with a label."""
    for name in (x, y):
        if name not in table:
            raise ArgumentError(f"results have no column {name!r}; they have: {', '.join(table)}")
    walks: dict[str, int] = {}
    solved: dict[str, int] = {}
    pairs: dict[str, list[tuple[float, float]]] = {}
    columns = (table["algorithm"], table["solved"], table[x], table[y])
    for algorithm, arrived, *texts in zip(*columns, strict=True):
        walks[algorithm] = walks.get(algorithm, 0) + 1
        if arrived != "true":
            continue
        solved[algorithm] = solved.get(algorithm, 0) + 1
        if all(texts):
            try:
                pairs.setdefault(algorithm, []).append((float(texts[0]), float(texts[1])))
            except ValueError:
                raise ArgumentError(f"{x!r} and {y!r} must be columns of numbers") from None
    if not pairs:
        raise ArgumentError(f"no walk of these results arrived and has both {x!r} and {y!r}")
    means = []
    for algorithm, numbers in pairs.items():
        some, every = solved[algorithm], walks[algorithm]
        label = algorithm if some == every else f"{algorithm}, {some:,} of {every:,} arrived"
        # Costs are sums of roots: what is left of a difference of none is not a difference.
        mean_x, mean_y = (0.0 if abs(mean) < 1e-9 else float(mean) for mean in np.mean(numbers, axis=0))
        means.append((label, mean_x, mean_y))
    return means
