"""The measurements of one passage: references, frames and edges, parsed from its raw lines.

`Passages` assembles ring events from numbered lines: the verdict of a passage and the parts sent before it become one
event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import sub

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from firmware_bridge.colour import Judge, Reading
from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.codec import VERSION, whole
from firmware_bridge.protocol import queues
from firmware_bridge.protocol.messages import Event, read, wholes

HALF_FRAME_US = 1200
END_SHARE = 0.3  # share of a pair's time, at each end, in which only one cube is visible, at any hand speed
REFERENCES = frozenset({"white", "dark", "black"})
NOTHING: Channels = (0.0, 0.0, 0.0, 0.0)
Edge = tuple[str, bool, int]
Frame = tuple[int, Channels]


@dataclass(frozen=True)
class MeasuredPassage:
    """The measurements of one passage. Counts are those of one frame.

    Each of *frames* has the microseconds from the first edge to the frame's middle, and its counts.

    Fields that the device did not report are empty or None. *length* is in edges of a cube.
    """

    kind: str = ""
    edges: tuple[Edge, ...] = ()
    frames: tuple[Frame, ...] = ()
    white: Channels | None = None
    black: Channels | None = None
    dark: Channels | None = None
    length: float | None = None

    @property
    def full(self) -> tuple[Channels, ...]:
        """The frames that were taken entirely while both beams were blocked. They show only the cube."""
        return tuple([seen for _, seen in self._whole])

    @property
    def ends(self) -> tuple[tuple[Channels, ...], tuple[Channels, ...]]:
        """The full frames of the first part and of the last part of the passage.

        For a pair, each part shows one of the cubes.
        """
        begin, end = time_both_blocked(self.edges)
        part = END_SHARE * (end - begin)
        first = tuple(seen for at, seen in self._whole if at <= begin + part)
        return first, tuple(seen for at, seen in self._whole if at >= end - part)

    @property
    def _whole(self) -> tuple[Frame, ...]:
        begin, end = time_both_blocked(self.edges)
        return tuple([each for each in self.frames if begin + HALF_FRAME_US <= each[0] <= end - HALF_FRAME_US])

    @property
    def blocked_us(self) -> int:
        """How long both beams were blocked, in microseconds."""
        begin, end = time_both_blocked(self.edges)
        return max(end - begin, 0)

    @property
    def room(self) -> float | None:
        """The light of the room as a share of the lamp's, in the clear channel, or None if a reference is missing."""
        if self.white is None or self.dark is None or self.white[3] - self.dark[3] < 1:
            return None
        return round(self.dark[3] / (self.white[3] - self.dark[3]), 3)

    def reading(self, frames: Sequence[Channels] | None = None) -> Reading:
        """Return the passage as the reading that a judge gets. It contains *frames*, or by default the full frames.

        If white is not brighter than the room there is no scale, so the reading has no frames. If the device reports no
        black reference, black is taken as no light at all.
        """
        dark = self.dark or NOTHING
        if self.white is None or min(map(sub, self.white, dark)) < 1:
            return Reading((), NOTHING, NOTHING)
        return Reading(self.full if frames is None else frames, self.black or dark, self.white, dark)


def measured(parts: Sequence[Event]) -> MeasuredPassage:
    """Parse the parts of a passage, with or without its verdict. Raise ValueError or KeyError if they are malformed."""
    verdict, *_ = [*[part.fields for part in parts if part.word == "pass"], {}]
    found = references(parts)
    frames = [text for part in parts if part.word == "frame" for text in part.fields["f"].split(",")]
    return MeasuredPassage(
        kind=verdict.get("k", ""),
        edges=tuple([edge for part in parts if part.word == "edge" for edge in edges(part.fields["e"])]),
        frames=tuple(map(_frame, frames)),
        white=found.get("white"),
        black=found.get("black"),
        dark=found.get("dark"),
        length=whole(verdict["len"]) / 100 if "len" in verdict else None,
    )


def measured_again(raw: Iterable[str]) -> MeasuredPassage | None:
    """Parse the *raw* lines of a passage. Return None if they contain no verdict or are malformed."""
    parts = [event for line in raw if (event := _event(line)) is not None]
    if not any(part.word == "pass" for part in parts):
        return None
    try:
        return measured(parts)
    except (KeyError, ValueError):
        return None


