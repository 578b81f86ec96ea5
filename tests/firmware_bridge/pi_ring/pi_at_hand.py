"""The simulated Pi as a ring with the interface for scripts, like the other simulated rings."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.device.clock import PICO_PERIOD
from firmware_bridge.device.codec import VERSION
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.pi_ring.gpio_address import parse_gpio_address
from tests.firmware_bridge.pi_ring.simulated_pi import BEGUN_US, SimulatedPi

ADDRESS = "gpio:?light=16,20,21&beeper=12"
SHORTLY_US = 2_000_000  # time before the counter wraps
POKES, POKE_US, TOUCHED_US = 140, 10_000, 5_000  # more than the store can hold


class PiRing:
    """A simulated Pi that starts at *start_s*, with the interface that a script's hand needs."""

    def __init__(self, sensor: type[Chip], start_s: float) -> None:
        self.pi = SimulatedPi(parse_gpio_address(ADDRESS), begun=start_s, chip=sensor)
        self._start_s = start_s
        self._card = False

    @property
    def armed(self) -> int:
        """Return the current token of passages."""
        return self.pi.loop.link.token

    @property
    def has_room(self) -> bool:
        """Return whether the hand is free."""
        return not self.pi.rig.busy

    @property
    def acknowledged(self) -> bool:
        """Return whether all events are acknowledged and nothing is happening."""
        return not (self.pi.loop.link.store.events or self.pi.rig.busy)

    def receive(self, data: bytes, now: float) -> None:
        """Receive bytes from the host.

        For a look at black, put the black card under the sensor, through the open gate.
        """
        if b" what=black*" in data and not self._card:
            self._show(True, now)
        self.pi.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now."""
        said = self.pi.outgoing(now)
        if b" what=black counts=" in said and self._card:
            self._show(False, now)
        return said

    def due(self, now: float) -> float:
        """Return the time at which there may be more bytes."""
        return self.pi.due(now)

    def written(self, at_ns: int) -> None:
        """Discard the recorded passages: their times are checked by other tests."""
        self.pi.rig.happened.clear()

    def load(self, stations: Mapping[str, int]) -> None:
        """Put stations under the ring."""
        self.pi.rig.load(stations)

    def calibrated(self) -> None:
        """Change the simulated light and sensor to their state after calibration."""
        self.pi.rig.calibrated()

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Begin to let a station out. Returns whether it could begin."""
        return self.pi.rig.slide(self._us(now), colour, speed_mm_s, fault)

    def gate(self, is_open: bool, now: float) -> None:
        """Open or close the gate."""
        self.pi.rig.gate(is_open, self._us(now))

    def lift(self, is_up: bool, now: float) -> None:
        """Lift the ring, or set it down."""
        self.pi.rig.lift(is_up, self._us(now))

    def jolt(self, now: float) -> None:
        """Jolt the ring once."""
        self.pi.rig.jolt(self._us(now))

    def sensor(self, there: bool, now: float) -> None:
        """Take the sensor away, or bring it back."""
        (self.pi.rig.sensor_back if there else self.pi.rig.sensor_gone)(self._us(now))

    def fill(self, now: float) -> None:
        """Poke the inner beam until the store is full, while the host reads nothing."""
        pokes = [n * POKE_US for n in range(POKES)]
        edges = [("A", on, at + (0 if on else TOUCHED_US)) for at in pokes for on in (True, False)]
        self.pi.rig.beams(edges, self._us(now))
        self.pi.unread_until_us = self._us(now) + (POKES + 2) * POKE_US

    def mute(self, until: float) -> None:
        """Let the host read nothing until the time *until*."""
        self.pi.unread_until_us = self._us(until)

    def restart(self, now: float, version: int = VERSION, wrapped: bool = False) -> None:
        """Restart, with another version of the protocol, or with a counter that is about to wrap."""
        self.pi.run(now)
        self.pi.restart(PICO_PERIOD - SHORTLY_US if wrapped else BEGUN_US, version)

    def _show(self, card: bool, now: float) -> None:
        self._card = card
        self.pi.rig.gate(card, self._us(now))
        self.pi.rig.card(card, self._us(now))

    def _us(self, now: float) -> int:
        return round((now - self._start_s) * 1e6)
