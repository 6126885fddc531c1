"""What can go wrong. Every error that surefoot raises is a :class:`SurefootError`."""


class SurefootError(Exception):
    """The family of all errors of surefoot. The words say what is wrong, where, and what to do."""


class ArgumentError(SurefootError, ValueError):
    """An argument is not what it should be: its shape, its type, or a number in it."""


class MapError(SurefootError, ValueError):
    """A map cannot be read or made. Of a file, line and column are told."""


class QueryError(SurefootError, ValueError):
    """A cell is outside the map or blocked."""


class NoWay(SurefootError):
    """A walker finds that there is no way to its goal."""


class SpecError(SurefootError, ValueError):
    """There is no such algorithm, or it takes no such parameters."""


class DatabaseError(SurefootError):
    """A database cannot be built, read or saved, or it is for another map."""


class CrowdError(SurefootError, ValueError):
    """A crowd has no such unit, kind or link, or cannot do what was asked."""


class LabError(SurefootError):
    """A plan is wrong, or a study cannot go on."""
