"""Starts a ring on a Pi's pins: self-test, identity and main loop."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from companion.kernel.shown import shows
from firmware_bridge.device.controller import ControllerHands
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.main_loop import Loop
from firmware_bridge.device.sensor import Sensor
from firmware_bridge.pi_ring.hal import PiBus, PiHal
from firmware_bridge.pi_ring.interfaces import LastingMemory, SmBus
from firmware_bridge.pi_ring.pinout import Pinout

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
