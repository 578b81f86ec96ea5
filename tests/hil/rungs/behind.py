"""Rungs that are separate processes behind a pseudo-terminal. Time is real, and the script is sent line by line."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from rungs.simulated import ScriptedRung
from tests.forkserver.process import Forked
from tests.hil.ring import Ring, Step

LEAPS = "its clock leaps over passages: they take no time"
NO_LEISURE = "each slide takes its own time here: held where time is handed in"


class Behind(Ring, ScriptedRung):
    """The ring that `companion ring WORD` starts. *cannot* is what that kind of ring can't do."""

    def __init__(self, word: str, **cannot: str) -> None:
        self._folder = TemporaryDirectory(prefix="ring-")
        path, complaints = Path(self._folder.name, "ring"), Path(self._folder.name, "stderr")
        self.cannot = MappingProxyType({key.replace("_", " "): why for key, why in cannot.items()})
        told = ("--pty", path, "--script", "-", "--seed", "1")
        with complaints.open("w", encoding="utf-8") as file:
            self._forked = Forked("companion", "ring", word, *told, cwd=path.parent, complaints=file)
        super().__init__(self._forked, path, complaints)

    def hand(self, step: Step) -> None:
        """Send a step of a script to the simulated hand, without waiting for it."""
        self.tell(json.dumps(dict(step)))

    def close(self) -> None:
        """End the process."""
        super().close()
        self._forked.close()
        self._folder.cleanup()


def virtual() -> Ring:
    """Return the ring of `companion ring mock`."""
    return Behind("mock", edge_times=LEAPS)


def emulated() -> Ring:
    """Return the ring of `companion ring emulate`."""
    return Behind("emulate", leisure=NO_LEISURE)
