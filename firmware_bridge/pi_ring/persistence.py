"""What a ring on a Pi's pins keeps over its next start: the black card, which nobody shows it each time."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from companion.kernel.atomic_file import replacement
from companion.kernel.private_file import make_private, make_private_folder
from companion.kernel.shown import shows


@shows("_path")
class Persistence:
    """Keeps references and the gain as files of *path*; what cannot be kept is found anew after the next start."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Keep *numbers* for *what*; a plug pulled meanwhile leaves what was kept before."""
        with suppress(OSError):
            make_private_folder(self._path)
            # Not waited for until it is on the disk: beams are being watched meanwhile.
            with replacement(self._path / what, lasts=False) as fresh:
                make_private(fresh)
                fresh.write_text(",".join(map(str, numbers)))

    def kept(self, what: str) -> tuple[int, ...]:
        """Return what is kept for *what*, nothing when that makes no sense."""
        try:
            return tuple(map(int, (self._path / what).read_text().split(",")))
        except (OSError, ValueError):
            return ()


def usual_folder() -> Path:
    """Return where programs of this user keep what they know."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "ring-companion" / "gpio"
