"""A virtual ring as a process of its own: a pseudo-terminal, a script, a truth file, until it is told to end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from firmware_bridge.virtual.damage import Damage
from firmware_bridge.virtual.hand import Hand
from firmware_bridge.virtual.ring import VirtualRing
from firmware_bridge.virtual.serving import Line, Tell, serve, tell_nobody
from firmware_bridge.virtual.terminal import Terminal
from firmware_bridge.virtual.truth import Happened


def truth_to(file: TextIO) -> Tell:
    """Return what writes each thing that happened as a line of *file*, at once."""

    def tell(happened: Sequence[Happened]) -> None:
        for each in happened:
            file.write(json.dumps(each.line()) + "\n")
        if happened:
            file.flush()

    return tell


def live(
    ring: VirtualRing,
    hand: Hand,
    path: Path,
    damage: Damage,
    tell: Tell = tell_nobody,
    plugged: Callable[[], None] = lambda: None,
) -> None:
    """Let *ring* live behind a pseudo-terminal at *path*; ends only by an exception such as KeyboardInterrupt.

    *plugged* is called each time that the terminal is there.
    """
    try:
        while True:
            terminal = Terminal(path)
            plugged()
            try:
                with suppress(OSError):
                    serve(ring, hand, Line(terminal.fd, damage), lambda: not hand.unplugged_s, tell)
            finally:
                terminal.close()
            pause, hand.unplugged_s = hand.unplugged_s, 0.0
            time.sleep(pause)
    finally:
        tell(ring.unwritten())
