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

import csv
import os
import pathlib

from . import _surefoot
from ._surefoot import Plan
from .progress import chosen

__all__ = ["Plan", "Report", "Results", "merge", "reproduce", "run"]


class Report:
    """A page on results: tables, and plots beside the published figures. In a notebook it shows itself."""

    def __init__(self, html, path):
        self.html = html
        #: The file with the page. It needs no other file and no network.
        self.path = path

    def _repr_html_(self):
        # A page of its own: its style is not to spill over into the notebook.
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" width="100%" height="640" style="border:0"></iframe>'

    def __repr__(self):
        return f"<surefoot.lab.Report {self.path}>"


class Results:
    """What came of a plan: a folder with a row for each walk. ``len`` is the number of rows."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._rows = None

    @property
    def parquet(self):
        """The file with all rows as Parquet."""
        return self.folder / "rows.parquet"

    def to_pandas(self, **options):
        """All rows as a ``pandas.DataFrame``. Options are those of ``pandas.read_parquet``."""
        import pandas

        return pandas.read_parquet(self.parquet, **options)

    def to_polars(self, **options):
        """All rows as a ``polars.DataFrame``. Options are those of ``polars.read_parquet``."""
        import polars

        return polars.read_parquet(self.parquet, **options)

    def to_arrow(self, **options):
        """All rows as a ``pyarrow.Table``. Options are those of ``pyarrow.parquet.read_table``."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(self.parquet, **options)

    def table(self):
        """All rows as lists of text by column, for those who have none of these packages."""
        with open(self.folder / "rows.csv", newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            names = next(rows)
            columns = list(zip(*rows, strict=True)) or [()] * len(names)
        return {name: list(column) for name, column in zip(names, columns, strict=True)}

    def report(self):
        """Writes the page on the results, and gives it."""
        return Report(_surefoot.write_report(self.folder), self.folder / "report.html")

    def __len__(self):
        if self._rows is None:
            self._rows = len(self.table()["experiment"])
        return self._rows

    def __repr__(self):
        return f"<surefoot.lab.Results {self.folder}, {len(self)} rows>"


def place(out, *, maps=".", cache=None, quick=False, mix=False, worker=None, threads=None):
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


def plan_of(plan):
    """A plan, or that of a ``.toml`` file."""
    return plan if isinstance(plan, Plan) else Plan.open(plan)


def run(plan, out, *, maps=None, cache=None, quick=False, mix=False, worker=None, threads=None, progress=None):
    """Runs what is not finished of a plan, and gives its results.

    ``plan`` is a :class:`Plan` or the path of a ``.toml`` file. ``out`` is the folder for the results: a run
    that was stopped, by Ctrl-C or otherwise, goes on where it was when it is started again. ``maps`` is where
    the plan's paths begin: the folder of its file, or else the working directory. ``progress`` hears what the
    run is at, how many units are done, and how many there are; ``True`` shows a bar.
    """
    if maps is None:
        maps = "." if isinstance(plan, Plan) else pathlib.Path(plan).parent
    plan = plan_of(plan)
    where = place(out, maps=maps, cache=cache, quick=quick, mix=mix, worker=worker, threads=threads)
    plan._run(where, chosen(progress, plan.name))
    return Results(out)


def merge(plan, out, others=(), *, maps=None, quick=False, mix=False):
    """Puts the finished units of a plan together, those in ``out`` and in the folders ``others``.

    The units may have been done by ``surefoot lab run --units`` on many machines. If one is missing, that is an
    error which names it.
    """
    if maps is None:
        maps = "." if isinstance(plan, Plan) else pathlib.Path(plan).parent
    where = place(out, maps=maps, quick=quick, mix=mix)
    plan_of(plan)._merge(where, [os.fspath(other) for other in others], None)
    return Results(out)


def reproduce(paper, out="results", *, benchmarks=None, quick=False, mix=False, progress=True):
    """Repeats the experiments of a paper: ``knn2009``, ``jair2008``, ``jair2010`` or ``pra2005``.

    ``benchmarks`` is the folder of the published maps and problems; unless it is given, that of the environment
    variable ``SUREFOOT_BENCHMARKS``, else ``../shared/benchmarks``. The report stands beside the published
    figures: ``reproduce("knn2009", quick=True).report()``.
    """
    if benchmarks is None:
        benchmarks = os.environ.get("SUREFOOT_BENCHMARKS", "../shared/benchmarks")
    out = pathlib.Path(out)
    plan = Plan.built_in(paper)
    return run(plan, out / plan.name, maps=benchmarks, cache=out / "cache", quick=quick, mix=mix, progress=progress)
