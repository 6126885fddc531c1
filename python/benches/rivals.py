"""The same problems, solved by surefoot and by other packages of PyPI, in one table.

    pip install surefoot pathfinding tcod networkx
    python benches/rivals.py [--benchmarks DIR] [--limit 40] [--problems 1000]

Maps are a generated one, and some of the MovingAI benchmarks: DIR has the folders bg512, dao and sc1 with the
files .map and .map.scen. DIR is that of the environment variable SUREFOOT_BENCHMARKS unless it is given, else
shared/benchmarks beside the repository.

- All is done on one thread. Each package has three passes over the same problems in the same order on each
  map, and the fastest counts. The garbage collector is off meanwhile, as in timeit.
- A path is all its cells, as the package gives them: an array, or a list of pairs or nodes.
- Slow packages get fewer problems: `--limit` of them, evenly picked. Surefoot is timed on the same ones.
- Moves are those of MovingAI: eight directions, sqrt(2) for a diagonal, and no cut corners. The class AStar
  of tcod cuts corners, unless it calls Python for each move. So it is held against surefoot with the rule
  "squeeze", which is the same as its own.
- tcod has whole numbers for costs. With 47321 / 33461 for sqrt(2) its cheapest paths are cheapest ones.
- Outside of the timing every path is checked, and its cost is counted from its moves.
"""

import argparse
import contextlib
import gc
import importlib.metadata
import math
import os
import pathlib
import platform
import time

import numpy as np

import surefoot

PASSES = 3
#: Costs are floating-point sums: what differs by less is the same.
TOLERANCE = 1e-6
#: Files of MovingAI have costs of two decimals or of six digits. Costs are below 10,000.
SCEN_TOLERANCE = 0.005
#: Two whole numbers, with sqrt(2) as their ratio to nine digits.
STRAIGHT, DIAGONAL = 33461, 47321
STEPS = [(-1, -1), (1, -1), (-1, 1), (1, 1)]


# The packages. Each is made of a map, which is its setup, and solves problems: pairs of cells (x, y).


class Package:
    name, does, rule = "surefoot", "", "no-cut"
    #: Whether `--limit` is for it.
    slow = False
    #: Problems between two looks at the clock, for the sake of progress.
    batch = 1_000_000

    def __init__(self, map):
        raise NotImplementedError

    def given(self, problems):
        """Problems as the package is given them. This is not timed."""
        return problems

    def solve(self, problems):
        raise NotImplementedError

    def cells(self, path, start):
        """A path as an array of cells (x, y), the start included."""
        return np.asarray(path, dtype=np.int64).reshape(-1, 2)


class Surefoot(Package):
    does = "`nav.path`"

    def __init__(self, map):
        self.nav = map.with_moves(rule=self.rule).navigator(threads=1)

    def solve(self, problems):
        path = self.nav.path
        return [path(start, goal).cells for start, goal in problems]


class SurefootSqueeze(Surefoot):
    rule = "squeeze"


class SurefootPairs(Surefoot):
    does = "`nav.pair_paths`, 1 thread"

    def given(self, problems):
        pairs = np.array(problems)
        return pairs[:, 0], pairs[:, 1]

    def solve(self, problems):
        starts, goals = problems
        return [path.cells for path in self.nav.pair_paths(starts, goals, threads=1)]


class SurefootCost(Surefoot):
    does = "`nav.cost`, no path"

    def solve(self, problems):
        cost = self.nav.cost
        return [cost(start, goal) for start, goal in problems]

    def cells(self, path, start):
        return None


class Pathfinding(Package):
    name, does, slow, batch = "pathfinding", "`AStarFinder`", True, 1

    def __init__(self, map):
        from pathfinding.core.diagonal_movement import DiagonalMovement
        from pathfinding.core.grid import Grid
        from pathfinding.finder.a_star import AStarFinder

        self.grid = Grid(matrix=map.cells.astype(int).tolist())
        self.finder = AStarFinder(diagonal_movement=DiagonalMovement.only_when_no_obstacle)

    def solve(self, problems):
        grid, find = self.grid, self.finder.find_path
        return [find(grid.node(*start), grid.node(*goal), grid)[0] for start, goal in problems]

    def cells(self, path, start):
        return super().cells([(node.x, node.y) for node in path], start)


