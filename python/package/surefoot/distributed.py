"""Databases and studies on many machines, by any ``dask.distributed`` client.

    from dask.distributed import Client, LocalCluster
    client = Client(LocalCluster(n_workers=4))          # or SLURMCluster, KubeCluster, an address
    database = surefoot.distributed.build(map, "knn-lrta*(n=60000)", client=client)
    results = surefoot.distributed.run("plan.toml", "results", client=client)

A shard of a database and a unit of a study are one task each. What comes of it is what one machine makes: the
same bytes of a database, and the same rows of a study, but for times. Workers need the same version of surefoot,
and nothing else: maps are sent to them, each once.

A worker that is lost loses the tasks that it was at; they are done elsewhere. A client that is killed loses the
tasks in progress: what was finished is in a folder, and the same call goes on from there.
"""

from __future__ import annotations

import collections
import hashlib
import itertools
import os
import pathlib
import pickle
import shutil
import socket
import tempfile
import time
import uuid
import zlib
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from . import lab
from ._surefoot import Database, Map, __version__
from .errors import ArgumentError, DatabaseError, LabError, SurefootError
from .progress import Progress, chosen

if TYPE_CHECKING:
    import distributed

__all__ = ["build", "run"]

#: The bytes that a task takes for each cell of its map, roughly: the map, a search's memory, and what is made.
BYTES_A_CELL = 40

#: Seconds between two looks at which workers there are.
_LOOK = 1.0

#: Seconds that a worker of timed walks may be gone before that is an error.
_PATIENCE = 60.0

#: What a worker keeps in memory: so many maps, or studies.
_MOST_KEPT = 3

#: How often a task is done again when its worker is lost or it fails for a reason of the machine's.
_RETRIES = 5


def build(
    map: Map,
    spec: str,
    *,
    client: distributed.Client | None = None,
    seed: int = 1,
    shards: int | None = None,
    keep: str | os.PathLike[str] | None = None,
    memory: int | None = None,
    progress: Progress | bool | None = None,
) -> Database:
    """Builds the database of a map on all workers of a client, and gives it: the same bytes as ``map.database``.

    ``shards`` is how many pieces there are; enough for every thread of the workers to have eight if it is left
    out. ``keep`` is a folder for finished shards: a call that was ended goes on with them. ``memory`` is what
    one task may take, in bytes; it is estimated from the size of the map. No worker is given more tasks at once
    than its memory limit allows. ``progress`` hears what it is at, how much is done, and how much there is;
    ``True`` shows a bar.

    Databases that are built in one go, such as beacons, are one task.
    """
    if not isinstance(map, Map):
        raise ArgumentError(f"map must be a surefoot.Map, not {type(map).__name__}")
    if shards is not None and (not isinstance(shards, int) or shards < 1):
        raise ArgumentError(f"shards must be a whole number from 1, not {shards!r}")
    has_shards = Map.has_shards(spec, seed=seed)
    if has_shards is None:
        raise ArgumentError(f"{spec} needs no database")
    crew = _Crew(client, _task_memory(map.width * map.height, memory), DatabaseError)
    payload = zlib.compress(pickle.dumps(map, protocol=5), 1)
    kept = _Kept(keep, _digest(payload, spec, str(seed), __version__))
    count = 1
    if has_shards:
        # A call that goes on does so with the shards that there are, whichever workers there are now.
        count = shards or kept.count() or 8 * max(crew.slots(), 1)
    parts, tasks = {}, []
    for number in range(1, count + 1):
        part = kept.read(number, count)
        if part is not None:
            parts[number] = part
        else:
            tasks.append(_Task(number, f"shard {number} of {count}", (spec, seed, number, count, has_shards)))

    def finish(task, made):
        kept.write(task.name, count, made)
        parts[task.name] = made

    crew.do(_build_part, payload, tasks, finish, chosen(progress, f"building {spec}"), before=len(parts))
    made = [parts[number] for number in sorted(parts)]
    database = map.merge_shards(made) if has_shards else Database.from_bytes(map, made[0])
    kept.clear()
    return database


