"""Storage of a ring on a Pi's pins that survives restarts: the black reference and the sensor's gain."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from companion.kernel.atomic_file import replacement
from companion.kernel.private_file import make_private, make_private_folder
from companion.kernel.shown import shows


@shows("_path")
class Persistence:
    """Stores references and the gain as files in *path*. If writing fails, they are measured again after a restart."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Store *numbers* under the name *what*. If the power fails meanwhile, the earlier numbers remain."""
        with suppress(OSError):
            make_private_folder(self._path)
            # The file is not synced, because that would take too long: the beams must be watched meanwhile.
            with replacement(self._path / what, lasts=False) as fresh:
                make_private(fresh)
                fresh.write_text(",".join(map(str, numbers)))

    def stored(self, what: str) -> tuple[int, ...]:
        """Return the numbers stored under the name *what*, or an empty tuple if they are missing or malformed."""
        try:
            return tuple(map(int, (self._path / what).read_text().split(",")))
        except (OSError, ValueError):
            return ()


def usual_folder() -> Path:
    """Return the default folder in this user's state folder."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "ring-companion" / "gpio"
