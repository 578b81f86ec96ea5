"""What a ring may say, as values: one class for each word of hardware/PROTOCOL.md that the host answers to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from companion.kernel.values import dataclass
from firmware_bridge.device.codec import MOST_DIGITS, parse, whole
from firmware_bridge.device.framing import checksum


@dataclass(frozen=True)
class Hello:
    """Who the device is; *to* names the session it answers ("0": none), *first* its oldest kept event."""

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
    """A hello in a protocol that we do not speak: nothing else of it can be trusted."""

    version: int


@dataclass(frozen=True)
class Event:
    """One numbered event as it came; *raw* is its line without the newline."""

    word: str
    boot: str
    number: int
    at_us: int
    fields: Mapping[str, str]
    raw: str


@dataclass(frozen=True)
class Untimed:
    """A numbered event whose time is missing or makes no sense."""

    word: str
    boot: str
    number: int
    raw: str


@dataclass(frozen=True)
class DeviceStanding:
    """How the device stands: a heartbeat, or (*dump*) the first line of a status dump."""

    boot: str
    at_us: int
    last: int
    token: int
    gate_open: bool | None
    lifted: bool | None
    dump: str = ""


@dataclass(frozen=True)
class DeviceCounters:
    """The device's counters: events lost for want of room, damaged lines heard, lines sent again.

    *settings* are those of the beams' filters, *swallowed* counts what they
    kept back; both empty until (or unless) the device has told its `sift`.
    """

    session: str
    boot: str
    first: int
    lost: int
    bad: int
    again: int
    settings: Mapping[str, int] = field(default_factory=dict)
    swallowed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Sift:
    """What the filters of the device's beams are set to, and what they have swallowed since its start."""

    session: str
    settings: Mapping[str, int]
    swallowed: Mapping[str, int]


@dataclass(frozen=True)
class Pong:
    """The answer to a ping, with the device's clock."""

    session: str
    id: int
    at_us: int


@dataclass(frozen=True)
class OrderAnswer:
    """An order is done, or (*why*) cannot be."""

    session: str
    number: int
    why: str = ""


Other = Hello | OtherVersion | DeviceStanding | DeviceCounters | Sift | Pong | OrderAnswer
Message = Event | Untimed | Other
Fields = Mapping[str, str]


def read(body: str, spoken: int) -> Message | None:
    """Return what *body* says in protocol *spoken*; None for words we do not know and for nonsense."""
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
    """Return an event of which all but the time can be read, None for anything else."""
    try:
        return None if word in READERS else Untimed(word, fields["b"], whole(fields["n"]), _raw(body))
    except (KeyError, ValueError):
        return None


def _raw(body: str) -> str:
    return f"${body}*{checksum(body.encode())}"


def wholes(texts: Sequence[str]) -> list[int]:
    """Return the whole numbers that *texts* write, as `whole` does for one, or raise ValueError."""
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


def _standing(fields: Fields) -> DeviceStanding:
    return DeviceStanding(
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


def _sift(fields: Fields) -> Sift:
    settings, swallowed = ({key: whole(fields[key]) for key in keys} for keys in (FILTERS, SWALLOWED))
    return Sift(fields["h"], settings, swallowed)


def _pong(fields: Fields) -> Pong:
    return Pong(fields["h"], whole(fields["id"]), whole(fields["t"]))


def _answer(fields: Fields) -> OrderAnswer:
    return OrderAnswer(fields["h"], whole(fields["c"]), fields.get("why", ""))


SWITCH: Mapping[str, bool | None] = {"0": False, "1": True, "x": None}
FILTERS = ("filter", "stuck", "pair")
SWALLOWED = ("blink", "bounce", "same", "cut")
READERS: Mapping[str, Callable[[Fields], Message]] = {
    "hello": _hello,
    "beat": _standing,
    "state": _standing,
    "tally": _tally,
    "sift": _sift,
    "pong": _pong,
    "done": _answer,
    "sorry": _answer,
}
