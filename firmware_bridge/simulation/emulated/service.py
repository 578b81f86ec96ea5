"""`emulated:` rings: an emulated board in a thread of this program, connected by a socket."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from random import Random
from socket import socketpair

from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor, Thread
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.simulation.emulated.child_process import Crashed
from firmware_bridge.simulation.emulated.ring import EmulatedRing, began
from firmware_bridge.simulation.physics.world import World
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.serving.loop import ServingLoop, discard, serve
from rungs.trouble import Damage
from rungs.wire import Bell, FileWire, Wire, WireLost


@shows("_living", "_crash")
class BoardService:
    """Opens wires to one emulated board. The board keeps running between wires.

    Raises InputError if MicroPython is missing.

    After its firmware has crashed, the board does not restart, and opening a wire raises `WireLost` with the reason.
    """

    def __init__(
        self, world: World, lots: Random, port: str, threads: Supervisor | None = None, sensor: type[Chip] = USUAL
    ) -> None:
        self._threads = threads or Supervisor()
        self._ring = EmulatedRing(world, lots, began(), port, sensor=sensor)
        self._living: Thread | None = None
        self._crash = ""

    def __call__(self, bell: Bell) -> Wire:
        """Return a wire. The previous wire must be closed. Raise WireLost if the firmware has crashed."""
        self._join()
        if self._crash:
            raise WireLost(said("The firmware on the emulated board failed: %(why)s.", why=str(self._crash)))
        ours, theirs = socketpair()
        self._living = self._threads.start("emulated board", partial(self._live, theirs.detach()), again=False)
        return FileWire("emulated:", ours.detach(), bell)

    @property
    def pid(self) -> int:
        """The process that runs the board."""
        return self._ring.board.pid

    def close(self) -> None:
        """Switch the board off. The last wire must already be closed."""
        self._join()
        self._ring.close()

    def _join(self) -> None:
        if self._living is not None:
            self._living.join()
            self._living = None

    def _live(self, fd: int) -> None:
        try:
            with suppress(WireLost):
                serve(self._ring, Hand(), ServingLoop(fd, Damage.none()), lambda: True, discard)
        except Crashed as crash:
            self._crash = str(crash).splitlines()[-1].strip(" .:")
            raise
        finally:
            os.close(fd)  # always: otherwise the other end would not notice that the board is gone
