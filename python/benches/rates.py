"""How fast questions are answered as arrays, beside the same questions in Rust.

    python benches/rates.py

It needs Rust: `cargo run --release -p surefoot-bench -- questions` asks for the same on the same map. One thread,
the fastest of five passes, both in one run. The sums of costs and moves have to be the same.
"""

import argparse
import pathlib
import subprocess
import tempfile
import time

import numpy as np

import surefoot

PASSES = 5
ROOT = pathlib.Path(__file__).resolve().parents[2]


def fastest(call, count):
    """Questions a second, and the last answer."""
    best = float("inf")
    for _ in range(PASSES):
        begin = time.perf_counter()
        answer = call()
        best = min(best, time.perf_counter() - begin)
    return count / best, answer


def native(map, starts, goals, folder):
    """What the Rust program says of the same questions."""
    path = folder / "world.map"
    path.write_text(map.to_text())
    rows = (f"0\tworld.map\t{map.width}\t{map.height}\t{a}\t{b}\t{c}\t{d}\t0" for (a, b), (c, d) in zip(starts, goals))
    (folder / "world.map.scen").write_text("version 1\n" + "\n".join(rows) + "\n")
    command = ["cargo", "run", "--release", "--quiet", "-p", "surefoot-bench", "--", "questions", "--map", str(path)]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.split(",") for line in said.split("\n") if line)}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=100_000)
    options.add_argument("--side", type=int, default=512)
    options = options.parse_args()
    map = surefoot.Map.generate("game", options.side, options.side, seed=7)
    nav = map.navigator()
    free = np.argwhere(map.cells)[:, ::-1]
    starts, goals = free[np.random.default_rng(7).integers(len(free), size=(2, options.count))]
    with tempfile.TemporaryDirectory() as folder:
        rust = native(map, starts, goals, pathlib.Path(folder))
    count = options.count
    costs_rate, costs = fastest(lambda: nav.pair_costs(starts, goals, threads=1), count)
    paths_rate, paths = fastest(lambda: nav.pair_paths(starts[: count // 10], goals[: count // 10], threads=1), count // 10)
    all_rate, again = fastest(lambda: nav.pair_costs(starts, goals), count)
    one_rate, _ = fastest(lambda: [nav.cost(a, b) for a, b in zip(starts[:10_000], goals[:10_000])], 10_000)
    finite = costs[np.isfinite(costs)]
    assert np.isclose(finite.sum(), rust["sum of costs"]), (finite.sum(), rust)
    assert (costs == again).all() and len(paths) == count // 10
    print(f"{count:,} questions on {map}\n")
    print("| questions | a second from Python | in Rust, one thread | share |")
    print("|---|---:|---:|---:|")
    for name, rate, own in [
        ("costs as arrays, `pair_costs(threads=1)`", costs_rate, rust["costs"]),
        ("costs as arrays, `pair_costs`, all cores", all_rate, rust["costs"]),
        ("costs one by one, `cost`", one_rate, rust["costs"]),
        ("paths, `pair_paths(threads=1)`", paths_rate, rust["paths"]),
    ]:
        print(f"| {name} | {rate:,.0f} | {own:,.0f} | {rate / own:.2f} |")


if __name__ == "__main__":
    main()