class _Kept:
    """Finished shards of one database in a folder; of none, if there is no folder."""

    def __init__(self, folder, name):
        self._name = name
        self._folder = _folder(folder, DatabaseError) if folder is not None else None

    def _file(self, number, count):
        return self._folder / f"{self._name}.{number}-of-{count}.part"

    def count(self):
        """How many shards an earlier call was at; 0 if there was none."""
        files = sorted(self._folder.glob(f"{self._name}.*-of-*.part")) if self._folder is not None else []
        return max((int(file.stem.rsplit("-", 1)[1]) for file in files), default=0)

    def read(self, number, count):
        """A shard; ``None`` if it is not there, or not whole. Its checksum stands before it."""
        if self._folder is None or not self._file(number, count).is_file():
            return None
        data = self._file(number, count).read_bytes()
        sum, part = data[:48], data[48:]
        return part if sum == _digest(part).encode() else None

    def write(self, number, count, part):
        if self._folder is not None:
            _write(self._file(number, count), _digest(part).encode() + part)

    def clear(self):
        for file in self._folder.glob(f"{self._name}.*.part") if self._folder is not None else ():
            file.unlink(missing_ok=True)


def run(
    plan: lab.Plan | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    client: distributed.Client | None = None,
    maps: str | os.PathLike[str] | None = None,
    quick: bool = False,
    mix: bool = False,
    timed_on: Any = None,
    memory: int | None = None,
    progress: Progress | bool | None = None,
) -> lab.Results:
    """Runs what is not finished of a plan on all workers of a client, and gives its results.

    Arguments that :func:`surefoot.lab.run` has are as there; the cache is with the workers. Each finished unit is
    a file in ``out`` as soon as it is done.

    Rows that are not timed are the same wherever they are made. Timed units are done last: one at a time, while
    nothing else is done, all on one worker. ``timed_on`` names it; else it is the first one. Rows have its name
    in the column ``worker``. Timings of two workers are not put into one table, unless ``mix`` says so.
    """
    maps = lab.maps_of(plan, maps)
    plan, out = lab.plan_of(plan), pathlib.Path(out)
    crew = _Crew(client, memory or 0, LabError)
    bundle = zlib.compress(pickle.dumps(_bundle(plan, maps, quick), protocol=5), 1)
    _folder(out / "units", LabError)
    finished = set(plan.finished(out, maps, quick=quick))
    units = plan.units(maps, quick=quick)
    left = [unit for unit in units if unit["file"] not in finished]
    progress = chosen(progress, plan.name)
    # Two calls with the same study do not get in each other's way.
    home = f"surefoot-{uuid.uuid4().hex}"

    def finish(task, made):
        _write(out / "units" / task.name, made)

    def tasks_of(units):
        # Units that share a database go one after the other, so that few workers build it.
        groups = {}
        for unit in units:
            leader = groups.setdefault((unit["map"], unit["database"] or unit["file"]), unit["file"])
            after = None if leader == unit["file"] or unit["database"] is None else leader
            label = f"{unit['map']}: {unit['spec']}"
            yield _Task(unit["file"], label, (unit["file"], home), after=after)

    before = len(units) - len(left)
    untimed = list(tasks_of(unit for unit in left if not unit["timed"]))
    timed = list(tasks_of(unit for unit in left if unit["timed"]))
    if timed and timed_on is not None:
        crew.check_name(timed_on)
    try:
        crew.do(_run_unit, bundle, untimed, finish, progress, before=before, total=len(units))
        before += len(untimed)
        crew.do(_run_unit, bundle, timed, finish, progress, before=before, total=len(units), alone=True, on=timed_on)
    finally:
        crew.client.run(_tidy_up, home, on_error="ignore")
    return lab.merge(plan, out, maps=maps, quick=quick, mix=mix)


# What workers do.


def _build_part(payload, worker, spec, seed, number, count, has_shards, threads):
    map = worker.kept(_digest(payload), lambda: pickle.loads(zlib.decompress(payload)))
    if has_shards:
        return map.database_shard(spec, number, count, seed=seed, threads=threads)
    return map.database(spec, seed=seed, threads=threads).to_bytes()


def _run_unit(payload, worker, unit, home, threads):
    # Workers of one machine share it: what one has built the others find.
    home = worker.scratch / home

    def unpack():
        plan, quick, files = pickle.loads(zlib.decompress(payload))
        home.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            path = home / "maps" / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                _write(path, data)
        return plan, quick

    plan, quick = worker.kept(home.name, unpack)
    with tempfile.TemporaryDirectory(dir=home, prefix="unit-") as out:
        where = lab.place(
            out, maps=home / "maps", cache=home / "cache", quick=quick, worker=worker.name, threads=threads
        )
        plan._run_units(where, {unit}, None)
        return (pathlib.Path(out) / "units" / unit).read_bytes()


