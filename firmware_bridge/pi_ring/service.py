"""Runs the ring on this Pi's pins in a thread of its own. The ring keeps running while no host is connected.

At the start, beams and sensor are tested. The black reference and the sensor's gain are stored in files, so that they
survive restarts.
"""

from __future__ import annotations

import atexit
import os
import re
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from socket import socketpair
from time import sleep

from companion.kernel.atomic_file import replacement
from companion.kernel.private_file import make_private, make_private_folder
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from firmware_bridge.device.controller import ControllerHands
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.main_loop import Loop
from firmware_bridge.device.sensor import Sensor
from firmware_bridge.pi_ring.gpio_address import Pinout
from firmware_bridge.pi_ring.hal import PiBus, PiHal
from firmware_bridge.pi_ring.interfaces import LastingMemory, Pins, SmBus
from firmware_bridge.pi_ring.lgpio_import import import_lgpio
from rungs.wire import PORTION, Bell, FileWire, Wire, WireLost, ready


@shows("_path")
class Persistence:
    """Stores references and the gain as files in *path*.

    If writing fails, these values are measured again after a restart.
    """

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


FIRMWARE = "0.1.0"
SETTLE_US = 2_000
SERIAL = re.compile(r"^Serial\s*:\s*([0-9a-f]+)$", re.MULTILINE)
NAMES = (Path("/proc/cpuinfo"), Path("/etc/machine-id"))


@shows("_missing")
class Without(ControllerHands):
    """Refuses the orders that this ring cannot carry out: always `prompt`, and `lamp` and `beep` if these parts are
    missing.
    """

    def __init__(self, abilities: str) -> None:
        self._missing = {"prompt"} | {
            word for word, letter in (("lamp", "m"), ("beep", "b")) if letter not in abilities
        }

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Return `unknown` for an order that the ring cannot carry out."""
        return "unknown" if word in self._missing else None


def begin(
    hal: PiHal, smbus: SmBus, wiring: Pinout, memory: LastingMemory, names: tuple[str, str], wait: Callable[[int], None]
) -> Loop:
    """Test beams and sensor, and return the ring's main loop.

    *names* are the names of the device and of this boot. *wait* waits for a number of microseconds.
    """
    device, boot = names
    dead = dark_beams(hal, wiring, wait)
    sensor = Sensor(PiBus(smbus, wait), memory.stored("gain"))
    seen = sensor.begin()
    wrong = dead + ([] if seen else ["sensor"])
    identity: list[tuple[str, object]] = [
        ("fw", FIRMWARE),
        ("id", device),
        ("sensor", sensor.name),
        ("sim", 0),
        ("can", wiring.abilities),
    ]
    link = Endpoint(identity, boot)
    link.report([("boot", [("why", "power"), ("test", ",".join(wrong) or "ok")])], 0)
    hal.edges()  # discard the edges of the test
    loop = Loop(hal, sensor, link, Without(wiring.abilities))
    if (black := sensor.restored(memory.stored("black"))) is not None:
        loop.controller.references["black"] = black
    if dead:
        loop.controller.complain("beam-dead", 0)
    return loop


def dark_beams(hal: PiHal, wiring: Pinout, wait: Callable[[int], None]) -> list[str]:
    """Test the beams by switching the emitters off and on.

    Return their faults: `lit-` or `dark-` with the beam's letter.
    """
    wrong: list[str] = []
    if wiring.emitters is not None:
        hal.shine(False)
        wait(SETTLE_US)
        wrong += [f"lit-{beam.lower()}" for beam in "AB" if not hal.level(beam)]
    hal.shine(True)
    wait(SETTLE_US)
    return wrong + [f"dark-{beam.lower()}" for beam in "AB" if hal.level(beam)]


def device_name(sources: tuple[Path, Path] = NAMES) -> str:
    """Return this Pi's permanent name, 12 characters derived from its serial number or its machine ID."""
    cpuinfo, machine = sources
    found = SERIAL.search(_text(cpuinfo))
    name = found.group(1) if found else _text(machine).strip()
    return "pi" + sha256(name.encode()).hexdigest()[:10]


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


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
        """End the ring, with its lamps off. It may be called twice."""
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
