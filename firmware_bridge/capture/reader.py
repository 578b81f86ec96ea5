"""Parses a capture: the traffic with its times, and the ring's events, each once and in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge.device import codec
from firmware_bridge.device.framing import LineFraming
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.protocol.messages import Event, Hello, read
from rungs.capture import NOTE, RECEIVED, BadCapture, CaptureEntry, header, read_capture

KIND = "ring"
JUDGED = "judged"
"""The first word of a note with the judgement of a passage: `judged BOOT NUMBER COLOUR`."""
REMEMBERED = "$hello "


@dataclass(frozen=True)
class Tape:
    """A whole capture. *started* comes from its first header. Times count from there, over all starts of the
    program.
    """

    path: str
    started: str
    port: str
    entries: tuple[CaptureEntry, ...]
    hellos: Mapping[str, Hello] = field(default_factory=dict)  # by boot


@dataclass(frozen=True)
class Dated:
    """One event of the ring. *at_ms* is the time by which this event and all events before it had arrived."""

    at_ms: float
    event: Event


def ring_header(program: str, started: str, port: str) -> str:
    """Return the header line of a ring's capture.

    >>> ring_header("companion 0.1.0", "2026-01-31T19:30:00Z", "/dev/ttyACM0")
    '# ring capture 1, companion 0.1.0, started 2026-01-31T19:30:00Z, port /dev/ttyACM0'
    """
    return header(program, started, port, KIND)


def read_tape(path: Path) -> Tape:
    """Return the capture at *path*. Raise InputError with the number of a malformed line."""
    try:
        capture = read_capture(path)
    except BadCapture as fault:
        raise InputError(str(fault)) from None
    remembered = [remark for remark in capture.remarks if remark.startswith(REMEMBERED)]
    hellos = {hello.boot: hello for hello in _hellos(capture.entries, remembered)}
    return Tape(str(path), capture.started, capture.port, capture.entries, hellos)


def _hellos(entries: Iterable[CaptureEntry], remembered: Iterable[str]) -> Iterator[Hello]:
    said = b"".join(line.encode() for line in remembered)
    said += b"".join(entry.sent for entry in entries if entry.mark.startswith(RECEIVED) and b"$hello " in entry.data)
    for body in LineFraming().feed(said + b"\n"):
        message = read(body, codec.VERSION)
        if isinstance(message, Hello):
            yield message


def events_of(tape: Tape) -> list[Dated]:
    """Return the ring's events in order, each once. Events of which no undamaged copy arrived are missing."""
    boots: dict[str, dict[int, Dated]] = {}
    lines = LineFraming()
    for entry in tape.entries:
        if not entry.mark.startswith(RECEIVED):
            lines = lines if entry.mark != NOTE or entry.data.startswith(JUDGED.encode()) else LineFraming()
            continue
        for body in lines.feed(entry.sent):
            message = read(body, codec.VERSION)
            if isinstance(message, Event):
                boots.setdefault(message.boot, {}).setdefault(message.number, Dated(entry.at_ms, message))
    return list(_in_order(boots))


def _in_order(boots: Mapping[str, Mapping[int, Dated]]) -> Iterator[Dated]:
    at_ms = 0.0
    for events in boots.values():
        for number in sorted(events):
            at_ms = max(at_ms, events[number].at_ms)
            yield Dated(at_ms, events[number].event)


def judged_then(tape: Tape) -> dict[tuple[str, int], str]:
    """Return the judgements noted in the capture, by boot and number of their events."""
    found = {}
    for entry in tape.entries:
        words = entry.data.decode("ascii", "replace").split(" ", 3)
        if entry.mark == NOTE and words[0] == JUDGED and len(words) == 4 and words[2].isdigit():
            found[words[1], int(words[2])] = words[3]
    return found
