"""The lab: experiments from plans, with a row for each walk.

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
>>> results = surefoot.lab.run(plan, tmp_path / "results")
>>> len(results), results.table()["algorithm"][0]
(15, 'a*')
"""

from __future__ import annotations

import csv
import os
import pathlib
from collections.abc import Iterable
from typing import Any, TypeAlias

from . import _surefoot
from ._surefoot import Plan
from .errors import LabError
from .progress import Progress, chosen

_File: TypeAlias = "str | os.PathLike[str]"

__all__ = ["Plan", "Report", "Results", "merge", "reproduce", "run"]


class Report:
    """A page on results: tables, and plots beside the published figures. In a notebook it shows itself."""

    def __init__(self, html: str, path: pathlib.Path) -> None:
        self.html = html
        #: The file with the page. It needs no other file and no network.
        self.path = path

    def _repr_html_(self) -> str:
        # A page of its own: its style is not to spill over into the notebook.
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" width="100%" height="640" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<surefoot.lab.Report {self.path}>"


class Results:
    """What came of a plan: a folder with a row for each walk. ``len`` is the number of rows."""

    def __init__(self, folder: _File) -> None:
        self.folder = pathlib.Path(folder)
        self._rows: int | None = None

    @property
    def parquet(self) -> pathlib.Path:
        """The file with all rows as Parquet."""
        return self.folder / "rows.parquet"

    def to_pandas(self, **options: Any) -> Any:
        """All rows as a ``pandas.DataFrame``. Options are those of ``pandas.read_parquet``."""
        import pandas

        return pandas.read_parquet(self.parquet, **options)

    def to_polars(self, **options: Any) -> Any:
        """All rows as a ``polars.DataFrame``. Options are those of ``polars.read_parquet``."""
        import polars

        return polars.read_parquet(self.parquet, **options)

    def to_arrow(self, **options: Any) -> Any:
        """All rows as a ``pyarrow.Table``. Options are those of ``pyarrow.parquet.read_table``."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(self.parquet, **options)

    def table(self) -> dict[str, list[str]]:
        """All rows as lists of text by column, for those who have none of these packages."""
        if not (self.folder / "rows.csv").is_file():
            raise LabError(f"{self.folder} has no rows.csv: run its plan to the end, or merge its units")
        with open(self.folder / "rows.csv", newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            names = next(rows)
            columns: list[tuple[str, ...]] = list(zip(*rows, strict=True)) or [()] * len(names)
        return {name: list(column) for name, column in zip(names, columns, strict=True)}

    def report(self) -> Report:
        """Writes the page on the results, and gives it."""
        return Report(_surefoot.write_report(self.folder), self.folder / "report.html")

    def __len__(self) -> int:
        if self._rows is None:
            self._rows = len(self.table()["experiment"])
        return self._rows

    def __repr__(self) -> str:
        return f"<surefoot.lab.Results {self.folder}>"


def place(
    out: _File,
    *,
    maps: _File = ".",
    cache: _File | None = None,
    quick: bool = False,
    mix: bool = False,
    worker: str | None = None,
    threads: int | None = None,
) -> dict[str, Any]:
    """Where and how a plan is run, as the extension takes it."""
    out = pathlib.Path(out)
    return {
        "maps": os.fspath(maps),
        "out": os.fspath(out),
        "cache": os.fspath(cache if cache is not None else out / "cache"),
        "quick": quick,
        "mix": mix,
        "worker": worker,
        "threads": threads,
    }


def plan_of(plan: Plan | _File) -> Plan:
    """A plan, or that of a ``.toml`` file."""
    return plan if isinstance(plan, Plan) else Plan.open(plan)


def maps_of(plan: Plan | _File, maps: _File | None) -> pathlib.Path:
    """Where the paths of a plan begin: the folder of its file if nothing else is said."""
    if maps is not None:
        return pathlib.Path(maps)
    return pathlib.Path(".") if isinstance(plan, Plan) else pathlib.Path(plan).parent


def run(
    plan: Plan | _File,
    out: _File,
    *,
    maps: _File | None = None,
    cache: _File | None = None,
    quick: bool = False,
    mix: bool = False,
    worker: str | None = None,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Results:
    """Runs what is not finished of a plan, and gives its results.

    ``plan`` is a :class:`Plan` or the path of a ``.toml`` file. ``out`` is the folder for the results: a run
    that was stopped, by Ctrl-C or otherwise, goes on where it was when it is started again. ``maps`` is where
    the plan's paths begin: the folder of its file, or else the working directory. ``progress`` hears what the
    run is at, how many units are done, and how many there are; ``True`` shows a bar.
    """
    maps = maps_of(plan, maps)
    plan = plan_of(plan)
    where = place(out, maps=maps, cache=cache, quick=quick, mix=mix, worker=worker, threads=threads)
    plan._run(where, chosen(progress, plan.name))
    return Results(out)


def merge(
    plan: Plan | _File,
    out: _File,
    others: Iterable[_File] = (),
    *,
    maps: _File | None = None,
    quick: bool = False,
    mix: bool = False,
) -> Results:
    """Puts the finished units of a plan together, those in ``out`` and in the folders ``others``.

    The units may have been done by ``surefoot lab run --units`` on many machines. If one is missing, that is an
    error which names it.
    """
    where = place(out, maps=maps_of(plan, maps), quick=quick, mix=mix)
    plan_of(plan)._merge(where, [os.fspath(other) for other in others], None)
    return Results(out)


def reproduce(
    paper: str,
    out: _File = "results",
    *,
    benchmarks: _File | None = None,
    quick: bool = False,
    mix: bool = False,
    progress: Progress | bool | None = True,
) -> Results:
    """Repeats the experiments of a paper: ``knn2009``, ``jair2008``, ``jair2008-original``, ``jair2010`` or ``pra2005``.

    ``benchmarks`` is the folder of the published maps and problems; unless it is given, that of the environment
    variable ``SUREFOOT_BENCHMARKS``, else ``../shared/benchmarks``. The report stands beside the published
    figures: ``reproduce("knn2009", quick=True).report()``.
    """
    if benchmarks is None:
        benchmarks = os.environ.get("SUREFOOT_BENCHMARKS", "../shared/benchmarks")
    out = pathlib.Path(out)
    plan = Plan.built_in(paper)
    return run(plan, out / plan.name, maps=benchmarks, cache=out / "cache", quick=quick, mix=mix, progress=progress)
