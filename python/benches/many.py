"""Databases and studies on Dask workers, beside one process: times, bytes and rows.

    python benches/many.py

It needs `pip install distributed`. Everything is measured in one run: 60,000 records of a map of about ten million
states, and a study, by one process and by two and four local workers of one thread each; then with one worker killed
in the middle; and what a unit costs beside its work. `--benchmarks DIR` is the folder of the MovingAI maps, else the
environment variable SUREFOOT_BENCHMARKS names it; without them the map is generated, and the study is on generated maps.
"""

import argparse
import os
import pathlib
import signal
import tempfile
import threading
import time

import numpy as np

import surefoot

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / ".." / "shared" / "benchmarks"
#: Columns in which two runs may differ.
TIMES = {"build_seconds", "date", "worker", "plan_ns_mean", "plan_ns_median", "plan_ns_max", "first_move_ns", "steps20_ns"}

GENERATED = """
title = "A study without files"
timed = false
seeds = 3
most-moves = 100000
[[maps]]
generate = "game"
width = 512
height = 512
rule = "no-cut"
cost = "sqrt2"
problems = { count = 100, min-cost = 100, max-cost = 400 }
[[algorithms]]
specs = ["lrta*(d={1,3,5,7})", "knn-lrta*(n={1000,5000})", "pra*", "beacon*", "a*"]
"""

TINY = """
title = "Units that take no time"
timed = false
seeds = 100
[[maps]]
generate = "rooms"
width = 20
height = 20
rule = "no-cut"
cost = "sqrt2"
problems = { count = 1, min-cost = 2, max-cost = 40 }
[[algorithms]]
specs = ["knn-lrta*(n={1,2,3})"]
"""


def large_map(benchmarks):
    """A map of about ten million states."""
    file = benchmarks / "bg512" / "AR0011SR.map"
    if not file.exists():
        return surefoot.Map.generate("game", 4000, 4000, seed=1)
    cells = surefoot.Map.open(file).cells
    return surefoot.Map(np.repeat(np.repeat(cells, 9, 0), 9, 1))


def timed(call):
    begin = time.perf_counter()
    made = call()
    return time.perf_counter() - begin, made


def rows_of(results):
    return {name: column for name, column in results.table().items() if name not in TIMES}


def killed(client, after):
    """Kills the first worker, with SIGKILL, after so many seconds."""

    def kill():
        time.sleep(after)
        os.kill(client.run(os.getpid)[min(client.scheduler_info()["workers"])], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def main():
    import distributed

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--benchmarks", type=pathlib.Path, default=os.environ.get("SUREFOOT_BENCHMARKS", BENCHMARKS))
    options.add_argument("--records", type=int, default=60_000)
    options = options.parse_args()
    benchmarks, spec = pathlib.Path(options.benchmarks), f"knn-lrta*(n={options.records})"
    map = large_map(benchmarks)
    print(f"{map}\n")
    plan = surefoot.lab.Plan.parse(GENERATED, name="generated")
    if (benchmarks / "knn2009").is_dir():
        # Walks of timed plans are done one at a time, wherever they are done.
        text = surefoot.lab.Plan.built_in("knn2009").text.replace("timed = true", "timed = false")
        plan = surefoot.lab.Plan.parse(text, name="knn2009")
    tiny = surefoot.lab.Plan.parse(TINY, name="tiny")
    units = len(tiny.units())
    folder = pathlib.Path(tempfile.mkdtemp())

    def study(name, run, plan=plan, **more):
        return timed(lambda: run(plan, folder / name, maps=benchmarks if plan.name == "knn2009" else None, quick=True, **more))

    lines = [("who", f"{options.records:,} records, s", "same bytes", f"study {plan.name}, s", "same rows", "a unit beside its work, ms")]
    one, whole = timed(lambda: map.database(spec))
    single, _ = timed(lambda: map.database(spec, threads=1))
    studied, rows = study("one", surefoot.lab.run)
    alone, alone_rows = study("alone", surefoot.lab.run, threads=1)
    nothing, _ = study("nothing", surefoot.lab.run, plan=tiny)
    lines.append(("one process, one thread", f"{single:.1f}", "", f"{alone:.1f}", "", ""))
    lines.append(("one process, all cores", f"{one:.1f}", "", f"{studied:.1f}", "", f"{nothing / units * 1e3:.1f}, all of it"))
    bytes, rows = whole.to_bytes(), rows_of(rows)
    assert rows_of(alone_rows) == rows
    for workers in (2, 4):
        with (
            distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            build = lambda: surefoot.distributed.build(map, spec, client=client)  # noqa: E731
            seconds, database = timed(build)
            taken, results = study(f"many{workers}", surefoot.distributed.run, client=client)
            overhead, _ = study(f"nothing{workers}", surefoot.distributed.run, plan=tiny, client=client)
            beside = (overhead - nothing) / units * 1e3
            same = (database.to_bytes() == bytes, rows_of(results) == rows)
            lines.append((f"{workers} workers", f"{seconds:.1f}", same[0], f"{taken:.1f}", same[1], f"{beside:.1f}"))
            killer = killed(client, one / 2)
            seconds, database = timed(build)
            killer.join()
            client.wait_for_workers(workers)
            killer = killed(client, studied / 2)
            taken, results = study(f"killed{workers}", surefoot.distributed.run, client=client)
            killer.join()
            same = (database.to_bytes() == bytes, rows_of(results) == rows)
            lines.append((f"{workers} workers, one killed", f"{seconds:.1f}", same[0], f"{taken:.1f}", same[1], ""))
    for number, line in enumerate(lines):
        print("| " + " | ".join(str(cell) for cell in line) + " |")
        if number == 0:
            print("|---" * len(line) + "|")


if __name__ == "__main__":
    main()
