"""The interface of simulated rings, for hands, scripts and lines. Virtual and emulated rings implement it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from firmware_bridge.device.codec import VERSION
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.transport.in_process import Device


class SimulatedRing(Device, Protocol):
    """A simulated ring. Times are arguments, in seconds."""

    @property
    def under(self) -> Counter[str]:
        """The stations below the ring."""

    @property
    def armed(self) -> int:
        """The token that passages carry now, or 0 if there is none."""

    @property
    def has_room(self) -> bool:
        """True if another slide can begin and the device can store all events that it may cause."""

    @property
    def acknowledged(self) -> bool:
        """True if the host has acknowledged all events."""

    def load(self, stations: Mapping[str, int]) -> None:
        """Add *stations* to those below the ring."""

    def calibrated(self) -> None:
        """Switch to the world's `after_calibration` values."""

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Let one cube out (of *colour*, or a random one), or cause *fault*. Return False if there is no cube left."""

    def gate(self, is_open: bool, now: float) -> None:
        """Open or close the gate without letting anything out."""

    def lift(self, is_up: bool, now: float) -> None:
        """Lift the ring, or set it down."""

    def jolt(self, now: float) -> None:
        """Jolt the ring once."""

    def sensor(self, there: bool, now: float) -> None:
        """Remove the colour sensor, or connect it again."""

    def fill(self, now: float) -> None:
        """Cause more events than the device can store."""

    def restart(self, now: float, *, version: int = VERSION, wrapped: bool = False) -> None:
        """Restart the device, which then speaks *version* of the protocol.

        With *wrapped*, its counter is about to wrap.
        """

    def written(self, at_ns: int) -> Sequence[GroundTruth]:
        """Return the things whose events were written for the first time since the last call.

        *at_ns* is the writing time.
        """

    def unwritten(self) -> Sequence[GroundTruth]:
        """Return the things whose events were not written, and will never be written if the ring ends now."""
