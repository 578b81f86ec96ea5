"""What the ring counts beside cubes, in words for people: its filters, what they swallowed, its faults by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.kernel.i18n import Said, word
from companion.ring.faults import FAULTS
from web.http.i18n import _, decimals, lazy, translated

Row = tuple[str, str]

SETTINGS: Mapping[str, tuple[str, Callable[[int], str]]] = {
    "filter": (lazy("A flicker is shorter than"), lambda us: f"{decimals(us / 1000, None)} ms"),
    "stuck": (lazy("Stuck is longer than"), lambda ms: f"{decimals(ms / 1000, None)} s"),
    "pair": (lazy("Two cubes from"), lambda share: _("%(num)s cubes long", num=decimals(share / 100, None))),
}
SWALLOWED = {
    "blink": lazy("Beam flickers"),
    "bounce": lazy("Flickers at a cube's edge"),
    "same": lazy("Signals sent twice"),
    "cut": lazy("Signals not saved"),
}
FAULT_NAMES: tuple[Said, ...] = (
    *(lazy("Went back"), lazy("Poke"), lazy("Two together"), lazy("Surplus"), lazy("Stuck"), lazy("Lifted")),
    *(lazy("Gate open while shaking"), lazy("Ambient light"), lazy("Saturated"), lazy("Dirty window")),
    *(lazy("Unknown colour"), lazy("Ambiguous colour"), lazy("Unread colour"), lazy("Uncalibrated")),
    *(lazy("Colour not in the ring"), lazy("Late station"), lazy("Link lost"), lazy("Device restarted")),
    *(lazy("Sensor missing"), lazy("Beam dead"), lazy("Store full"), lazy("Unreadable passage")),
    lazy("Unreadable line"),
)
"""The names of the ring's faults, as `_named` makes them, for the catalogues."""


def settings(values: Mapping[str, int]) -> tuple[Row, ...]:
    """Return the settings with their units; one that nobody here knows under its own name."""
    return tuple(
        (SETTINGS[name][0], SETTINGS[name][1](value)) if name in SETTINGS else (_named(name), str(value))
        for name, value in values.items()
    )


def swallowed(counts: Mapping[str, int]) -> tuple[Row, ...]:
    """Return what the filters took away."""
    return tuple((SWALLOWED.get(name, _named(name)), str(count)) for name, count in counts.items())


def faults(counts: Mapping[str, int]) -> tuple[tuple[str, str, str], ...]:
    """Return name, count and the way on of each fault that was counted."""
    return tuple((_named(name), str(n), FAULTS[name].on if name in FAULTS else "") for name, n in counts.items())


def _named(name: str) -> str:
    return str(translated(word(name.replace("-", " ").replace("_", " ").capitalize())))
