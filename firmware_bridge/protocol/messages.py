"""The messages that a ring sends, as frozen values: one class per kind of message in hardware/PROTOCOL.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from companion.kernel.values import dataclass
from firmware_bridge.device.codec import MOST_DIGITS, parse, whole
from firmware_bridge.device.framing import checksum


@dataclass(frozen=True)
class Hello:
    """Identifies the device and its boot.

    *to* is the session that the hello answers, or "0". *first* is the number of the oldest event that the
    device still stores.
    """

    version: int
    to: str
    firmware: str
    device: str
    sensor: str
    simulated: bool
    abilities: str
    boot: str
    first: int


@dataclass(frozen=True)
class OtherVersion:
    """A hello in another version of the protocol. Only the version can be read."""

    version: int


@dataclass(frozen=True)
class Event:
    """One numbered event. *raw* is its line as received, without the newline."""

    word: str
    boot: str
    number: int
    at_us: int
    fields: Mapping[str, str]
    raw: str


@dataclass(frozen=True)
class Untimed:
    """A numbered event whose time is missing or malformed."""

    word: str
    boot: str
    number: int
    raw: str


@dataclass(frozen=True)
class DeviceStatus:
    """The status of the device, from a heartbeat or from the first line of a status dump.

    *dump* is the session's name in a status dump."""

    boot: str
    at_us: int
    last: int
    token: int
    gate_open: bool | None
    lifted: bool | None
    dump: str = ""


@dataclass(frozen=True)
class DeviceCounters:
    """Counters of the device: events lost because its store was full, damaged lines received, events sent again.

    *settings* are the settings of the beam filters, and *filtered* counts what the filters have removed. Both are empty
    until the device has sent a `sift` line.
    """

    session: str
    boot: str
    first: int
    lost: int
    bad: int
    again: int
    settings: Mapping[str, int] = field(default_factory=dict)
    filtered: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class FilterReport:
    """Settings of the device's beam filters, and what each filter has removed since the device started."""

    session: str
    settings: Mapping[str, int]
    filtered: Mapping[str, int]


@dataclass(frozen=True)
class Pong:
    """The answer to a ping, with the device's clock in microseconds."""

    session: str
    id: int
    at_us: int


@dataclass(frozen=True)
class OrderAnswer:
    """The device has carried out an order, or has refused it with the reason *why*."""

    session: str
    number: int
    why: str = ""


Other = Hello | OtherVersion | DeviceStatus | DeviceCounters | FilterReport | Pong | OrderAnswer
Message = Event | Untimed | Other
Fields = Mapping[str, str]


def read(body: str, spoken: int) -> Message | None:
    """Parse *body*, a line's content without `$` and checksum, in protocol version *spoken*.

    Return None for an unknown word without an event number, and for malformed fields. An unknown
    word with an event number is an `Event`, so that its number does not block later events. An event whose time is
    malformed, but nothing else, is `Untimed`.

    >>> read("pong h=5f0c2a id=3 t=61000000", spoken=1)
    Pong(session='5f0c2a', id=3, at_us=61000000)
    >>> read("gate b=1f3a9c01aabb n=2 t=5100000 open=1", spoken=1).fields
    {'open': '1'}
    """
    parsed = parse(body)
    if parsed is None:
        return None
    word, fields = parsed
    try:
        if word == "hello" and whole(fields["v"]) != spoken:
            return OtherVersion(whole(fields["v"]))
        if word in READERS:
            return READERS[word](fields)
        if "n" not in fields:
            return None
        boot, (number, at_us) = fields["b"], wholes((fields["n"], fields["t"]))
        del fields["b"], fields["n"], fields["t"]
        return Event(word, boot, number, at_us, fields, _raw(body))
    except (KeyError, ValueError):
        return _untimed(word, fields, body)


def _untimed(word: str, fields: Fields, body: str) -> Untimed | None:
    """Return the event if everything except its time can be read, otherwise None."""
    try:
        return None if word in READERS else Untimed(word, fields["b"], whole(fields["n"]), _raw(body))
    except (KeyError, ValueError):
        return None


def _raw(body: str) -> str:
    return f"${body}*{checksum(body.encode())}"


def wholes(texts: Sequence[str]) -> list[int]:
    """Parse several whole numbers, with the limits of `whole`. Raise ValueError if one is malformed.

    >>> wholes(["17", "0042"])
    [17, 42]
    """
    for text in texts:
        if len(text) > MOST_DIGITS or not text.isdigit():
            raise ValueError("not a whole number: " + text[:20])
    return list(map(int, texts))


def _hello(fields: Fields) -> Hello:
    return Hello(
        version=whole(fields["v"]),
        to=fields["to"],
        firmware=fields["fw"],
        device=fields["id"],
        sensor=fields["sensor"],
        simulated=fields["sim"] == "1",
        abilities=fields["can"],
        boot=fields["b"],
        first=whole(fields["from"]),
    )


def _status(fields: Fields) -> DeviceStatus:
    return DeviceStatus(
        boot=fields["b"],
        at_us=whole(fields["t"]),
        last=whole(fields["last"]),
        token=whole(fields["tok"]),
        gate_open=SWITCH[fields["gate"]],
        lifted=SWITCH[fields["lift"]],
        dump=fields.get("h", ""),
    )


def _tally(fields: Fields) -> DeviceCounters:
    first, lost, bad, again = (whole(fields[key]) for key in ("first", "lost", "bad", "again"))
    return DeviceCounters(fields["h"], fields["b"], first, lost, bad, again)


def _filter_report(fields: Fields) -> FilterReport:
    settings, filtered = ({key: whole(fields[key]) for key in keys} for keys in (FILTERS, FILTERED))
    return FilterReport(fields["h"], settings, filtered)


def _pong(fields: Fields) -> Pong:
    return Pong(fields["h"], whole(fields["id"]), whole(fields["t"]))


def _answer(fields: Fields) -> OrderAnswer:
    return OrderAnswer(fields["h"], whole(fields["c"]), fields.get("why", ""))


SWITCH: Mapping[str, bool | None] = {"0": False, "1": True, "x": None}
FILTERS = ("filter", "stuck", "pair")
FILTERED = ("blink", "bounce", "same", "cut")
READERS: Mapping[str, Callable[[Fields], Message]] = {
    "hello": _hello,
    "beat": _status,
    "state": _status,
    "tally": _tally,
    "sift": _filter_report,
    "pong": _pong,
    "done": _answer,
    "sorry": _answer,
}
