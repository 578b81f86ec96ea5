"""Parses a capture: the traffic with its times, and the ring's events in it, each once and in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from firmware_bridge.capture.format import HEADER, JUDGED, NOTE, RECEIVED, VERSION, CaptureEntry, entry_of
from firmware_bridge.device import codec
from firmware_bridge.device.framing import LineFraming
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.protocol.messages import Event, Hello, read

LONGEST_LINE = 2_000
BETWEEN_STARTS_MS = 1_000.0  # assumed, because the time between two starts of the program is unknown
REMEMBERED = "# $hello "


@dataclass(frozen=True)
class Tape:
    """A whole capture. *started* is from its first header. Times continue over all starts from the first one."""

    path: str
    started: str
    port: str
    entries: tuple[CaptureEntry, ...]
    hellos: Mapping[str, Hello] = field(default_factory=dict)  # by boot


@dataclass(frozen=True)
class Dated:
    """One event of the ring. *at_ms* is the time when it and all events before it had arrived."""

    at_ms: float
    event: Event


def read_tape(path: Path) -> Tape:
    """Return the capture at *path*. Raise BadInput with the number of a malformed line."""
    try:
        with path.open(encoding="ascii", newline="\n") as file:
            return _tape(path, file)
    except OSError as fault:
        raise BadInput(f"{path}: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a capture (wrong bytes)") from None


def _tape(path: Path, file: TextIO) -> Tape:
    first = HEADER.fullmatch(file.readline(LONGEST_LINE).rstrip("\n"))
    if first is None:
        raise BadInput(f"{path}, line 1: not the start of a capture")
    if int(first[1]) != VERSION:
        raise BadInput(f"{path}: a capture of version {first[1]}; this program knows version {VERSION}")
    remembered: list[str] = []
    entries = tuple(_entries(path, file, remembered))
    hellos = {hello.boot: hello for hello in _hellos(entries, remembered)}
    return Tape(str(path), first[3], first[4], entries, hellos)


def _entries(path: Path, file: TextIO, remembered: list[str]) -> Iterator[CaptureEntry]:
    """Yield the entries of the file. A torn line is only allowed at the end or before another header."""
    base = last = 0.0
    torn = 0
    number = 1
    while line := file.readline(LONGEST_LINE):
        number += 1
        begins = HEADER.fullmatch(line.rstrip("\n")) is not None
        if torn and not begins:
            raise BadInput(f"{path}, line {torn}: not a line of a capture")
        torn = 0
        if begins:
            base = last + BETWEEN_STARTS_MS
        elif line.startswith(REMEMBERED):
            remembered.append(line[2:])
        elif line.endswith("\n") and (entry := entry_of(line[:-1])):
            last = base + entry.at_ms
            yield replace(entry, at_ms=last)
        else:
            torn = number


def _hellos(entries: Iterable[CaptureEntry], remembered: Iterable[str]) -> Iterator[Hello]:
    said = b"".join(line.encode() for line in remembered)
    said += b"".join(entry.sent for entry in entries if entry.mark.startswith(RECEIVED) and b"$hello " in entry.data)
    for body in LineFraming().feed(said + b"\n"):
        message = read(body, codec.VERSION)
        if isinstance(message, Hello):
            yield message


def events_of(tape: Tape) -> list[Dated]:
    """Return the ring's events in order, each once. Events that never arrived undamaged are missing."""
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
    """Return the judgements noted in the capture, by boot and number."""
    found = {}
    for entry in tape.entries:
        words = entry.data.decode("ascii", "replace").split(" ", 3)
        if entry.mark == NOTE and words[0] == JUDGED and len(words) == 4 and words[2].isdigit():
            found[words[1], int(words[2])] = words[3]
    return found