class TcodPathfinder(Package):
    name, does, batch = "tcod", "`CustomGraph`, `Pathfinder`", 50

    def __init__(self, map):
        import tcod.path

        # Arrays of tcod are asked by (x, y) if they are transposed.
        free = map.cells.T.astype(np.int8)
        width, height = free.shape
        graph = tcod.path.CustomGraph((width, height))
        plus = [[0, STRAIGHT, 0], [STRAIGHT, 0, STRAIGHT], [0, STRAIGHT, 0]]
        graph.add_edges(edge_map=plus, cost=free)
        # A diagonal move is there where both cells beside it are free.
        wide = np.pad(free, 1)
        for dx, dy in STEPS:
            beside = wide[1 + dx : 1 + dx + width, 1:-1] & wide[1:-1, 1 + dy : 1 + dy + height]
            graph.add_edge((dx, dy), DIAGONAL, cost=free, condition=np.ascontiguousarray(beside))
        graph.set_heuristic(cardinal=STRAIGHT, diagonal=DIAGONAL)
        self.finder = tcod.path.Pathfinder(graph)

    def solve(self, problems):
        finder, paths = self.finder, []
        for start, goal in problems:
            finder.clear()
            finder.add_root(start)
            paths.append(finder.path_to(goal))
        return paths


class TcodAStar(Package):
    name, does, rule, batch = "tcod", "`AStar`", "squeeze", 50

    def __init__(self, map):
        import tcod.path

        self.finder = tcod.path.AStar(np.ascontiguousarray(map.cells.T, dtype=np.int8), math.sqrt(2))

    def solve(self, problems):
        path = self.finder.get_path
        return [path(*start, *goal) for start, goal in problems]

    def cells(self, path, start):
        return super().cells([start, *path], start)


class Networkx(Package):
    name, does, slow, batch = "networkx", "`astar_path`", True, 1

    def __init__(self, map):
        import networkx

        free = map.cells
        places = [[(x, y) for x in range(map.width)] for y in range(map.height)]
        self.find, self.graph = networkx.astar_path, networkx.Graph()
        self.graph.add_nodes_from(places[y][x] for y, x in np.argwhere(free).tolist())
        right, down = free[:, :-1] & free[:, 1:], free[:-1] & free[1:]
        square = right[:-1] & right[1:]
        for cells, (x1, y1), (x2, y2), cost in [
            (right, (0, 0), (1, 0), 1.0),
            (down, (0, 0), (0, 1), 1.0),
            (square, (0, 0), (1, 1), math.sqrt(2)),
            (square, (1, 0), (0, 1), math.sqrt(2)),
        ]:
            self.graph.add_weighted_edges_from(
                (places[y + y1][x + x1], places[y + y2][x + x2], cost) for y, x in np.argwhere(cells).tolist()
            )

    def solve(self, problems):
        find, graph = self.find, self.graph
        return [find(graph, start, goal, heuristic=octile) for start, goal in problems]


def octile(a, b, more=math.sqrt(2) - 1):
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return dx + more * dy if dx > dy else dy + more * dx


#: Surefoot's are first: the others are held against its paths.
OWN = [Surefoot, SurefootSqueeze]
PACKAGES = [
    Surefoot,
    SurefootPairs,
    SurefootCost,
    SurefootSqueeze,
    TcodPathfinder,
    TcodAStar,
    Pathfinding,
    Networkx,
]


# Checks.


def is_legal(free, cells, start, goal, rule):
    """Whether a path leads from a start to a goal by moves of a rule, "no-cut" or "squeeze"."""
    if len(cells) == 0 or tuple(cells[0]) != start or tuple(cells[-1]) != goal:
        return False
    x, y = cells[:, 0], cells[:, 1]
    inside = (x >= 0) & (y >= 0) & (x < free.shape[1]) & (y < free.shape[0])
    if not inside.all() or not free[y, x].all():
        return False
    if (np.abs(np.diff(cells, axis=0)).max(axis=1, initial=0) != 1).any():
        return False
    # Of a straight move, these two cells are its ends.
    return rule == "squeeze" or bool((free[y[1:], x[:-1]] & free[y[:-1], x[1:]]).all())


