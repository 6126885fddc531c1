"""A first look at surefoot: a way, many questions, two algorithms, and a picture of them."""

import pathlib
import time

import numpy as np

import surefoot

map = surefoot.Map.generate("game", 128, 128, seed=7)
start, goal = (59, 18), (38, 115)  # There are dead ends between them.

nav = map.navigator(progress=surefoot.Bar("building"))  # A large map shows the bar.
path = nav.path(start, goal)
print(f"{map}\nfrom {start} to {goal}: {len(path)} moves, cost {path.cost:.2f}")

free = np.argwhere(map.cells)[:, ::-1]  # Cells are x, y; rows of an array come first.
starts, goals = free[np.random.default_rng(7).integers(len(free), size=(2, 100_000))]
begin = time.perf_counter()
costs = nav.pair_costs(starts, goals)
seconds = time.perf_counter() - begin
print(f"{len(costs):,} costs in {seconds:.2f} s, {len(costs) / seconds:,.0f} a second")

walks = [map.walk(spec, start, goal, tape=True) for spec in ("lrta*(d=3)", "beacon*")]
for walk in walks:
    total = walk.work["total"]
    print(f"{walk.spec}: {len(walk):,} moves, suboptimality {walk.suboptimality:.1f} %", end=", ")
    print(f"work {total.sum():,}, {total.mean():.1f} a move, {total.max():,} at most")

try:
    from surefoot import plot
except ImportError as error:
    picture = pathlib.Path("path.png").resolve()
    picture.write_bytes(path.to_png())
    print(f"{error}\nWithout it there is a picture of the path only.")
else:
    import matplotlib.pyplot as plt

    picture = pathlib.Path("first_picture.png").resolve()
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 5), layout="constrained")
    figure.get_layout_engine().set(wspace=0.06)
    plot.path(path, left, map=map).set_title(f"A cheapest path, cost {path.cost:.1f}")
    plot.walk(walks[0], middle).set_title(f"What {walks[0].spec} learned on its way")
    for walk in walks:
        plot.work(walk, right)
    right.set(title="Work of each move", xscale="log", yscale="log")
    figure.savefig(picture, dpi=100)
print(f"The picture is {picture}")