def references(parts: Sequence[Event]) -> dict[str, Channels]:
    """Return the references in *parts*, each in counts of one frame."""
    found: dict[str, Channels] = {}
    for part in parts:
        fields = part.fields
        for name in sorted(REFERENCES & fields.keys()) if part.word == "ref" else ():
            found[name] = mean(fields[name], fields.get("sum", "1"))
    return found


def mean(total: str, frames: str) -> Channels:
    """Divide *total*, the sum of several *frames*, to get the counts of one frame. Raise ValueError if malformed.

    >>> mean("16:8:0:24", "8")
    (2.0, 1.0, 0.0, 3.0)
    """
    number, r, g, b, c = wholes([frames, *total.split(":")])
    if not number:
        raise ValueError("a sum of no frames")
    return r / number, g / number, b / number, c / number


def edges(text: str) -> list[Edge]:
    """Parse edges. Raise ValueError if malformed.

    >>> edges("A+0,B+50000,A-100000,B-150000")
    [('A', True, 0), ('B', True, 50000), ('A', False, 100000), ('B', False, 150000)]
    """
    parts = text.split(",")
    for part in parts:
        if part[:1] not in ("A", "B") or part[1:2] not in ("+", "-"):
            raise ValueError(f"not an edge: {part[:20]}")
    times = wholes([part[2:] for part in parts])
    return [(part[0], part[1] == "+", at) for part, at in zip(parts, times, strict=True)]


def time_both_blocked(path: Sequence[Edge]) -> tuple[int, int]:
    """Return the first and the last time at which both beams were blocked, in microseconds, or (0, -1) if they never
    were.
    """
    on = {"A": False, "B": False}
    begin, end = 0, -1
    for beam, blocked, at in path:
        if on["A"] and on["B"]:
            end = at
        on[beam] = blocked
        if end < 0 and on["A"] and on["B"]:
            begin = at
    return begin, end


def _event(line: str) -> Event | None:
    message = read(line.removeprefix("$").rpartition("*")[0], VERSION)
    return message if isinstance(message, Event) else None


def _frame(text: str) -> Frame:
    """Parse a frame: its time and four counts. Raise ValueError if it is malformed.

    >>> _frame("14854:12:34:56:78")
    (14854, (12.0, 34.0, 56.0, 78.0))
    """
    at, r, g, b, c = wholes(text.split(":"))
    return at, (float(r), float(g), float(b), float(c))


PASSAGE, PARTS = "pass", frozenset({"ref", "frame", "edge"})
KINDS = {kind.value: kind for kind in RingEventKind}
NO_GAME = 900_000_000
"""Tokens from this number on belong to calibration wizards: no game arms the ring so often."""


COLOURED = frozenset({RingEventKind.OUT, RingEventKind.PAIR, RingEventKind.BACK})
"""The kinds of passages whose colour is judged."""


