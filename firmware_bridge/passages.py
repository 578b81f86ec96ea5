"""Ring events out of numbered lines: a passage and the parts that came before it become one event to be recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.ringport import Judgement, Kind, RingEvent
from firmware_bridge.colour import Judge, Reading
from firmware_bridge.messages import Event
from firmware_bridge.reflectance import Channels
from firmware_bridge.wire.grammar import whole

PARTS = frozenset({"ref", "frame", "edge"})
REFERENCES = frozenset({"white", "dark", "black"})
NOTHING: Channels = (0.0, 0.0, 0.0, 0.0)
Edge = tuple[str, bool, int]


class Passages:
    """Collects the parts of a passage until the passage itself comes."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._parts: list[Event] = []

    def take(self, event: Event, judge: Judge, under: Mapping[str, int]) -> RingEvent | None:
        """Take the next event in order; return what is complete with it, None for a part."""
        if event.word in PARTS:
            self._parts.append(event)
            return None
        if event.word != "pass":
            return self._plain(event)
        parts, self._parts = self._parts, []
        try:
            return self._passage(event, _own(event, parts), judge, under)
        except (KeyError, ValueError):
            return self._unreadable(event)

    def _plain(self, event: Event) -> RingEvent:
        kind, detail = _told(event)
        return RingEvent(self._device, event.boot, event.number, event.at_us, kind, raw=(event.raw,), detail=detail)

    def _passage(self, event: Event, parts: Sequence[Event], judge: Judge, under: Mapping[str, int]) -> RingEvent:
        raw = (*(part.raw for part in parts), event.raw)
        kind, token = Kind(event.fields["k"]), whole(event.fields["tok"])
        judgement = _judgement(kind, parts, judge, under)
        detail = {key: whole(event.fields[key]) for key in ("len", "us") if key in event.fields}
        return RingEvent(self._device, event.boot, event.number, event.at_us, kind, token, raw, judgement, detail)

    def _unreadable(self, event: Event) -> RingEvent:
        """A passage that is whole but makes no sense is put on record as a fault, not guessed at."""
        detail = {"fault": "unreadable-passage"}
        boot, raw = event.boot, (event.raw,)
        return RingEvent(self._device, boot, event.number, event.at_us, Kind.FAULT, raw=raw, detail=detail)


def _own(event: Event, parts: Sequence[Event]) -> list[Event]:
    """Return those of *parts* that belong to the passage: the numbers just before its own."""
    first = event.number - whole(event.fields["parts"])
    return [part for part in parts if first <= part.number < event.number]


def _told(event: Event) -> tuple[Kind, dict[str, object]]:
    fields = event.fields
    match event.word:
        case "boot":
            return Kind.BOOT, {"why": fields.get("why", "")}
        case "gate":
            return Kind.GATE, {"open": fields.get("open") == "1"}
        case "lift":
            return Kind.LIFT, {"lifted": fields.get("up") == "1"}
        case "fault":
            return Kind.FAULT, {"fault": fields.get("what", "unknown"), **fields}
        case _:
            return Kind.FAULT, {"fault": "unknown-event", "word": event.word}


def _judgement(kind: Kind, parts: Sequence[Event], judge: Judge, under: Mapping[str, int]) -> Judgement | None:
    """Judge what was seen; a passage whose parts make no sense still counts, with its colour unknown."""
    if kind not in (Kind.OUT, Kind.PAIR, Kind.BACK):
        return None
    try:
        judgement = judge.judge(reading(parts), under)
    except (KeyError, ValueError):
        return Judgement(None)
    return Judgement(None, judgement.ranking) if kind is Kind.PAIR else judgement


def reading(parts: Sequence[Event]) -> Reading:
    """Return what the colour sensor saw in *parts*, full frames only; ValueError or KeyError for nonsense."""
    begin, end = both_blocked([edge for part in parts if part.word == "edge" for edge in edges(part.fields["e"])])
    frames = [frame for part in parts if part.word == "frame" for frame in part.fields["f"].split(",")]
    full = [channels(rest) for at, rest in map(_split_frame, frames) if begin <= at <= end]
    found = references(parts)
    if "white" not in found:
        return Reading((), NOTHING, NOTHING)
    return Reading(full, found.get("black", NOTHING), found["white"], found.get("dark", NOTHING))


def references(parts: Sequence[Event]) -> dict[str, Channels]:
    """Return the references that *parts* tell (`white`, `dark`, `black`), each in counts of one frame."""
    found: dict[str, Channels] = {}
    for fields in [part.fields for part in parts if part.word == "ref"]:
        frames = whole(fields.get("sum", "1"))
        if not frames:
            raise ValueError("a sum of no frames")
        for name in REFERENCES & fields.keys():
            r, g, b, c = (count / frames for count in channels(fields[name]))
            found[name] = (r, g, b, c)
    return found


def _split_frame(frame: str) -> tuple[int, str]:
    at, _, rest = frame.partition(":")
    return whole(at), rest


def channels(text: str) -> Channels:
    """Return the four counts that `12:34:56:78` writes; ValueError for anything else."""
    r, g, b, c = (float(whole(part)) for part in text.split(":"))
    return r, g, b, c


def edges(text: str) -> list[Edge]:
    """Return the edges that `A+0,B+50000,A-100000,B-150000` writes; ValueError for anything else."""
    found = []
    for part in text.split(","):
        if part[:1] not in ("A", "B") or part[1:2] not in ("+", "-"):
            raise ValueError(f"not an edge: {part[:20]}")
        found.append((part[0], part[1] == "+", whole(part[2:])))
    return found


def both_blocked(path: Sequence[Edge]) -> tuple[int, int]:
    """Return when both beams were blocked first and last (microseconds after the first edge); (0, -1) for never."""
    on = {"A": False, "B": False}
    begin, end = 0, -1
    for beam, blocked, at in path:
        if on["A"] and on["B"]:
            end = at
        on[beam] = blocked
        if end < 0 and on["A"] and on["B"]:
            begin = at
    return begin, end
