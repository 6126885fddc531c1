"""How far something is, on a line of its own."""

import sys
import time

#: Seconds between two lines, where there is no terminal.
_BETWEEN_LINES = 10.0


class Bar:
    """A bar on standard error, for anything that takes a function ``progress``.

    It shows itself after two seconds, and is gone when the work is done. Where standard error is no terminal
    there is a line every ten seconds instead.

    >>> bar = surefoot.Bar("building")
    >>> nav = surefoot.Map.generate("rooms", 64, 64).navigator(progress=bar)
    """

    def __init__(self, label="", *, after=2.0, width=30, file=None):
        self._label, self._after, self._width = label, after, width
        self._file = file if file is not None else sys.stderr
        self._begin = time.monotonic()
        self._is_terminal = getattr(self._file, "isatty", lambda: False)()
        self._shown, self._last = 0, -_BETWEEN_LINES

    def __call__(self, stage, done, all):
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

    def clear(self):
        """Takes the bar away."""
        if self._shown:
            self._write("")

    def _write(self, line):
        padding = " " * max(self._shown - len(line), 0)
        self._file.write(f"\r{line}{padding}" + ("" if line else "\r"))
        self._file.flush()
        self._shown = len(line)


def chosen(progress, label):
    """A function for progress: a bar for ``True``, none for ``None`` and ``False``, else what was given."""
    if progress is True:
        return Bar(label)
    return progress or None
