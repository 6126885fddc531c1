"""Long calls: without the interpreter, with progress, ended by Ctrl-C and by whoever hears of it."""

import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import surefoot


def clutter(side=600):
    """A map that takes seconds to build records for."""
    return surefoot.Map(np.random.default_rng(1).random((side, side)) > 0.3)


def test_progress_is_told_stage_by_stage():
    heard = []
    surefoot.Map.generate("game", 200, 200, seed=1).navigator(progress=lambda *event: heard.append(event))
    assert heard and all(0 <= done <= all for _, done, all in heard)
    assert all(isinstance(stage, str) for stage, _, _ in heard)


def test_whoever_hears_of_it_may_end_it():
    def stop(stage, done, all):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        clutter().database("knn-lrta*(n=100000)", progress=stop)


@pytest.mark.parametrize(
    "call",
    [
        "map.database('knn-lrta*(n=3000000)')",
        "map.navigator(threads=1)",
        "trap.walk('lrta*(d=1)', (500, 500), (999, 0))",
        "map.problems(10**7, min_cost=5)",
        "lab()",
    ],
)
def test_control_c_ends_it(call):
    program = f"""
        import tempfile
        import numpy as np, surefoot
        map = surefoot.Map(np.random.default_rng(1).random((1500, 1500)) > 0.35)
        # Millions of moves are learned from before the way out is found.
        trap = np.ones((1000, 1000), bool)
        trap[:999, 990] = False
        trap = surefoot.Map(trap)
        def lab():
            plan = surefoot.lab.Plan.parse('''
        title = "long"
        timed = false
        [[maps]]
        generate = "random"
        width = 600
        height = 600
        rule = "no-cut"
        cost = "sqrt2"
        problems = {{ count = 5000, min-cost = 300, max-cost = 900 }}
        [[algorithms]]
        specs = ["lrta*(d=1)"]
        ''')
            with tempfile.TemporaryDirectory() as out:
                surefoot.lab.run(plan, out)
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        else:
            print("done", flush=True)
        """
    running = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.4)
    running.send_signal(signal.SIGINT)
    said, _ = running.communicate(timeout=60)
    assert said == "interrupted\n" and running.returncode == 0


def test_other_threads_go_on_meanwhile():
    ticks, over = [], threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    clutter().database("knn-lrta*(n=3000)")
    end = time.monotonic()
    over.set()
    ticker.join()
    during = [at for at in ticks if begin <= at <= end]
    # If the interpreter were held there would be one at each end.
    assert len(during) > 10


def test_many_threads_share_everything():
    map = surefoot.Map.generate("game", 128, 96, seed=5)
    nav, crowd = map.navigator(), surefoot.Crowd(map)
    kind = crowd.add_kind()
    free = np.argwhere(map.cells)[:, ::-1]
    expected = nav.pair_costs(free[:200], free[-200:])
    units = crowd.add_many(kind, free[:200], free[-200:])
    problems = []

    def ask():
        try:
            for _ in range(30):
                costs = nav.pair_costs(free[:200], free[-200:])
                # Whoever asks gets the map before or after an edit, never half of one.
                assert (costs == expected).all() or (costs == edited).all()
        except BaseException as error:
            problems.append(error)

    def move():
        try:
            for _ in range(50):
                crowd.frame(2_000)
                crowd.positions(units)
                crowd.set_goals(units[:5], free[:5])
        except BaseException as error:
            problems.append(error)

    changed = nav.path(free[0], free[-1]).cells[5]
    other = map.copy()
    other.edit([changed], free=False)
    edited = other.navigator().pair_costs(free[:200], free[-200:])

    def edit():
        try:
            for number in range(20):
                nav.edit([changed], free=bool(number % 2))
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work) for work in (ask, ask, move, move, edit)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_builds_too():
    map = surefoot.Map.generate("rooms", 80, 80, seed=1)
    expected = map.navigator().to_bytes()
    child = os.fork()
    if child == 0:
        os._exit(0 if map.navigator().to_bytes() == expected else 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked process hangs")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_shows_itself_and_goes_away():
    terminal = Terminal()
    bar = surefoot.Bar("building", after=0, file=terminal)
    bar("corners", 1, 4)
    bar("corners", 4, 4)
    shown = terminal.getvalue()
    assert "building, corners" in shown and "1 of 4" in shown and shown.split("\r")[-1].strip() == ""
    late = Terminal()
    surefoot.Bar("building", after=1000, file=late)("corners", 1, 4)
    assert late.getvalue() == ""
    # A log has a line now and then.
    log = io.StringIO()
    bar = surefoot.Bar("building", after=0, file=log)
    bar("corners", 1, 4)
    bar("corners", 2, 4)
    assert log.getvalue() == "building, corners: 1 of 4\n"
