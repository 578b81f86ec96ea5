"""The virtual ring as a process of its own behind a pseudo-terminal, in real time."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from tests.hil.behind import Behind
from tests.hil.rung import Rung


class VirtualPty(Behind):
    """The ring of `companion ring mock`."""

    cannot: ClassVar = {"edge times": "its clock leaps over passages: they take no time"}


def rung(folder: Path) -> Rung:
    """Return a new ring."""
    return VirtualPty(["mock"], folder)
