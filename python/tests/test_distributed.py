"""Databases and studies on workers: the same bytes and rows as here, whatever happens to the workers."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from test_lab import TEXT, same_rows

import surefoot
from surefoot import lab

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

SPEC = "knn-lrta*(n=2000)"


@pytest.fixture(scope="module")
def cluster():
    with (
        dask.config.set({"distributed.worker.daemon": False, "distributed.scheduler.allowed-failures": 10}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
    ):
        yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        yield client


@pytest.fixture(scope="module")
def clutter():
    return surefoot.Map.generate("random", 300, 300, seed=2)


def kill_one(client, after):
    """Kills a worker while the others work."""
    time.sleep(after)
    worker = min(client.scheduler_info()["workers"].values(), key=lambda worker: str(worker["name"]))
    pid = client.run(os.getpid, workers=[worker["id"]] if str(worker["id"]).startswith("tcp") else None)
    os.kill(next(iter(pid.values())), signal.SIGKILL)


def test_databases_have_the_same_bytes(client, clutter, tmp_path):
    heard = []
    database = surefoot.distributed.build(
        clutter, SPEC, client=client, shards=5, keep=tmp_path, progress=lambda *event: heard.append(event)
    )
    assert database.to_bytes() == clutter.database(SPEC).to_bytes()
    assert heard[-1][1:] == (5, 5) and list(tmp_path.iterdir()) == []
    # By the client that there is, with as many shards as make sense, and what has none.
    assert surefoot.distributed.build(clutter, SPEC).to_bytes() == database.to_bytes()
    beacons = surefoot.distributed.build(clutter, "beacon*", client=client)
    assert beacons.to_bytes() == clutter.database("beacon*").to_bytes()
    patterns = surefoot.distributed.build(surefoot.Map.generate("rooms", 40, 40), "d-lrta*", client=client)
    assert patterns.to_bytes() == surefoot.Map.generate("rooms", 40, 40).database("d-lrta*").to_bytes()


def test_a_killed_worker_changes_nothing(client, clutter):
    killer = threading.Thread(target=kill_one, args=(client, 0.7))
    killer.start()
    database = surefoot.distributed.build(clutter, "knn-lrta*(n=12000)", client=client, shards=12)
    killer.join()
    assert database.to_bytes() == clutter.database("knn-lrta*(n=12000)").to_bytes()


def test_studies_have_the_same_rows(client, tmp_path):
    plan = lab.Plan.parse(TEXT, name="small")
    heard = []
    results = surefoot.distributed.run(
        plan, tmp_path / "many", client=client, progress=lambda *event: heard.append(event)
    )
    assert same_rows(results, lab.run(plan, tmp_path / "one")) and heard[-1][1:] == (8, 8)
    # A second call finds everything done.
    again = surefoot.distributed.run(plan, tmp_path / "many", client=client)
    assert again.table() == results.table()


def test_a_killed_worker_changes_no_rows(client, tmp_path):
    text = TEXT.replace("count = 8", "count = 400").replace("width = 60", "width = 300")
    plan = lab.Plan.parse(text.replace("max-cost = 60", "max-cost = 300"), name="small")
    killer = threading.Thread(target=kill_one, args=(client, 0.5))
    killer.start()
    results = surefoot.distributed.run(plan, tmp_path / "many", client=client)
    killer.join()
    assert same_rows(results, lab.run(plan, tmp_path / "one"))


def test_maps_are_sent(client, tmp_path):
    maps = tmp_path / "here" / "set"
    maps.mkdir(parents=True)
    for seed in (1, 2, 3):
        map = surefoot.Map.generate("rooms", 50, 50, seed=seed)
        problems = map.problems(6, min_cost=10)
        (maps / f"{seed}.map").write_text(map.to_text())
        rows = ["version 1"]
        for (a, b), (c, d), cost in zip(problems.starts, problems.goals, problems.costs, strict=True):
            rows.append(f"0\t{seed}.map\t50\t50\t{a}\t{b}\t{c}\t{d}\t{cost:.6f}")
        (maps / f"{seed}.map.scen").write_text("\n".join(rows) + "\n")
    (tmp_path / "here" / "plan.toml").write_text(
        'title = "Maps of a folder"\ntimed = false\n[[maps]]\nfolder = "set"\nrule = "no-cut"\ncost = "sqrt2"\n'
        'problems = { beside = true }\n[[algorithms]]\nspecs = ["a*", "lrta*"]\n[quick]\nmaps = 2\n'
    )
    for quick in (True, False):
        plan = tmp_path / "here" / "plan.toml"
        results = surefoot.distributed.run(plan, tmp_path / f"many{quick}", client=client, quick=quick)
        assert same_rows(results, lab.run(plan, tmp_path / f"one{quick}", quick=quick))
        assert len(set(results.table()["map"])) == (2 if quick else 3)


def test_timings_are_of_one_worker(client, tmp_path):
    text = TEXT.replace('specs = ["jps"]', 'specs = ["jps", "lrta*(d=2)", "a*"]')
    plan = lab.Plan.parse(text, name="small")
    results = surefoot.distributed.run(plan, tmp_path / "many", client=client, quick=True, timed_on=1)
    table = results.table()
    timed = {worker for worker, is_timed in zip(table["worker"], table["timed"], strict=True) if is_timed == "true"}
    assert len(timed) == 1 and timed.pop().startswith("1 on ")
    with pytest.raises(surefoot.LabError, match="no worker 'nobody'"):
        surefoot.distributed.run(plan, tmp_path / "other", client=client, quick=True, timed_on="nobody")
    assert not list((tmp_path / "other").glob("units/*"))


def test_a_killed_client_loses_what_was_in_progress_only(cluster, tmp_path):
    program = f"""
        import distributed, surefoot
        client = distributed.Client({cluster.scheduler_address!r})
        def tell(label, done, all):
            print(done, flush=True)
        map = surefoot.Map.generate("random", 300, 300, seed=2)
        surefoot.distributed.build(
            map, {SPEC!r}, client=client, shards=20, keep={str(tmp_path)!r}, progress=tell
        )
        """
    running = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    for line in running.stdout:
        if int(line) >= 6:
            break
    running.kill()
    running.wait()
    kept = sorted(tmp_path.glob("*.part"))
    assert 6 <= len(kept) < 20
    heard = []
    map = surefoot.Map.generate("random", 300, 300, seed=2)
    with distributed.Client(cluster) as client:
        database = surefoot.distributed.build(
            map, SPEC, client=client, shards=20, keep=tmp_path, progress=lambda *event: heard.append(event)
        )
    assert heard[0][1] == len(kept) and heard[-1][1] == 20
    assert database.to_bytes() == map.database(SPEC).to_bytes()


def test_a_study_goes_on_after_its_client_was_killed(cluster, tmp_path):
    text = TEXT.replace("count = 8", "count = 300").replace("width = 60", "width = 300")
    (tmp_path / "small.toml").write_text(text.replace("max-cost = 60", "max-cost = 300"))
    program = f"""
        import distributed, surefoot
        client = distributed.Client({cluster.scheduler_address!r})
        def tell(label, done, all):
            print(done, flush=True)
        surefoot.distributed.run({str(tmp_path / "small.toml")!r}, {str(tmp_path / "many")!r}, client=client, progress=tell)
        """
    running = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    for line in running.stdout:
        if int(line) >= 3:
            break
    running.kill()
    running.wait()
    plan = lab.Plan.open(tmp_path / "small.toml")
    assert 3 <= len(plan.finished(tmp_path / "many")) < 8
    with distributed.Client(cluster) as client:
        results = surefoot.distributed.run(plan, tmp_path / "many", client=client)
    assert same_rows(results, lab.run(plan, tmp_path / "one"))


def test_calls_at_once_do_not_get_in_each_others_way(client, tmp_path):
    plan = lab.Plan.parse(TEXT, name="small")
    done = {}

    def run(number):
        done[number] = surefoot.distributed.run(plan, tmp_path / str(number), client=client)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(same_rows(done[number], done[0]) for number in range(3))


def test_shards_are_kept_whatever_the_workers_and_checked(client, clutter, tmp_path):
    whole = clutter.database(SPEC).to_bytes()

    def stop(label, done, all):
        if done == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        surefoot.distributed.build(clutter, SPEC, client=client, shards=5, keep=tmp_path, progress=stop)
    kept = sorted(tmp_path.glob("*.part"))
    assert len(kept) == 3
    kept[0].write_bytes(kept[0].read_bytes()[:-1])
    heard = []
    database = surefoot.distributed.build(
        clutter, SPEC, client=client, keep=tmp_path, progress=lambda *event: heard.append(event)
    )
    assert database.to_bytes() == whole and heard[0][1:] == (2, 5) and not list(tmp_path.iterdir())


def test_timed_units_wait_for_a_worker_and_are_alone(tmp_path):
    plan = lab.Plan.parse(TEXT.replace("timed = false", "timed = true"), name="small")
    with (
        distributed.LocalCluster(n_workers=0, threads_per_worker=2, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        heard = []

        def tell(label, done, all):
            heard.append(label)
            if label == "waiting for workers":
                cluster.scale(2)

        results = surefoot.distributed.run(plan, tmp_path, client=client, quick=True, progress=tell)
    assert heard[0] == "waiting for workers" and len(set(results.table()["worker"])) == 1


def test_memory_limits_are_respected(clutter):
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=4, memory_limit="600MB", dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        crew = surefoot.distributed._Crew(client, 200_000_000, surefoot.DatabaseError)
        # Three tasks fit, though there are four threads.
        assert crew.slots() == 3
        with pytest.raises(surefoot.DatabaseError, match="memory"):
            surefoot.distributed.build(clutter, SPEC, client=client, memory=700_000_000)
        database = surefoot.distributed.build(clutter, SPEC, client=client, memory=300_000_000)
        assert database.to_bytes() == clutter.database(SPEC).to_bytes()


def test_mistakes_are_told_at_once(client, clutter, tmp_path):
    with pytest.raises(surefoot.ArgumentError, match="needs no database"):
        surefoot.distributed.build(clutter, "a*", client=client)
    with pytest.raises(surefoot.SpecError):
        surefoot.distributed.build(clutter, "nothing*", client=client)
    (tmp_path / "file").write_text("")
    for wrong in ({"shards": 0}, {"shards": "3"}, {"memory": -1}, {"keep": tmp_path / "file"}, {"keep": tmp_path / "file" / "x"}):
        with pytest.raises(surefoot.SurefootError):
            surefoot.distributed.build(clutter, SPEC, client=client, **wrong)
    with pytest.raises(surefoot.SurefootError):
        surefoot.distributed.build("map", SPEC, client=client)
    with pytest.raises(surefoot.LabError):
        surefoot.distributed.run(lab.Plan.parse(TEXT), tmp_path / "file", client=client)
    blocked = surefoot.Map.parse("###")
    with pytest.raises(surefoot.SurefootError):
        surefoot.distributed.build(blocked, "knn-lrta*(n=10)", client=client).verify()
        surefoot.distributed.build(blocked, "pra*(k=0)", client=client)
    plan = lab.Plan.parse(TEXT.replace('generate = "rooms"', 'files = ["../x.map"]').replace(
        "width = 60\nheight = 50\n", ""), name="small")
    with pytest.raises(surefoot.LabError):
        surefoot.distributed.run(plan, tmp_path, client=client, maps=pathlib.Path(tmp_path))
