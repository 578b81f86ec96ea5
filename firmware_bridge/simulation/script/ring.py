"""What a hand, a script and a line need of any simulated ring, virtual or emulated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from firmware_bridge.device.codec import VERSION
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.transport.in_process import Device


class SimulatedRing(Device, Protocol):
    """A ring that is not there; times are handed in, in seconds."""

    @property
    def under(self) -> Counter[str]:
        """The stations below the ring."""

    @property
    def armed(self) -> int:
        """The token that passages carry now, 0 for none."""

    @property
    def has_room(self) -> bool:
        """True when one slide more can begin, and all that it causes will be kept."""

    @property
    def acknowledged(self) -> bool:
        """True when the host has everything on record."""

    def load(self, stations: Mapping[str, int]) -> None:
        """Put *stations* below the ring, beside what is there."""

    def calibrated(self) -> None:
        """Let the world become what it is after calibration."""

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Let one cube out, of *colour* or a drawn one, or do the *fault*; False when there is none."""

    def gate(self, is_open: bool, now: float) -> None:
        """Open or close the gate, and let nothing out."""

    def lift(self, is_up: bool, now: float) -> None:
        """Lift the ring, or set it down."""

    def jolt(self, now: float) -> None:
        """Jolt the ring once."""

    def sensor(self, there: bool, now: float) -> None:
        """Let the colour sensor be gone, or be back."""

    def fill(self, now: float) -> None:
        """Let more happen than the device has room for."""

    def restart(self, now: float, *, version: int = VERSION, wrapped: bool = False) -> None:
        """Start the device anew, with that *version* of the protocol, or a counter that is about to wrap."""

    def written(self, at_ns: int) -> Sequence[GroundTruth]:
        """Return what has been written for the first time since the last call; it was written at *at_ns*."""

    def unwritten(self) -> Sequence[GroundTruth]:
        """Return what has not been written and, when the ring ends now, never will be."""
