"""The controller of a ring: turns beam edges, frames and switches into events, and carries out orders.

It is the same on a board, on a Raspberry Pi and in a simulation. It does not use pins, bus or clock itself: each input
is passed in with its time, in whole microseconds since the start.
"""

from .beam_recogniser import Passage, Recogniser
from .codec import bits, token, whole
from .endpoint import Endpoint
from .gain import scaled
from .passage_report import SUM, counted, passage_lines
from .references import ReferenceWatch
from .sensor_chips import USUAL
from .sensor_driver import Chip
from .shake_detector import ShakeDetector

LEAST_BEAT_MS, MOST_BEAT_MS = 100, 60_000  # at most a minute, so that a returning host notices the ring soon
MOST_FRAMES = 64  # of one passage; for a slow cube only every second frame is stored, or every fourth, and so on
SHRILLEST_HZ, LONGEST_MS = 20_000, 5_000
REFERENCES = ("white", "dark", "black")


class ControllerHands:
    """Carries out the orders that need hardware. To be subclassed."""

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Carry out an order.

        Return "" if it was done, the reason if it cannot be done, or None if another object handles it.

        Raise KeyError or ValueError if a field is missing or malformed.
        """
        raise NotImplementedError


class Controller:
    """The controller of one ring. It sends its events to *link*.

    *hands* gets every order first. `references` are sums over `SUM` frames. While `sensing` is False, reports of
    passages do not include them. `chip` is the colour sensor.
    """

    def __init__(
        self,
        link: Endpoint,
        hands: ControllerHands,
        edge_um: int = 8_000,
        gap_um: int = 4_000,
    ) -> None:
        self.link = link
        self.references: dict[str, tuple[int, int, int, int]] = {}
        self.sensing = True
        self.chip: type[Chip] = USUAL
        self.most_lines = 0  # in the longest report of a passage so far
        self.unseen = False  # the last passage was slow enough for the sensor, but has no frames
        self._hands = hands
        self._recogniser = link.recogniser = Recogniser(edge_um, gap_um)
        self._watch = ReferenceWatch()
        self._shaking = ShakeDetector()
        self._frames: list[tuple[int, tuple[int, int, int, int]]] = []
        self._each = 1  # one of this many frames is stored
        self._left_out = 0  # frames since the last stored frame

    @property
    def resting(self) -> bool:
        """True while nothing is in the gate."""
        return self._recogniser.since_us < 0

    def blocked(self, beam: str) -> bool:
        """Return whether *beam* is blocked, according to its last edge."""
        return self._recogniser.on[beam]

    def receive(self, data: bytes, now_us: int) -> None:
        """Accept bytes from the host and carry out its orders."""
        for word, fields in self.link.receive(data, now_us):
            number = whole(fields["c"])
            try:
                self.link.answer(number, self._done(word, fields, now_us))
            except (KeyError, ValueError):
                self.link.answer(number, "malformed")

    def frame(self, at_us: int, counts: tuple[int, int, int, int]) -> None:
        """Add one frame of the sensor; *at_us* is the middle of its exposure.

        Add it before the edge that ends the passage.
        """
        self._left_out += 1
        if self._left_out < self._each:
            return
        if len(self._frames) >= MOST_FRAMES:
            self._frames = self._frames[::2]
            self._each *= 2
        self._frames.append((at_us, counts))
        self._left_out = 0

    def edge(self, beam: str, on: bool, at_us: int) -> list[tuple[str, int]]:
        """Add one edge of a beam, and report the passages that it completes.

        Return each verdict with its event's number.

        The number is 0 if the event could not be stored.
        """
        verdicts = self.tick(at_us)
        passage = self._recogniser.edge(beam, on, at_us)
        if passage:
            verdicts.append((passage.kind, self._report(passage)))
        since = self._recogniser.since_us
        if since < 0 or passage:
            self._frames = [frame for frame in self._frames if 0 <= since <= frame[0]]
            self._each = 1
        return verdicts

    def tick(self, at_us: int) -> list[tuple[str, int]]:
        """Report a passage as stuck if it has been in the gate for too long."""
        passage = self._recogniser.tick(at_us)
        return [(passage.kind, self._report(passage))] if passage else []

    def gate(self, is_open: bool, at_us: int) -> int:
        """Report that the gate was opened or closed; return the event's number."""
        self.link.gate = "1" if is_open else "0"
        self._shaking.closed()
        return self.link.report([("gate", [("open", self.link.gate)])], at_us)

    def lift(self, is_up: bool, at_us: int) -> int:
        """Report that the ring was lifted or set down; return the event's number."""
        self.link.lift = "1" if is_up else "0"
        return self.link.report([("lift", [("up", self.link.lift)])], at_us)

    def jolt(self, at_us: int) -> int:
        """Add one jolt, and report shaking if the gate is open.

        Return the event's number, or 0 if nothing was reported.
        """
        if self.link.gate == "0" or not self._shaking.jolt(at_us):
            return 0
        return self.complain("gate-open-while-shaking", at_us)

    def complain(self, fault: str, at_us: int) -> int:
        """Report a fault; return the event's number."""
        return self.link.report([("fault", [("what", fault)])], at_us)

    def refreshed(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int], at_us: int) -> None:
        """Store new references, and report the faults that they reveal."""
        self.references["white"] = white
        self.references["dark"] = dark
        for fault in self._watch.looked(white, dark):
            self.complain(fault, at_us)

    def doubts(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        """Return whether these references are so implausible that they should be taken again before they are stored."""
        return self._watch.doubts(white, dark)

    def outshone(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        """Return whether the room was too bright to measure the lamp's light when these references were taken."""
        return self._watch.outshone(white, dark)

    def amplified(self, was: int, now: int) -> None:
        """Convert the references from the gain *was* to the gain *now*."""
        for name, counts in list(self.references.items()):
            self.references[name] = scaled(counts, was, now)
        self._watch.scaled(was, now)

    def looked(self, what: str, counts: tuple[int, int, int, int], at_us: int) -> int:
        """Store and report one reference that the host ordered. Return the event's number."""
        self.references[what] = counts
        if what == "white":
            self._watch.calibrated(counts, self.references.get("dark", (0, 0, 0, 0)))
        return self.link.report([("look", [("what", what), ("counts", counted(counts)), ("sum", SUM)])], at_us)

    def _report(self, passage: Passage) -> int:
        references = self.references if self.sensing else {}
        lines, fault = passage_lines(passage, self._frames, references, self.link.token, self.chip)
        at = passage.edges[0][2]
        self.unseen = fault == "sensor-missing"
        if fault:
            self.complain(fault, at)
        self.most_lines = max(self.most_lines, len(lines))
        return self.link.report_formatted(lines, at)

    def _done(self, word: str, fields: dict[str, str], now_us: int) -> str:
        """Carry out one order. Return an empty string, or the reason if it cannot be carried out."""
        armed = token(fields["tok"]) if word == "arm" else 0  # a senseless token must not reach the hands either
        why = self._hands.obey(word, fields, now_us)
        if why is not None:
            return why
        if word == "arm":
            self.link.token = armed
        elif word == "disarm":
            self.link.token = 0
        elif word == "set":
            return self._set(fields)
        else:
            return "unknown"
        return ""

    def _set(self, fields: dict[str, str]) -> str:
        """Change the known settings in *fields*. Return the reason if all of them are unknown."""
        known = 0
        for name, value in fields.items():
            if name == "beat":
                self.link.beat_us = _beat_ms(whole(value)) * 1000
            elif name in self._recogniser.settings:
                self._recogniser.set(name, whole(value))
            else:
                continue
            known += 1
        return "" if known else "unknown"


def _beat_ms(wanted: int) -> int:
    if wanted > MOST_BEAT_MS:
        raise ValueError("beyond its limits: beat")
    return max(wanted, LEAST_BEAT_MS)


def reference(fields: dict[str, str]) -> str:
    """Return the reference that a `look` order asks for. Raise ValueError if it is unknown."""
    if fields["what"] not in REFERENCES:
        raise ValueError("no reference: " + fields["what"][:20])
    return fields["what"]


def colour(fields: dict[str, str]) -> tuple[int, int, int]:
    """Parse the colour of a `lamp` order: red, green and blue, 0 to 255. Raise ValueError if it is malformed.

    >>> colour({"rgb": "ff8000"})
    (255, 128, 0)
    """
    if len(fields["rgb"]) != 6:
        raise ValueError("no colour: " + fields["rgb"][:20])
    number = bits(fields["rgb"])
    return number >> 16, number >> 8 & 255, number & 255


def tone(fields: dict[str, str]) -> tuple[int, int]:
    """Parse the frequency (hertz) and duration (milliseconds) of a `beep` order.

    Raise ValueError if they are out of range.
    """
    hz, ms = whole(fields["hz"]), whole(fields["ms"])
    if not 0 < hz <= SHRILLEST_HZ or not 0 < ms <= LONGEST_MS:
        raise ValueError("no tone")
    return hz, ms
