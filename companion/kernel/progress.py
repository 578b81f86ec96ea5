"""Report the progress of long work through a callback.

Long loops take a `ProgressWatch` and pass their steps through it. `unwatched` shows nothing;
`companion/app/progress.py` shows a line on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class ProgressWatch(Protocol):
    """Yields steps one by one and may count them, to show progress."""

    def __call__(self, steps: Iterable[T], of: int = 0) -> Iterable[T]:
        """Return an iterable of the same *steps*. The parameter *of* is the number of steps (0 means unknown)."""


def unwatched(steps: Iterable[T], of: int = 0) -> Iterable[T]:
    """Return *steps* and show nothing."""
    return steps
