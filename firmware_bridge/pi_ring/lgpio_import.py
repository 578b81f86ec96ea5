"""Imports lgpio from any working folder. On import, lgpio creates a pipe in `LG_WD` and changes to that folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory

PLACES = (None, "/dev/shm")  # noqa: S108 - a folder of our own is created there
"""Where to create the folder for the pipe: in the usual temporary folder, or in memory if the SD card is read-only."""


def import_lgpio(places: Sequence[str | None] = PLACES) -> None:
    """Import lgpio. Raises like the import statement. The working folder and the environment are restored.

    lgpio keeps its pipe open after the import, so the temporary folder can be deleted.
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
    """Return a new temporary folder. Return None if it cannot be created: lgpio then uses the working folder."""
    for place in places:
        try:
            return undoing.enter_context(TemporaryDirectory(prefix="ring-companion-", dir=place))
        except OSError:
            continue
    return None


@contextmanager
def _back_here() -> Iterator[None]:
    """Restore the working folder, so that relative paths keep their meaning."""
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)
