"""Opens the ring at an address. Our own schemes are handled here, and other addresses are passed to pyserial."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from random import Random

from companion.kernel.said import said
from companion.kernel.supervisor import Supervisor, Thread
from companion.kernel.values import dataclass, replace
from companion.ports.ring import NoRing, RingListener
from firmware_bridge.client.ring import Opener, Ring
from firmware_bridge.colour import Doubting, Judge, Nominal
from firmware_bridge.colour.channels import NOMINAL, Channels
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.transport.serial_ports import check_address, ports
from rungs.wire import Bell, FileWire, Wire, WireLost, open_wire, opening


def open_ring(
    url: str,
    listener: RingListener,
    judge: Judge | None = None,
    now: Callable[[], float] = time.monotonic,
    captures: Path | None = None,
    threads: Supervisor | None = None,
) -> Ring | NoRing:
    """Return the ring at *url*, with its reader started. Raise InputError with one sentence if the address is invalid.

    If no ring answers yet, that is not an error: the reader tries again until the returned ring is closed. *url* is
    `mock:` (with `?world=FILE&seed=N&sensor=CHIP`), `emulated:` (the same, and `port=unix`), `capture:FILE`
    (with `?speed=N&wait=armed`), `gpio:` (with pins), `auto`, `none`, a serial port, or any address
    that pyserial accepts. If *captures* is given, the traffic is captured to that folder. *threads* supervises all
    threads.
    """
    if url == "none":
        return NoRing()
    threads = threads or Supervisor()
    way = way_to(url, now, threads)
    chosen = judge or (Nominal(way.references) if way.known else Doubting(Nominal(way.references)))
    if captures is None:
        ring = Ring(way.opener, listener, chosen, session_name, now, url, way.references, threads)
    else:
        from firmware_bridge.client.recorded_ring import RecordedRing

        ring = RecordedRing(way.opener, listener, chosen, session_name, now, url, way.references, captures, threads)
    ring.about = {"url": url, "world": way.world}
    ring.afterwards = way.afterwards
    return ring.start()


@dataclass(frozen=True)
class Opening:
    """How to open wires to one ring.

    *references* are the nominal values of its colours. A ring that is simulated here has a world.

    *known* is true if the cubes of a simulated ring have the nominal colours. *afterwards* releases the resources
    behind the wire.
    """

    opener: Opener
    references: Mapping[str, Channels] = field(default_factory=lambda: NOMINAL)
    world: object = None
    known: bool = True
    afterwards: Callable[[], None] | None = None


def way_to(url: str, now: Callable[[], float] = time.monotonic, threads: Supervisor | None = None) -> Opening:
    """Return the `Opening` of the ring at *url*. Its threads belong to *threads*. Raise InputError like `open_ring`.

    The function that opens a wire raises only `WireLost`.
    """
    way = _way_to(url, now, threads or Supervisor())

    def opener(bell: Bell) -> Wire:
        with opening(url):
            return way.opener(bell)

    return replace(way, opener=opener)


def _way_to(url: str, now: Callable[[], float], threads: Supervisor) -> Opening:
    if url.startswith("mock:"):
        return _mock(url, threads)
    if url.startswith("capture:"):
        return _replayed(url, now)
    if url.startswith("emulated:"):
        return _emulated(url, threads)
    if url.startswith("gpio:"):
        return _on_pins(url, threads)
    return Opening(_auto_opener() if url == "auto" else _port_opener(url))


def session_name() -> str:
    """Return a new random name for a session."""
    return os.urandom(3).hex()


def boot_name() -> str:
    """Return a new random name for a device's boot."""
    return os.urandom(6).hex()


def mock_settings(url: str) -> tuple[Path | None, int | None, type[Chip]]:
    """Parse a `mock:` address: return the world file, the seed and the sensor's chip. Raise InputError if it is wrong.

    >>> path, seed, chip = mock_settings("mock:?seed=7&sensor=apds9960")
    >>> seed, chip.NAME
    (7, 'apds9960')
    """
    form = "a mock ring is `mock:` with `?world=FILE&seed=N&sensor=CHIP`"
    path, seed, settings = _settings(url, "mock:", ("world", "seed", "sensor"), form)
    return path, seed, _sensor(url, settings)


def _sensor(url: str, settings: Mapping[str, str]) -> type[Chip]:
    """Return the chip that *settings* name, or the default chip. Raise InputError if it is unknown."""
    from firmware_bridge.device.sensor_chips import CHIPS, USUAL, chip_named

    if "sensor" not in settings:
        return USUAL
    chip = chip_named(settings["sensor"])
    if chip is None:
        raise InputError(f"{url}: sensor must be one of {', '.join(each.NAME for each in CHIPS)}")
    return chip