def _scratch(worker):
    """Where the workers of this machine have their files."""
    return pathlib.Path(worker.local_directory).parent


def _tidy_up(home, dask_worker):
    _Worker._kept.pop(home, None)
    shutil.rmtree(_scratch(dask_worker) / home, ignore_errors=True)


class _Worker:
    """The worker that a task is done by."""

    _kept = {}

    def __init__(self):
        from distributed import get_worker

        worker = get_worker()
        self.name, self.scratch = f"{worker.name} on {socket.gethostname()}", _scratch(worker)

    def kept(self, key, make):
        """What was made for a key: once in each process. Only the last few are kept."""
        made = _Worker._kept.get(key)
        if made is None:
            made = _Worker._kept[key] = make()
            for other in list(_Worker._kept)[:-_MOST_KEPT]:
                _Worker._kept.pop(other, None)
        return made


def _act(payload, act, version, arguments, threads):
    try:
        if version != __version__:
            raise LabError(f"this worker has surefoot {__version__}, but the client has {version}: install the same")
        return act(payload, _Worker(), *arguments, threads)
    except SurefootError as error:
        # It would be the same elsewhere: it is passed on, and not tried again.
        return error


def _payload(data):
    return data


# How tasks come to workers.


class _Task:
    def __init__(self, name, label, arguments, after=None):
        self.name, self.label, self.arguments = name, label, arguments
        #: The task that must be done before, and where it is best done: on the machine of that one.
        self.after = after


