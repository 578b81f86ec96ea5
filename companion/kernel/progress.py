"""Progress of long work, reported without knowing who watches.

Long loops take a `ProgressWatch` and pass their steps through it. `unwatched` shows nothing;
`companion/app/progress.py` shows a line on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class ProgressWatch(Protocol):
    """Passes steps on one by one and may count them."""

    def __call__(self, steps: Iterable[T], of: int = 0) -> Iterable[T]:
        """Return *steps* unchanged. *of* is their number (0: unknown)."""


def unwatched(steps: Iterable[T], of: int = 0) -> Iterable[T]:
    """Return *steps* and show nothing."""
    return steps
