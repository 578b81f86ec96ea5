"""The steps of a script for the hand at a simulated ring, and their parser.

A script file has one step in JSON per line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, whole
from companion.kernel.said import word
from companion.kernel.text_file import read_text
from companion.kernel.values import dataclass
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.fault_injection.troubles import TROUBLES, WAYS
from firmware_bridge.simulation.physics.disturbances import CAUSES

FAULTS = ("back", "pair", "poke", "stuck", "lift", "shake_open", "glitch", "surplus", "waiting", *CAUSES)
DEEDS = ("open", "close", "lift", "set-down", "jolt")
MOST_STATIONS = 1_000_000
LONGEST_MS = 86_400_000


@dataclass(frozen=True)
class LoadStations:
    """Put stations below the ring."""

    stations: Mapping[str, int]


@dataclass(frozen=True)
class Slide:
    """Let *count* stations out, one after another: first stations of *colours*, then random ones."""

    count: int
    colours: tuple[str, ...] = ()
    speed_mm_s: float = 0.0
    fault: str = ""


@dataclass(frozen=True)
class Wait:
    """Wait for some seconds."""

    seconds: float


@dataclass(frozen=True)
class WaitFor:
    """Wait until the ring is `armed` and the host has acknowledged all events."""

    what: str


@dataclass(frozen=True)
class Calibrated:
    """Switch the world to its values for after calibration."""


@dataclass(frozen=True)
class Restart:
    """Restart the device."""


@dataclass(frozen=True)
class Unplug:
    """Unplug the ring for some seconds."""

    seconds: float


@dataclass(frozen=True)
class Do:
    """Do one thing to the ring, one of `DEEDS`."""

    deed: str


@dataclass(frozen=True)
class Trouble:
    """Start one of `TROUBLES`: a line trouble with a *rate* (0 ends it), or a trouble that lasts for some seconds."""

    word: str
    rate: float = 0.0
    seconds: float = 0.0


Step = LoadStations | Slide | Wait | WaitFor | Calibrated | Restart | Unplug | Do | Trouble


def read_script(path: Path) -> list[Step]:
    """Return the steps of the script file at *path*. Raise InputError with the number of an invalid line."""
    try:
        lines = read_text(path).split("\n")
    except OSError as fault:
        raise InputError(f"{path}: {fault.strerror or fault}") from None
    except Malformed as fault:
        raise InputError(f"{path}: {fault.reason}") from None
    return [_step_at(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _step_at(path: Path, number: int, line: str) -> Step:
    try:
        return step_of(line)
    except InputError as fault:
        raise InputError(f"{path}, line {number}: {fault}") from None


def step_of(line: str) -> Step:
    """Parse one line of a script. Raise InputError if it is invalid.

    >>> step_of('{"slide": 2, "colours": ["red"]}')
    Slide(count=2, colours=('red',), speed_mm_s=0.0, fault='')
    """
    try:
        return step(json.loads(line))
    except (ValueError, RecursionError):
        raise InputError("not JSON") from None


def step(parsed: object) -> Step:
    """Return the step for one parsed line of a script. Raise InputError if it is invalid."""
    try:
        return _read(Fields(parsed))
    except Malformed as fault:
        raise InputError(fault.reason) from None


def _read(fields: Fields) -> Step:
    verbs = [verb for verb in READERS if fields.has(verb)]
    if len(verbs) != 1:
        raise InputError(f"a step has exactly one of {', '.join(READERS)}")
    (verb,) = verbs
    return READERS[verb](fields.only(verb, *MORE.get(verb, ())))


def check_colours(steps: Iterable[Step], known: Collection[str]) -> None:
    """Raise InputError if *steps* name a colour that is not in *known*, the colours of the simulated world."""
    named = [each.stations for each in steps if isinstance(each, LoadStations)]
    chosen = [each.colours for each in steps if isinstance(each, Slide)]
    unknown = sorted({colour for group in [*named, *chosen] for colour in group} - set(known))
    if unknown:
        raise InputError(f"the world knows no colour `{unknown[0]}`: add its reflectance to the world file")


def _load(fields: Fields) -> Step:
    stations = fields.inner("load")
    return LoadStations(
        {colour: whole(count, stations.where(colour), 0, MOST_STATIONS) for colour, count in stations.rest().items()}
    )


def _slide(fields: Fields) -> Step:
    return Slide(
        fields.whole("slide", 0, MOST_STATIONS),
        fields.texts("colours") if fields.has("colours") else (),
        fields.number("speed_mm_s", 1, 5_000) if fields.has("speed_mm_s") else 0.0,
        fields.word("fault", FAULTS) if fields.has("fault") else "",
    )


def _wait_for(fields: Fields) -> Step:
    return WaitFor(fields.word("wait_for", ("armed",)))


def _true(name: str, fields: Fields) -> None:
    fields.wanted(name, word("true"), lambda value: value is True)


def _calibrated(fields: Fields) -> Step:
    _true("calibrated", fields)
    return Calibrated()


def _restart(fields: Fields) -> Step:
    _true("restart", fields)
    return Restart()


def _trouble(fields: Fields) -> Step:
    trouble = fields.word("trouble", TROUBLES)
    if fields.has("rate") and trouble not in WAYS:
        raise InputError(f"`{trouble}` has no `rate`")
    if fields.has("ms") and trouble not in LASTING:
        raise InputError(f"`{trouble}` has no `ms`")
    return Trouble(trouble, fields.number("rate", 0, 1, 0.0), _seconds("ms", fields, 0.0))


def _seconds(name: str, fields: Fields, *default: float) -> float:
    return fields.number(name, 0, LONGEST_MS, *default) / 1000


LASTING = ("unplugged", "delayed", "unread")
MORE: Mapping[str, tuple[str, ...]] = {"slide": ("colours", "speed_mm_s", "fault"), "trouble": ("rate", "ms")}
READERS: Mapping[str, Callable[[Fields], Step]] = {
    "load": _load,
    "slide": _slide,
    "wait_ms": lambda fields: Wait(_seconds("wait_ms", fields)),
    "wait_for": _wait_for,
    "calibrated": _calibrated,
    "restart": _restart,
    "unplug_ms": lambda fields: Unplug(_seconds("unplug_ms", fields)),
    "do": lambda fields: Do(fields.word("do", DEEDS)),
    "trouble": _trouble,
}
