"""Assembles ring events from numbered lines: the verdict of a passage and the parts sent before it become one event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.kernel.shown import shows
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from firmware_bridge.colour import Judge
from firmware_bridge.device.codec import whole
from firmware_bridge.passages.passage import MeasuredPassage, mean, measured
from firmware_bridge.protocol import unreadable
from firmware_bridge.protocol.messages import Event

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
        case unreadable.UNREADABLE:
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
    colours, but never a sure colour. If two cubes left together, their colours are never sure either, and the players
    are asked for both.
    """
    if seen.kind == RingEventKind.PAIR and all(seen.ends):
        one, other = (judge.judge(seen.reading(frames), under) for frames in seen.ends)
        return either(one, other)
    full = seen.full
    if full or not seen.frames:
        judgement = judge.judge(seen.reading(full), under)
        return replace(judgement, colour=None) if seen.kind == RingEventKind.PAIR else judgement
    in_part = judge.judge(seen.reading([counts for _, counts in seen.frames]), under)
    return replace(in_part, colour=None, why="unread")


def either(one: Judgement, other: Judgement) -> Judgement:
    """Combine the judgements of two cubes that left together. The ranking is the mean of the two rankings."""
    shares: dict[str, float] = {}
    for colour, share in (*one.ranking, *other.ranking):
        shares[colour] = shares.get(colour, 0.0) + share / 2
    ranking = tuple(sorted(shares.items(), key=lambda each: -each[1]))
    return Judgement(None, ranking, one.why or other.why, (one.unknown + other.unknown) / 2, one.calibration)
