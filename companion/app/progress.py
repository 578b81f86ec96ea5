"""The progress line of a long command. It shows the count, the speed and the remaining time.

It appears on a terminal after two seconds and disappears at the end. It never appears in a pipe, in a file or with
`--json`, so that other programs get the same output whether the command was fast or slow.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TextIO, TypeVar

from companion.kernel.progress import ProgressWatch, unwatched

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")
AFTER_S = 2.0
LINE = "{desc}: {n_fmt}{unit}, {rate_noinv_fmt}, {elapsed}"
LINE_OF = "{desc}: {percentage:3.0f} % {bar:20} {n_fmt} of {total_fmt}{unit}, {rate_noinv_fmt}, {remaining} left"


def watching(
    what: str, unit: str, quiet: bool = False, after_s: float = AFTER_S, out: TextIO | None = None
) -> ProgressWatch:
    """Return a function that wraps an iterable and shows a progress line.

    *what* is its title, and *unit* names the counted things. If *quiet* is true, it shows nothing. The line appears on
    *out* (default: standard error) after *after_s* seconds and is erased at the end.

    Example: ``for game in watching("Playing", "games")(range(100), 100): ...`` shows

        Playing:  45 % |#########           | 45 of 100 games, 9.10 games/s, 00:06 left
    """
    if quiet or not _on_a_terminal(out):
        return unwatched

    def watch(steps: Iterable[T], of: int = 0) -> Iterable[T]:
        bar = _bar(what, unit, of, after_s, out)
        try:
            for step in steps:
                yield step
                bar.update()
        finally:
            bar.close()

    return watch


@contextmanager
def measuring(what: str, unit: str, quiet: bool = False) -> Iterator[Measure]:
    """Yield a callback with the arguments *done* and *of*, for work that counts its steps itself, such as a backup."""
    measure = Measure(what, unit, shown=not quiet and _on_a_terminal(None))
    try:
        yield measure
    finally:
        measure.close()


class Measure:
    """A progress line for work that reports the total amount done so far."""

    def __init__(self, what: str, unit: str, shown: bool) -> None:
        """Prepare the line. It appears with the first progress, and only if *shown* is true."""
        self._what, self._unit, self.shown = what, unit, shown
        self._bar: tqdm[NoReturn] | None = None

    def __repr__(self) -> str:
        """Return the title and the progress."""
        return f"<Measure {self._what}, {0 if self._bar is None else self._bar.n} {self._unit}>"

    def __call__(self, done: int, of: int) -> None:
        """Show that *done* of *of* units are done."""
        if not self.shown:
            return
        if self._bar is None:
            self._bar = _bar(self._what, self._unit, of, AFTER_S, None)
        self._bar.total = of
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Erase the line."""
        if self._bar is not None:
            self._bar.close()


def _on_a_terminal(out: TextIO | None) -> bool:
    """Return whether *out* is a terminal; by default both standard output and standard error must be."""
    streams = (sys.stdout, sys.stderr) if out is None else (out,)
    return all(stream is not None and stream.isatty() for stream in streams)


def _bar(what: str, unit: str, of: int, after_s: float, out: TextIO | None) -> tqdm[NoReturn]:
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # do not start a monitor thread; updating the line at the next step is enough
    line = LINE_OF if of else LINE
    bar: tqdm[NoReturn] = tqdm(
        desc=what,
        total=of or None,
        unit=f" {unit}",
        delay=after_s,
        leave=False,
        file=out or sys.stderr,
        bar_format=line,
        dynamic_ncols=True,
    )
    return bar
