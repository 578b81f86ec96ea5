"""The orders that an emulated board passes on to its simulated gate: stations below, slides and the black card."""

from __future__ import annotations

from collections import Counter

from companion.kernel.shown import shows
from firmware_bridge.device.codec import counts, whole
from firmware_bridge.simulation.testbench import SimulatedGate
from firmware_bridge.simulation.virtual.ring import CALIBRATING

DONE, SENSELESS, STRANGE, EMPTY = range(4)  # as the board's custom.py reads them


@shows("_calibrating", "_coming")
class HostOrders:
    """Carries out, at the *rig*, the host's orders for a simulated ring."""

    def __init__(self, rig: SimulatedGate) -> None:
        self.token = 0
        self._rig = rig
        self._coming: Counter[str] = Counter()
        self._calibrating = False
        self._card = False

    def obey(self, words: str, at_us: int) -> int:
        """Carry out an order that the board passed on; return the number of its answer."""
        word, *rest = words.split(" ")
        try:
            return self._done(word, rest, at_us)
        except ValueError:
            return SENSELESS

    def started(self) -> None:
        """Forget the arming and all announced stations: the board has restarted."""
        self.token = 0
        self._coming = Counter()

    def looked(self, what: str, at_us: int) -> None:
        """Remove the black card after its reference was taken."""
        if what == "black" and self._card:
            self._card = False
            self._rig.card(False, at_us)
            self._rig.gate(False, at_us)

    def _done(self, word: str, rest: list[str], at_us: int) -> int:
        match word:
            case "under":
                return self._put(whole(rest[0]), counts(rest[1]))
            case "slide":
                return DONE if self._rig.slide(at_us) else EMPTY
            case "arm":
                self._arm(whole(rest[0]))
            case "disarm":
                self.token = 0
            case "look" if rest == ["black"] and not self._card:
                # Through the open gate, as at a table. The board discards what it is measuring of the closed shutter at
                # that time.
                self._card = True
                self._rig.gate(True, at_us)
                self._rig.card(True, at_us)
        return DONE

    def _put(self, number: int, stations: list[tuple[str, int]]) -> int:
        """Store stations announced for the next arming. Line 0 discards earlier ones."""
        if number == 0:
            self._coming = Counter()
        if any(colour not in self._rig.world.reflectance for colour, _ in stations):
            return STRANGE
        self._coming.update(dict(stations))
        return DONE

    def _arm(self, token: int) -> None:
        """Put the announced stations below the ring. The world ages when a game's token follows a calibration's."""
        if token != self.token:
            self._rig.under = +self._coming
        if token < CALIBRATING and self._calibrating:
            self._rig.calibrated()
        self._calibrating = token >= CALIBRATING
        self._coming = Counter()
        self.token = token
