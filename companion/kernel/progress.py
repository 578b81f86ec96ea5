"""The seam by which long work says how far it is, without knowing who watches.

Long loops take a `ProgressWatch` and pass their steps through it. `unwatched` is the one for callers that show nothing;
`companion/app/progress.py` has the one that draws a line on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class ProgressWatch(Protocol):
    """Passes steps on one by one and may count them for somebody who waits."""

    def __call__(self, steps: Iterable[T], of: int = 0) -> Iterable[T]:
        """Return *steps* unchanged; there are *of* of them (0: nobody knows)."""


def unwatched(steps: Iterable[T], of: int = 0) -> Iterable[T]:
    """Return *steps* as they are: nobody is shown anything."""
    return steps
