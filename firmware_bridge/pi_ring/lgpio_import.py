"""lgpio, imported wherever the program was started: it makes a pipe where `LG_WD` says, and changes to that folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory

PLACES = (None, "/dev/shm")  # noqa: S108 - a folder of our own is made there
"""Where such a folder may be: where temporary files usually are, or in memory, when the card is only read."""


def import_lgpio(places: Sequence[str | None] = PLACES) -> None:
    """Import it, or raise as its import does; nothing stays behind, and the working folder is what it was.

    Once it is imported the pipe is open, and needs its name no more.
    """
    if "lgpio" in sys.modules:
        return
    with ExitStack() as undoing:
        undoing.enter_context(_back_here())
        folder = _folder(places, undoing)
        if folder is not None and "LG_WD" not in os.environ:
            os.environ["LG_WD"] = folder
            undoing.callback(os.environ.pop, "LG_WD")
        import lgpio  # noqa: F401


def _folder(places: Sequence[str | None], undoing: ExitStack) -> str | None:
    """Return a folder that goes again, None where none can be made: then it is tried here."""
    for place in places:
        try:
            return undoing.enter_context(TemporaryDirectory(prefix="ring-companion-", dir=place))
        except OSError:
            continue
    return None


@contextmanager
def _back_here() -> Iterator[None]:
    """Come back to the working folder: paths that were given as they stand there must mean the same afterwards."""
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)
