"""Runs the ring on this Pi's pins in a thread of its own. The ring keeps running while no host is connected."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from socket import socketpair
from time import sleep

from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from firmware_bridge.pi_ring.hal import PiHal
from firmware_bridge.pi_ring.interfaces import LastingMemory, Pins, SmBus
from firmware_bridge.pi_ring.lgpio_import import import_lgpio
from firmware_bridge.pi_ring.pinout import Pinout
from firmware_bridge.pi_ring.startup import begin, device_name
from rungs.wire import PORTION, Bell, FileWire, Wire, WireLost, ready

Parts = Callable[[Pinout], tuple[Pins, SmBus]]


@shows("_fd", "_coming")
class Cable:
    """The ring's end of a connection to a host in this program.

    The host calls `plug`; the ring's thread calls all other methods.
    """

    def __init__(self) -> None:
        self._bell = Bell()
        self._coming: list[int] = []
        self._fd = -1

    def plug(self) -> int:
        """Return the host's end of a new connection. The earlier connection ends."""
        ours, theirs = socketpair()
        theirs.setblocking(False)
        # Stored before the bell rings, so that the ring's thread finds the new connection.
        self._coming.append(theirs.detach())
        self._bell.ring()
        return ours.detach()

    def read(self) -> bytes:
        """Return the bytes that have arrived from the host, without waiting."""
        while self._coming:
            self.unplug()
            self._fd = self._coming.pop(0)
        try:
            data = os.read(self._fd, PORTION) if self._fd >= 0 else b""
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self.unplug()
        return data

    def write(self, data: bytes) -> int:
        """Send *data*; return how many bytes were accepted. Without a host it is discarded."""
        if self._fd < 0:
            return len(data)
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # the next read detects that the host is gone

    def rest(self, us: int) -> None:
        """Wait for the host or a pin."""
        self._wait(self._fd if self._fd >= 0 else self._bell.fileno(), us)

    def pause(self, us: int) -> None:
        """Wait for a pin."""
        self._wait(self._bell.fileno(), us)

    def stir(self) -> None:
        """Interrupt a wait."""
        self._bell.ring()

    def unplug(self) -> None:
        """Close the connection."""
        if self._fd >= 0:
            with suppress(OSError):
                os.close(self._fd)
        self._fd = -1

    def close(self) -> None:
        """Close all connections, including new ones that the ring's thread has not picked up yet."""
        self.unplug()
        while self._coming:
            with suppress(OSError):
                os.close(self._coming.pop(0))

    def _wait(self, fd: int, us: int) -> None:
        ready(fd, False, self._bell.fileno(), us / 1e6)
        self._bell.hush()


def settle(us: int) -> None:
    """Wait for *us* microseconds."""
    sleep(us / 1e6)


class RingService:
    """The running ring: its pins, its connection and its thread.

    After an error in its thread it is closed, and the ring's reader opens a new one.
    """

    def __init__(
        self,
        wiring: Pinout,
        parts: Parts,
        memory: LastingMemory,
        boot: str,
        wait: Callable[[int], None],
        threads: Supervisor,
    ) -> None:
        self._cable = Cable()
        self._ending = threading.Event()
        with ExitStack() as undoing:
            pins, smbus = parts(wiring)
            # If anything fails from here on, the pins are released. Otherwise the next attempt could not use them.
            undoing.callback(pins.close)
            self._hal = PiHal(pins, wiring, self._cable, memory)
            undoing.pop_all()
            undoing.callback(self._hal.close)
            self._loop = begin(self._hal, smbus, wiring, memory, (device_name(), boot), wait)
            self._thread = threads.start("gpio ring", self._live, again=False)
            undoing.pop_all()
        atexit.register(self.close)  # a process that ends must not leave its lamps on

    @property
    def alive(self) -> bool:
        """True while the ring is running and is not about to end."""
        return not self._ending.is_set()

    def plug(self) -> int:
        """Return the host's end of a new connection."""
        return self._cable.plug()

    def close(self) -> None:
        """End the ring, with its lamps off. Safe to call twice."""
        atexit.unregister(self.close)
        self._ending.set()
        self._cable.stir()
        self._thread.join()

    def _live(self) -> None:
        try:
            while not self._ending.is_set():
                self._loop.turn()
        finally:
            self._ending.set()
            try:
                self._hal.close()
            finally:
                self._cable.close()  # always: otherwise the host would not notice that the ring is gone


@shows("_desk")
class OnPins:
    """Opens wires to a ring on this Pi's pins. Raises WireLost with a sentence if that is not possible.

    A second wire connects to the same ring, with its stored events. If the ring's thread has died,
    a new ring is started. *wait* waits for a number of microseconds.
    """

    def __init__(
        self,
        wiring: Pinout,
        parts: Parts,
        memory: LastingMemory,
        boots: Callable[[], str],
        wait: Callable[[int], None] = settle,
        threads: Supervisor | None = None,
    ) -> None:
        self._wiring = wiring
        self._parts = parts
        self._memory = memory
        self._boots = boots
        self._wait = wait
        self._threads = threads or Supervisor()
        self._desk: RingService | None = None

    def __call__(self, bell: Bell) -> Wire:
        """Return an open wire."""
        if self._desk is None or not self._desk.alive:
            self.close()  # releases its pins
            self._desk = RingService(self._wiring, self._parts, self._memory, self._boots(), self._wait, self._threads)
        return FileWire("gpio:", self._desk.plug(), bell)

    def close(self) -> None:
        """End the ring. The next wire starts a new one."""
        if self._desk is not None:
            self._desk.close()
        self._desk = None


def parts_of_this_pi(wiring: Pinout) -> tuple[Pins, SmBus]:
    """Return this Pi's pins and bus. Raise WireLost with one sentence if there are none."""
    bus = f"/dev/i2c-{wiring.bus}"
    try:
        import_lgpio()
        import lgpio
        from gpiozero.exc import GPIOZeroError
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as fault:
        raise WireLost(said("gpio: needs the package lgpio: pip install 'ring-companion[pi]', on the Pi.")) from fault
    except OSError as fault:  # lgpio creates a pipe in that folder when it is imported
        raise WireLost(
            said("gpio: lgpio can't write in the folder this started in (%(why)s).", why=str(fault))
        ) from fault
    from smbus2 import SMBus

    try:
        pins: Pins = LGPIOFactory()
    except (OSError, GPIOZeroError, lgpio.error) as fault:
        raise WireLost(
            said("gpio: this computer has no Raspberry Pi pins to use (%(why)s).", why=str(fault))
        ) from fault
    try:
        return pins, SMBus(wiring.bus)
    except OSError as fault:
        pins.close()
        raise WireLost(
            said(
                "gpio: %(bus)s can't be opened (%(why)s). Switch I2C on with raspi-config.",
                bus=bus,
                why=str(fault.strerror),
            )
        ) from fault
