"""Observes the messages of an emulated board and matches them with what really happened at its gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.kernel.shown import shows
from firmware_bridge.device.codec import parse
from firmware_bridge.device.framing import LineFraming
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.testbench import HandAction as Deed

APART_US = 200_000  # things at a gate happen at least this far apart; a board needs less to start
FAULTS = {"gate-open-while-shaking": "shake_open"}


@dataclass(frozen=True)
class WrittenEvent:
    """One event about the gate, as it was first written."""

    boot: str
    seq: int
    kind: str
    at_us: int
    written_ns: int


@shows("boot", "_last", "_acked")
class Observer:
    """Observes both directions of the wire, and matches each written event with what happened.

    *looked* is called with the name of each reference that was taken by order.
    """

    def __init__(self, looked: Callable[[str], None]) -> None:
        self.boot = ""
        self._looked = looked
        self._up, self._down = LineFraming(), LineFraming()
        self._last = self._acked = 0
        self._born_us = 0
        self._said: list[WrittenEvent] = []
        self._deeds: list[tuple[Deed, str, int]] = []
        self._count = 0

    @property
    def acknowledged(self) -> bool:
        """True if the host has acknowledged all events of the board."""
        return self._acked >= self._last

    def started(self, at_us: int) -> list[GroundTruth]:
        """Handle a restart of the board; return what it will never report."""
        lost = self.untold()
        self._up, self._down = LineFraming(), LineFraming()
        self.boot, self._born_us = "", at_us
        self._last = self._acked = 0
        self._said = []
        return lost

    def host_said(self, data: bytes) -> None:
        """Observe bytes from the host."""
        for body in self._down.feed(data):
            word, fields = parse(body) or ("", {})
            if word == "ack" and fields.get("b") == self.boot and fields.get("n", "").isdigit():
                self._acked = max(self._acked, int(fields["n"]))

    def board_said(self, data: bytes, at_ns: int) -> None:
        """Observe bytes from the board."""
        for body in self._up.feed(data):
            word, fields = parse(body) or ("", {})
            if word == "hello":
                self.boot = fields["b"]
            elif "n" in fields and int(fields["n"]) > self._last:
                self._last = int(fields["n"])
                self._event(word, fields, at_ns)

    def saw(self, deeds: Sequence[Deed]) -> None:
        """Add what has happened at the gate since the last call."""
        for deed in deeds:
            self._count += 1
            self._deeds.append((deed, self.boot, self._count))

    def told(self) -> list[GroundTruth]:
        """Return what has happened and has been reported since the last call."""
        found = []
        for entry in list(self._deeds):
            if said := self._telling(entry[0]):
                self._said.remove(said)
                self._deeds.remove(entry)
                found.append(self._happened(entry, said))
        return found

    def untold(self) -> list[GroundTruth]:
        """Return what was not reported, and never will be if the board ends now."""
        deeds, self._deeds = self._deeds, []
        return [self._happened(entry, None) for entry in deeds]

    def _happened(self, entry: tuple[Deed, str, int], said: WrittenEvent | None) -> GroundTruth:
        deed, boot, number = entry
        seq, written_ns = (said.seq, said.written_ns) if said else (None, None)
        return GroundTruth(number, deed.kind, deed.colours, said.boot if said else boot, seq, written_ns)

    def _event(self, word: str, fields: dict[str, str], at_ns: int) -> None:
        if word == "look":
            self._looked(fields["what"])
        kind = {"pass": fields.get("k", ""), "lift": "lift" if fields.get("up") == "1" else ""}.get(word, "")
        kind = kind or FAULTS.get(fields.get("what", ""), "")
        if kind:
            at_us = self._born_us + int(fields["t"])
            self._said.append(WrittenEvent(fields["b"], int(fields["n"]), kind, at_us, at_ns))

    def _telling(self, deed: Deed) -> WrittenEvent | None:
        """Return the event that reports *deed*: near its time, and of its kind if possible."""
        near = [said for said in self._said if deed.first_us - APART_US < said.at_us < deed.last_us + APART_US]
        same = [said for said in near if said.kind == deed.kind]
        return next(iter(same or [said for said in near if said.kind not in ("lift", "stuck")]), None)