@shows("_parts", "_device")
class Passages:
    """Collects the parts of a passage until its verdict arrives."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._parts: list[Event] = []

    def forget(self) -> None:
        """Discard the parts collected so far. The device sends them again."""
        self._parts.clear()

    def take(self, event: Event, judge: Judge, under: Mapping[str, int]) -> RingEvent | None:
        """Add the next event in order. Return the ring event that it completes, or None if it is only a part."""
        if event.word in PARTS:
            self._parts.append(event)
            return None
        if event.word != PASSAGE:
            return self._plain(event)
        parts, self._parts = self._parts, []
        try:
            return self._passage(event, _own(event, parts), judge, under)
        except (KeyError, ValueError):
            return self._senseless(event, "unreadable-passage")

    def _plain(self, event: Event) -> RingEvent:
        try:
            kind, detail = _classified(event)
        except (KeyError, ValueError):
            return self._senseless(event, "unreadable-event")
        return RingEvent(self._device, event.boot, event.number, event.at_us, kind, raw=(event.raw,), detail=detail)

    def _passage(self, event: Event, parts: Sequence[Event], judge: Judge, under: Mapping[str, int]) -> RingEvent:
        raw = (*[part.raw for part in parts], event.raw)
        kind, token = KINDS[event.fields["k"]], whole(event.fields["tok"])
        seen = _seen(kind, [*parts, event])
        judgement = _judgement(seen, judge, under) if kind in COLOURED else None
        detail: dict[str, object] = {key: whole(event.fields[key]) for key in ("len", "us") if key in event.fields}
        if seen is not None and seen.room is not None:
            detail["room"] = seen.room
        if token >= NO_GAME:
            detail["calibrating"] = True
        return RingEvent(self._device, event.boot, event.number, event.at_us, kind, token, raw, judgement, detail)

    def _senseless(self, event: Event, fault: str) -> RingEvent:
        """Return a fault event in place of an event that is undamaged but malformed. Its meaning is not guessed."""
        boot, raw, detail = event.boot, (event.raw,), {"fault": fault, "word": event.word}
        return RingEvent(self._device, boot, event.number, event.at_us, RingEventKind.FAULT, raw=raw, detail=detail)


def _own(event: Event, parts: Sequence[Event]) -> list[Event]:
    """Return those of *parts* that belong to the passage *event*: their numbers directly precede its number."""
    first = event.number - whole(event.fields["parts"])
    return [part for part in parts if first <= part.number < event.number]


def _classified(event: Event) -> tuple[RingEventKind, dict[str, object]]:
    fields = event.fields
    match event.word:
        case "boot":
            return RingEventKind.BOOT, {"why": fields.get("why", ""), "test": fields.get("test", "not told")}
        case "gate":
            return RingEventKind.GATE, {"open": fields.get("open") == "1"}
        case "lift":
            return RingEventKind.LIFT, {"lifted": fields.get("up") == "1"}
        case "look":
            return RingEventKind.LOOK, {
                "what": fields["what"],
                "counts": [round(count, 3) for count in mean(fields["counts"], fields.get("sum", "1"))],
            }
        case "fault":
            return RingEventKind.FAULT, {"fault": fields.get("what", "unknown"), **fields}
        case queues.UNREADABLE:
            return RingEventKind.FAULT, {"fault": "unreadable-line", "word": event.fields["said"]}
        case _:
            return RingEventKind.FAULT, {"fault": "unknown-event", "word": event.word}


def _judgement(seen: MeasuredPassage | None, judge: Judge, under: Mapping[str, int]) -> Judgement:
    try:
        return judged(seen, judge, under) if seen is not None else Judgement(None, why="unread")
    except (KeyError, ValueError):
        return Judgement(None, why="unread")


def _seen(kind: RingEventKind, parts: Sequence[Event]) -> MeasuredPassage | None:
    """Return what was measured of a passage that has a colour.

    If its parts are malformed, it is None: the passage still counts, but its colour is unknown.
    """
    try:
        return measured(parts) if kind in COLOURED else None
    except (KeyError, ValueError):
        return None


def judged(seen: MeasuredPassage, judge: Judge, under: Mapping[str, int]) -> Judgement:
    """Return the judgement of the passage *seen*.

    If a cube was too fast for a full frame, its frames show part of the board too. Such frames give a ranking of
    colours, but never a sure colour. The colours of two cubes that left together are never sure either: the players are
    asked for both colours.
    """
    if seen.kind == RingEventKind.PAIR and all(seen.ends):
        one, other = (judge.judge(seen.reading(frames), under) for frames in seen.ends)
        return combined_judgement(one, other)
    full = seen.full
    if full or not seen.frames:
        judgement = judge.judge(seen.reading(full), under)
        return replace(judgement, colour=None) if seen.kind == RingEventKind.PAIR else judgement
    in_part = judge.judge(seen.reading([counts for _, counts in seen.frames]), under)
    return replace(in_part, colour=None, why="unread")


def combined_judgement(one: Judgement, other: Judgement) -> Judgement:
    """Combine the judgements of two cubes that left together. The ranking is the mean of the two rankings."""
    shares: dict[str, float] = {}
    for colour, share in (*one.ranking, *other.ranking):
        shares[colour] = shares.get(colour, 0.0) + share / 2
    ranking = tuple(sorted(shares.items(), key=lambda each: -each[1]))
    return Judgement(None, ranking, one.why or other.why, (one.unknown + other.unknown) / 2, one.calibration)
