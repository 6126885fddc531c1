"""surefoot: real-time pathfinding on grids.

>>> import numpy as np
>>> cells = np.ones((40, 60), dtype=bool)
>>> cells[10:30, 30] = False
>>> nav = surefoot.Map(cells).navigator()
>>> nav.cost((20, 20), (40, 20))
29.455844122715714
"""

import enum
import importlib

from . import lab
from ._surefoot import (
    Crowd,
    Database,
    Frame,
    Map,
    Navigator,
    Path,
    Problems,
    Walk,
    Walker,
    __version__,
    algorithms,
    read_scen,
)
from .errors import (
    ArgumentError,
    CrowdError,
    DatabaseError,
    LabError,
    MapError,
    NoWay,
    QueryError,
    SpecError,
    SurefootError,
)
from .lab import reproduce
from .progress import Bar


class Status(enum.IntEnum):
    """How a unit of a crowd fares: the numbers of ``Crowd.statuses``."""

    WALKING = 0
    ARRIVED = 1
    #: There is no way to its goal.
    UNREACHABLE = 2
    #: It does not know how to go on.
    STUCK = 3


def __getattr__(name):
    # What needs other packages is loaded when it is asked for.
    if name in ("distributed", "plot"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'surefoot' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), "distributed", "plot"])


__all__ = [
    "ArgumentError",
    "Bar",
    "Crowd",
    "CrowdError",
    "Database",
    "DatabaseError",
    "Frame",
    "LabError",
    "Map",
    "MapError",
    "Navigator",
    "NoWay",
    "Path",
    "Problems",
    "QueryError",
    "SpecError",
    "Status",
    "SurefootError",
    "Walk",
    "Walker",
    "__version__",
    "algorithms",
    "lab",
    "read_scen",
    "reproduce",
]