class _Crew:
    """The workers of a client, each with as many places for tasks as its threads and its memory allow."""

    def __init__(self, client, memory, error):
        if client is None:
            from distributed import get_client

            try:
                client = get_client()
            except ValueError as problem:
                raise error("there is no Dask client: make one, or give it with client=") from problem
        if getattr(client, "asynchronous", True) or client.status != "running":
            raise error("the client must be a running dask.distributed.Client, and not an asynchronous one")
        if not isinstance(memory, int) or memory < 0:
            raise ArgumentError(f"memory must be a whole number of bytes, not {memory!r}")
        self.client, self.memory, self.error = client, memory, error
        self._seen, self._hosts, self._names, self._looked = {}, {}, {}, -_LOOK
        self._alone_since = self._alone_on = None

    def workers(self):
        """The places of each worker by its address. Workers come and go, so it looks again now and then."""
        if time.monotonic() - self._looked > _LOOK:
            known = self.client.scheduler_info(n_workers=-1)["workers"]
            self._seen = {address: self._places(known[address]) for address in sorted(known)}
            self._hosts = {address: known[address]["host"] for address in known}
            self._names = {str(known[address]["name"]): address for address in known}
            self._looked = time.monotonic()
        return self._seen

    def slots(self):
        return sum(places for places, _ in self.workers().values())

    def _places(self, worker):
        threads, limit = worker["nthreads"], worker["memory_limit"]
        places = threads
        if limit and self.memory:
            places = min(threads, limit // self.memory)
        return places, max(threads // max(places, 1), 1)

    def check_name(self, name):
        """Makes sure that there is a worker of a name, if there are any."""
        if self.workers() and str(name) not in self._names:
            names = ", ".join(sorted(self._names))
            raise self.error(f"there is no worker {name!r} for timed walks; there are: {names}")

    def _check(self):
        workers = self.workers()
        if workers and not any(places for places, _ in workers.values()):
            raise self.error(
                f"a task takes about {self.memory / 1e6:,.0f} MB, and no worker has a memory limit as high; "
                "give workers more memory, or say with memory= that a task takes less"
            )

    def do(self, act, payload, tasks, finish, progress, *, before=0, total=None, alone=False, on=None):
        """Does tasks, as many at once as there are places. ``finish`` gets each with what came of it.

        With ``alone`` they are done one at a time, all by the worker of the name ``on``, or by the first one.
        """
        if not tasks:
            return
        self._alone_on = on
        # It is a task like any other: if all workers that have it are lost, it is sent again.
        data = self.client.submit(_payload, payload, key=f"surefoot-data-{_digest(payload)}", pure=True)
        queue = _Queue(tasks)
        total = total if total is not None else before + len(tasks)
        done, doing, busy, answers = before, {}, collections.Counter(), SimpleQueue()
        try:
            while queue or doing:
                self._check()
                if not self.workers() and progress is not None:
                    progress("waiting for workers", done, total)
                for address in self._free(len(queue), busy, alone):
                    task = queue.take(self._hosts[address])
                    future = self.client.submit(
                        _act,
                        data,
                        act,
                        __version__,
                        task.arguments,
                        self.workers()[address][1],
                        workers=[address],
                        allow_other_workers=not alone,
                        retries=_RETRIES,
                        key=f"surefoot-{act.__name__}-{_digest(payload, str(task.name))[:16]}-{time.time_ns()}",
                    )
                    doing[future] = (task, address)
                    busy[address] += 1
                    future.add_done_callback(answers.put)
                    if progress is not None:
                        progress(task.label, done, total)
                try:
                    future = answers.get(timeout=_LOOK)
                except Empty:
                    future = self._deserted(doing, alone)
                if future not in doing:
                    continue
                task, address = doing.pop(future)
                busy[address] -= 1
                if future.status in ("cancelled", "lost", "pending"):
                    # Its worker is gone for good, and nobody else was to do it.
                    future.cancel()
                    queue.put_back(task)
                    continue
                finish(task, self._result(future, task))
                queue.is_done(task, self._hosts.get(address))
                done += 1
                if progress is not None:
                    progress(task.label, done, total)
        finally:
            self.client.cancel(list(doing))

    def _result(self, future, task):
        from distributed import KilledWorker

        try:
            made = future.result()
        except KilledWorker as error:
            raise self.error(
                f"{task.label}: every worker that was at it was lost; it may take more memory than they have: "
                "say with memory= how much a task takes, in bytes"
            ) from error
        if isinstance(made, SurefootError):
            raise made
        return made

    def _deserted(self, doing, alone):
        """A task that waits for a worker that is gone."""
        if not alone:
            return None
        workers = self.workers()
        return next((future for future, (_, address) in doing.items() if address not in workers), None)

    def _free(self, tasks, busy, alone):
        """The workers with a free place, one for each task at most."""
        workers = self.workers()
        if not alone:
            places = (address for address in workers for _ in range(workers[address][0] - busy[address]))
            yield from itertools.islice(places, tasks)
        elif tasks and workers and not sum(busy.values()):
            if self._alone_on is None:
                self._alone_on = min(self._names)
            address = self._names.get(str(self._alone_on))
            if address is not None:
                self._alone_since = None
                yield address
                return
            # It may be on its way back.
            self._alone_since = self._alone_since or time.monotonic()
            if time.monotonic() - self._alone_since > _PATIENCE:
                names = ", ".join(sorted(self._names)) or "none"
                raise self.error(f"there is no worker {self._alone_on!r} for timed walks; there are: {names}")


class _Queue:
    """Tasks to be done: those that come after others only when these are done."""

    def __init__(self, tasks):
        names = {task.name for task in tasks}
        self._ready = collections.deque(task for task in tasks if task.after not in names)
        self._later = collections.defaultdict(list)
        for task in tasks:
            if task.after in names:
                self._later[task.after].append(task)
        self._near = {}

    def __len__(self):
        return len(self._ready)

    def __bool__(self):
        return bool(self._ready or self._later)

    def take(self, host):
        """The task to do next on a machine: rather one whose database it has."""
        for place, task in enumerate(itertools.islice(self._ready, 100)):
            if self._near.get(task.name) in (None, host):
                del self._ready[place]
                return task
        return self._ready.popleft()

    def put_back(self, task):
        self._ready.appendleft(task)

    def is_done(self, task, host):
        followers = self._later.pop(task.name, ())
        self._near.update((follower.name, host) for follower in followers)
        self._ready.extendleft(reversed(followers))


def _bundle(plan, maps, quick):
    """A plan, and the files that its units need, by the names that the plan has for them."""
    files = {}
    for path in plan.inputs(maps, quick=quick):
        if path.is_absolute() or ".." in path.parts:
            raise LabError(f"{path}: workers get the files below the folder of the maps; give a folder above it with maps=")
        files[path.as_posix()] = (maps / path).read_bytes()
    return plan, quick, files


def _folder(path, error):
    """A folder, made if it is not there."""
    path = pathlib.Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise error(f"cannot make the folder {path}: {problem.strerror}") from problem
    return path


def _task_memory(cells, memory):
    return memory if memory is not None else BYTES_A_CELL * cells + (64 << 20)


def _digest(*parts):
    sum = hashlib.blake2b(digest_size=24)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        sum.update(len(data).to_bytes(8, "little"))
        sum.update(data)
    return sum.hexdigest()


def _write(path, data):
    """Writes a file, whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".surefoot", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