def cost_of(cells):
    """What a path costs: straight moves, and sqrt(2) for each diagonal one."""
    moves = np.abs(np.diff(cells, axis=0)).sum(axis=1)
    return int((moves == 1).sum()) + int((moves == 2).sum()) * math.sqrt(2)


# Measures.


class Row:
    """What came of a package on some maps."""

    def __init__(self):
        self.problems = self.differ = self.cuts = self.illegal = self.unlike_file = 0
        self.time = self.own_time = self.above = self.setup = 0.0


def timed(act, *arguments):
    """What a function gives, and the seconds that it took."""
    begin = time.perf_counter()
    made = act(*arguments)
    return made, time.perf_counter() - begin


@contextlib.contextmanager
def no_collection():
    """Keeps the garbage collector out of the timing."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def fastest(package, problems, tell):
    """The answers of a package, and the seconds of its fastest pass."""
    batches = [problems[place : place + package.batch] for place in range(0, len(problems), package.batch)]
    given = [(package.given(batch), len(batch)) for batch in batches]
    times = []
    for number in range(PASSES):
        answers, seconds = [], 0.0
        for batch, count in given:
            solved, took = timed(package.solve, batch)
            answers += solved
            seconds += took
            tell(f"pass {number + 1} of {PASSES}", count)
        times.append(seconds)
    return answers, min(times)


def picked(problems, count):
    """Some problems, evenly picked."""
    if len(problems) <= count:
        return problems
    return [problems[number * len(problems) // count] for number in range(count)]


def measure(name, map, problems, limit, packages, rows):
    """Adds what comes of a map to the rows. A problem is a start, a goal and what the file says, or None."""
    free, some = map.cells, picked(problems, limit)
    tasks = [(kind, some if kind.slow else problems) for kind in packages]
    all = sum(PASSES * len(chosen) * (1 if kind in OWN else 2) for kind, chosen in tasks)
    bar, done = surefoot.Bar(name), 0
    own = {kind.rule: kind(map) for kind in OWN}
    for kind, chosen in tasks:

        def tell(stage, more, who=f"{kind.name} {kind.does}"):
            nonlocal done
            done += more
            bar(f"{who}, {stage}", done, all)

        pairs = [(start, goal) for start, goal, _ in chosen]
        row = rows[kind]
        with no_collection():
            if kind not in OWN:
                own_answers, own_seconds = fastest(own[kind.rule], pairs, tell)
            tell("setup", 0)
            package, setup = timed(kind, map)
            answers, seconds = fastest(package, pairs, tell)
            if kind in OWN:
                own_answers, own_seconds = answers, seconds
        row.setup += setup
        row.time += seconds
        row.own_time += own_seconds
        row.problems += len(pairs)
        for (start, goal, of_file), answer, own_cells in zip(chosen, answers, own_answers, strict=True):
            cells = package.cells(answer, start)
            if cells is None:
                cost = answer
            elif is_legal(free, cells, start, goal, kind.rule):
                cost = cost_of(cells)
                row.cuts += not is_legal(free, cells, start, goal, "no-cut")
            else:
                row.illegal += 1
                continue
            best = cost_of(own_cells.astype(np.int64))
            row.above += cost / best - 1 if best else 0.0
            row.differ += abs(cost - best) > TOLERANCE
            if of_file is not None:
                row.unlike_file += abs(cost - of_file) > SCEN_TOLERANCE + TOLERANCE
        del package, answers
    bar.clear()


def pairs_of(problems, begin=0, step=1, of_file=False):
    """Problems as tuples of plain numbers, with the costs if they are those of a file."""
    starts, goals, costs = problems.starts.tolist(), problems.goals.tolist(), problems.costs.tolist()
    known = costs if of_file else [None] * len(costs)
    return list(zip(map(tuple, starts), map(tuple, goals), known, strict=True))[begin::step]


# The table.

HEAD = [
    "maps",
    "package",
    "moves",
    "problems",
    "µs a path",
    "surefoot's µs on these",
    "times as slow",
    "cost above surefoot's, %",
    "costs that differ",
    "paths not legal by no-cut",
    "costs unlike the file's",
    "setup, s",
]


def lines_of(label, rows, has_file):
    for kind, row in rows.items():
        if not row.problems:
            continue
        version = importlib.metadata.version(kind.name)
        solved = max(row.problems - row.illegal, 1)
        is_paths = kind is not SurefootCost
        yield [
            label,
            f"{kind.name} {version} {kind.does}",
            kind.rule,
            f"{row.problems:,}",
            f"{1e6 * row.time / row.problems:,.1f}",
            f"{1e6 * row.own_time / row.problems:,.1f}",
            f"{row.time / row.own_time:,.1f}",
            f"{100 * row.above / solved:.4f}",
            str(row.differ),
            str(row.cuts + row.illegal) if is_paths else "-",
            str(row.unlike_file) if has_file and kind.rule == "no-cut" else "-",
            f"{row.setup:.2f}",
        ]


def breaches(rows):
    """Words on paths that are none, even by the rule of their package."""
    for kind, row in rows.items():
        if row.illegal:
            yield f"{kind.name} {kind.does}: {row.illegal} paths break its own rule. They have no cost."


def table(lines):
    yield "| " + " | ".join(HEAD) + " |"
    yield "|" + "".join("---|" if place < 3 else "---:|" for place in range(len(HEAD)))
    for line in lines:
        yield "| " + " | ".join(line) + " |"


def there(packages):
    """The packages that are installed."""
    for kind in packages:
        try:
            importlib.metadata.version(kind.name)
        except importlib.metadata.PackageNotFoundError:
            print(f"{kind.name} {kind.does} is left out: pip install {kind.name}")
        else:
            yield kind


def arguments():
    beside = pathlib.Path(__file__).resolve().parents[1] / "../../shared/benchmarks"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    option = parser.add_argument
    option("--benchmarks", type=pathlib.Path, metavar="DIR", help="the folder of bg512, dao and sc1")
    option("--problems", type=int, default=1000, help="problems on the generated map")
    option("--limit", type=int, default=40, help="problems of slow packages in a row of the table")
    option("--every-map", type=int, default=25, help="every which map of a set is taken")
    option("--every-problem", type=int, default=20, help="every which problem of a file is taken")
    chosen = parser.parse_args()
    if chosen.benchmarks is None:
        chosen.benchmarks = pathlib.Path(os.environ.get("SUREFOOT_BENCHMARKS", beside))
    return chosen


def main():
    chosen, begin = arguments(), time.perf_counter()
    packages = list(there(PACKAGES))

    map = surefoot.Map.generate("game", 512, 512, seed=7)
    problems = pairs_of(map.problems(chosen.problems, min_cost=100, max_cost=400, seed=1))
    rows = {kind: Row() for kind in packages}
    measure("generated", map, problems, chosen.limit, packages, rows)
    lines, words = list(lines_of("generated, 512 x 512", rows, False)), list(breaches(rows))

    sets = ["bg512", "dao", "sc1"]
    folders = [sorted((chosen.benchmarks / name).glob("*.map")) for name in sets]
    files = [file for folder in folders for file in folder[:: chosen.every_map]]
    if files:
        rows = {kind: Row() for kind in packages}
        limit = max(chosen.limit // len(files), 1)
        for file in files:
            scen = surefoot.read_scen(f"{file}.scen")
            problems = pairs_of(scen, chosen.every_problem // 2, chosen.every_problem, of_file=True)
            measure(file.stem, surefoot.Map.open(file), problems, limit, packages, rows)
        lines += lines_of(f"MovingAI, {len(files)} maps", rows, True)
        words += breaches(rows)
    else:
        print("The MovingAI maps are left out: there are none in the folder that --benchmarks or the")
        print("environment variable SUREFOOT_BENCHMARKS names.")

    print("\n".join([*table(lines), "", *words]))
    if files:
        names = ", ".join(f"{file.parent.name}/{file.stem}" for file in files)
        print(f"Maps of MovingAI: {names}.")
    seconds = time.perf_counter() - begin
    print(f"Python {platform.python_version()}, numpy {np.__version__}; all took {seconds:.0f} s.")


if __name__ == "__main__":
    main()
