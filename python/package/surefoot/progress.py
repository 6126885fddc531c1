"""How far something is, on a line of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO, TypeAlias

#: What hears how far something is: the stage, how much is done, how much there is.
Progress: TypeAlias = Callable[[str, int, int], object]

#: Seconds between two lines, where there is no terminal.
_BETWEEN_LINES = 10.0


class Bar:
    """A bar on standard error, for anything that takes a function ``progress``.

    It shows itself after two seconds, and is gone when the work is done. Where standard error is no terminal
    there is a line every ten seconds instead.

    >>> bar = surefoot.Bar("building")
    >>> nav = surefoot.Map.generate("rooms", 64, 64).navigator(progress=bar)
    """

    def __init__(
        self, label: str = "", *, after: float = 2.0, width: int = 30, file: TextIO | None = None
    ) -> None:
        self._label, self._after, self._width = label, after, width
        self._file = file if file is not None else sys.stderr
        self._begin = time.monotonic()
        self._is_terminal = getattr(self._file, "isatty", lambda: False)()
        self._shown, self._last = 0, -_BETWEEN_LINES

    def __call__(self, stage: str, done: int, all: int) -> None:
        now = time.monotonic()
        if now - self._begin < self._after:
            return
        label = f"{self._label}, {stage}" if self._label else stage
        if not self._is_terminal:
            if now - self._last >= _BETWEEN_LINES:
                print(f"{label}: {done:,} of {all:,}", file=self._file, flush=True)
                self._last = now
            return
        filled = int(min(done / all, 1.0) * self._width) if all else 0
        bar = "#" * filled + "." * (self._width - filled)
        self._write(f"{label} [{bar}] {done:,} of {all:,}")
        if all and done >= all:
            self.clear()

    def clear(self) -> None:
        """Takes the bar away."""
        if self._shown:
            self._write("")

    def _write(self, line: str) -> None:
        padding = " " * max(self._shown - len(line), 0)
        self._file.write(f"\r{line}{padding}" + ("" if line else "\r"))
        self._file.flush()
        self._shown = len(line)


def chosen(progress: Progress | bool | None, label: str) -> Progress | None:
    """A function for progress: a bar for ``True``, none for ``None`` and ``False``, else what was given."""
    if isinstance(progress, bool):
        return Bar(label) if progress else None
    return progress
