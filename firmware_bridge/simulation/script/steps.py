"""What the hand at a virtual ring is told to do: one step a line, read from a script file."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.simulation.fault_injection.line_noise import WAYS
from firmware_bridge.simulation.fault_injection.troubles import TROUBLES
from firmware_bridge.simulation.physics.disturbances import CAUSES

FAULTS = ("back", "pair", "poke", "stuck", "lift", "shake_open", "glitch", "surplus", *CAUSES)
DEEDS = ("open", "close", "lift", "set-down", "jolt")
MOST_STATIONS = 1_000_000


@dataclass(frozen=True)
class Load:
    """Put stations below the ring."""

    stations: Mapping[str, int]


@dataclass(frozen=True)
class Slide:
    """Let *count* stations out one after another; *colours* says which come first, the lots the rest."""

    count: int
    colours: tuple[str, ...] = ()
    speed_mm_s: float = 0.0
    fault: str = ""


@dataclass(frozen=True)
class Wait:
    """Do nothing for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class WaitFor:
    """Do nothing until the ring is `armed`, with all that it told acknowledged."""

    what: str


@dataclass(frozen=True)
class Calibrated:
    """Let the world be what it is after calibration."""


@dataclass(frozen=True)
class Restart:
    """Start the device anew."""


@dataclass(frozen=True)
class Unplug:
    """Pull the plug for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Do:
    """Do one thing with the ring, and nothing else: one of `DEEDS`."""

    deed: str


@dataclass(frozen=True)
class Trouble:
    """Let one of `TROUBLES` come: of the line at a *rate* (0 ends it), or for so many seconds."""

    word: str
    rate: float = 0.0
    seconds: float = 0.0


Step = Load | Slide | Wait | WaitFor | Calibrated | Restart | Unplug | Do | Trouble


def read_script(path: Path) -> list[Step]:
    """Return the steps of the script file at *path*; BadInput with the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise BadInput(f"{path}: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not text") from None
    return [_step_at(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _step_at(path: Path, number: int, line: str) -> Step:
    try:
        return step_of(line)
    except BadInput as fault:
        raise BadInput(f"{path}, line {number}: {fault}") from None


def step_of(line: str) -> Step:
    """Return the step that the text *line* tells; BadInput with what is wrong."""
    try:
        return step(json.loads(line))
    except json.JSONDecodeError:
        raise BadInput("not JSON") from None


def step(told: object) -> Step:
    """Return the step that one line of a script tells; BadInput with what is wrong."""
    if not isinstance(told, dict):
        raise BadInput("a step must be an object")
    verbs = sorted(READERS.keys() & told.keys())
    if len(verbs) != 1:
        raise BadInput(f"a step has exactly one of {', '.join(READERS)}")
    allowed = {verbs[0], *MORE.get(verbs[0], ())}
    foreign = sorted(told.keys() - allowed)
    if foreign:
        raise BadInput(f"unknown field `{foreign[0]}`")
    return READERS[verbs[0]](told)


def check_colours(steps: Iterable[Step], known: Collection[str]) -> None:
    """Raise BadInput when *steps* name a colour that is not *known* to the simulated world."""
    named = [each.stations for each in steps if isinstance(each, Load)]
    chosen = [each.colours for each in steps if isinstance(each, Slide)]
    unknown = sorted({colour for group in [*named, *chosen] for colour in group} - set(known))
    if unknown:
        raise BadInput(f"the world knows no colour `{unknown[0]}`: add its reflectance to the world file")


def _load(told: Mapping[str, object]) -> Step:
    stations = told["load"]
    if not isinstance(stations, dict):
        raise BadInput("`load` must count stations by colour")
    return Load({colour: _whole(f"load.{colour}", count) for colour, count in stations.items()})


def _slide(told: Mapping[str, object]) -> Step:
    count = _whole("slide", told["slide"])
    colours = told.get("colours", [])
    if not isinstance(colours, list) or not all(isinstance(colour, str) for colour in colours):
        raise BadInput("`colours` must be a list of names")
    speed = _number("speed_mm_s", told.get("speed_mm_s", 0), 5_000)
    if "speed_mm_s" in told and speed < 1:
        raise BadInput("`speed_mm_s` must be from 1 to 5000")
    fault = told.get("fault", "")
    if not isinstance(fault, str) or ("fault" in told and fault not in FAULTS):
        raise BadInput(f"`fault` must be one of {', '.join(FAULTS)}")
    return Slide(count, tuple(colours), speed, fault)


def _wait_for(told: Mapping[str, object]) -> Step:
    if told["wait_for"] != "armed":
        raise BadInput("`wait_for` knows `armed` only")
    return WaitFor("armed")


def _calibrated(told: Mapping[str, object]) -> Step:
    if told["calibrated"] is not True:
        raise BadInput("`calibrated` must be true")
    return Calibrated()


def _restart(told: Mapping[str, object]) -> Step:
    if told["restart"] is not True:
        raise BadInput("`restart` must be true")
    return Restart()


def _do(told: Mapping[str, object]) -> Step:
    deed = told["do"]
    if not isinstance(deed, str) or deed not in DEEDS:
        raise BadInput(f"`do` must be one of {', '.join(DEEDS)}")
    return Do(deed)


def _trouble(told: Mapping[str, object]) -> Step:
    word = told["trouble"]
    if not isinstance(word, str) or word not in TROUBLES:
        raise BadInput(f"`trouble` must be one of {', '.join(TROUBLES)}")
    rate, seconds = _number("rate", told.get("rate", 0), 1), _number("ms", told.get("ms", 0), 86_400_000) / 1000
    if "rate" in told and word not in WAYS:
        raise BadInput(f"`{word}` has no `rate`")
    if "ms" in told and word not in LASTING:
        raise BadInput(f"`{word}` has no `ms`")
    return Trouble(word, rate, seconds)


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_STATIONS:
        raise BadInput(f"`{name}` must be a whole number from 0 to {MOST_STATIONS}")
    return value


def _number(name: str, value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise BadInput(f"`{name}` must be a number from 0 to {most:g}")
    return value


def _seconds(name: str, told: Mapping[str, object]) -> float:
    return _number(name, told[name], 86_400_000) / 1000


LASTING = ("unplugged", "delayed", "unread")
MORE: Mapping[str, tuple[str, ...]] = {"slide": ("colours", "speed_mm_s", "fault"), "trouble": ("rate", "ms")}
READERS: Mapping[str, Callable[[Mapping[str, object]], Step]] = {
    "load": _load,
    "slide": _slide,
    "wait_ms": lambda told: Wait(_seconds("wait_ms", told)),
    "wait_for": _wait_for,
    "calibrated": _calibrated,
    "restart": _restart,
    "unplug_ms": lambda told: Unplug(_seconds("unplug_ms", told)),
    "do": _do,
    "trouble": _trouble,
}