def _settings(
    url: str, scheme: str, known: Sequence[str], form: str
) -> tuple[Path | None, int | None, Mapping[str, str]]:
    """Parse *url*. Return the world file, the seed, and all settings.

    Raise InputError for a setting that is not in *known*.
    """
    from urllib.parse import parse_qsl

    query = url.removeprefix(scheme).removeprefix("?")
    settings = dict(parse_qsl(query, keep_blank_values=True))
    if settings.keys() - set(known) or (query and not settings):
        raise InputError(f"{url}: {form}, nothing else")
    seed = settings.get("seed")
    if seed is not None and not (seed.isascii() and seed.isdigit()):
        raise InputError(f"{url}: seed must be a whole number")
    return Path(settings["world"]) if "world" in settings else None, int(seed) if seed is not None else None, settings


def _mock(url: str, threads: Supervisor) -> Opening:
    """Return the `Opening` of a virtual ring in this process."""
    from socket import socketpair

    from firmware_bridge.simulation.physics.world import IDEAL, read_world
    from firmware_bridge.simulation.serving.loop import serve_apart
    from firmware_bridge.simulation.virtual.ring import VirtualRing

    path, seed, chip = mock_settings(url)
    world = read_world(path) if path else IDEAL
    ring = VirtualRing(world, Random(seed), boot_name, time.monotonic(), chip=chip)
    living: list[Thread] = []

    def opener(bell: Bell) -> Wire:
        while living:
            living.pop().join()
        ours, theirs = socketpair()
        living.append(serve_apart(ring, theirs.detach(), threads))
        return FileWire("mock:", ours.detach(), bell)

    return Opening(opener, world.reflectance, world)


def _emulated(url: str, threads: Supervisor) -> Opening:
    """Return the `Opening` of an emulated board. The board starts at once, so a missing MicroPython is reported now."""
    from firmware_bridge.simulation.emulated.service import BoardService
    from firmware_bridge.simulation.physics.world import IDEAL, read_world

    form = "an emulated ring is `emulated:` with `?world=FILE&seed=N&sensor=CHIP&port=wasm` (or unix)"
    path, seed, settings = _settings(url, "emulated:", ("world", "seed", "sensor", "port"), form)
    world = read_world(path) if path else IDEAL
    sensor = _sensor(url, settings)
    board = BoardService(world, Random(seed), settings.get("port", ""), threads, sensor)
    return Opening(board, world.reflectance, world, afterwards=board.close)


def _replayed(url: str, now: Callable[[], float]) -> Opening:
    """Return the `Opening` of a replayed capture. When the wire is opened again, the replay continues.

    The replay reports that it is simulated, but the cubes of a real ring's capture do not have
    nominal colours.
    """
    from firmware_bridge.capture.reader import read_tape
    from firmware_bridge.capture.replay_device import ReplayedRing, capture_settings
    from firmware_bridge.transport.in_process import DirectWire, bell_pause

    path, speed, wait = capture_settings(url)
    tape = read_tape(Path(path))
    ring = ReplayedRing(tape, speed, now(), wait)
    known = all(hello.simulated for hello in tape.hellos.values())
    return Opening(lambda bell: DirectWire(url, ring, now, bell_pause(bell), ring.gone), known=known)


def _on_pins(url: str, threads: Supervisor) -> Opening:
    """Return the `Opening` of a ring on this Pi's own pins.

    lgpio changes the working folder while it is imported, so it is imported before threads use relative paths. If lgpio
    is missing, the error is reported when the wire is opened.
    """
    from firmware_bridge.pi_ring.gpio_address import parse_gpio_address
    from firmware_bridge.pi_ring.lgpio_import import import_lgpio
    from firmware_bridge.pi_ring.service import OnPins, Persistence, parts_of_this_pi, usual_folder

    pins = parse_gpio_address(url)
    with suppress(ImportError, OSError):
        import_lgpio()
    return Opening(OnPins(pins, parts_of_this_pi, Persistence(usual_folder()), boot_name, threads=threads))


def _port_opener(url: str) -> Opener:
    check_address(url)
    return lambda bell: open_wire(url, bell)


def _auto_opener() -> Opener:
    """Return a function that opens a wire. Each call tries the next of the likely ports."""
    tried: list[str] = []

    def opener(bell: Bell) -> Wire:
        found = [port.path for port in ports() if port.likely]
        fresh = [path for path in found if path not in tried]
        if not fresh:
            tried.clear()
        if not found:
            raise WireLost(said("No ring found on any USB port: is it plugged in?"))
        tried.append((fresh or found)[0])
        return open_wire(tried[-1], bell)

    return opener
