"""All faults of a ring. Each has a name, a sentence that says what happened, and a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from companion.kernel.said import Said, joined, said
from companion.kernel.values import dataclass
from companion.ports.ring import RingEvent, RingEventKind, RingState, RingView


class Remedy(StrEnum):
    """What the table can do about a fault. A page may show it on a button."""

    TRY_AGAIN = "try again"
    SAY = "say what it was"
    LOOK_UNDER = "look under the ring"
    PUT_BACK = "put it back"
    WIPE = "wipe"
    SHADE = "shade"
    TYPE_IN = "type it in"
    CALIBRATE = "calibrate"
    PLUG_IN = "plug in"


@dataclass(frozen=True)
class RingFault:
    """A fault of a ring. *message* is a sentence that says what happened. *on* is a sentence that says what to do.

    *way* is the remedy in *on* as a value for programs. *drawing* means that the fault matters only while somebody
    draws.
    """

    name: str
    message: Said
    on: Said
    way: Remedy
    drawing: bool = False

    @property
    def text(self) -> Said:
        """The two sentences *message* and *on* together."""
        return joined(self.message, self.on)


_ALL = (
    RingFault(
        "went-back", said("A cube peeked out and went back. Not a draw."), said("Slide again."), Remedy.TRY_AGAIN
    ),
    RingFault(
        "poke",
        said("Something touched the gate. Not a draw."),
        said("Slide again."),
        Remedy.TRY_AGAIN,
        True,
    ),
    RingFault("two-together", said("Two cubes came out at once."), said("Say which two."), Remedy.SAY),
    RingFault(
        "surplus", said("A cube came out after the last draw."), said("Put it back under the ring."), Remedy.PUT_BACK
    ),
    RingFault("stuck", said("A cube is stuck in the gate."), said("Free it, then say what it was."), Remedy.SAY),
    RingFault(
        "gate-open-while-shaking",
        said("The gate was open while the ring was shaken."),
        said("Put back any cubes that got out."),
        Remedy.LOOK_UNDER,
    ),
    RingFault(
        "lifted",
        said("The ring was lifted."),
        said("Put back any cubes that slipped out."),
        Remedy.LOOK_UNDER,
        True,
    ),
    RingFault(
        "ambient-light", said("Too much light on the gate to see colours."), said("Shade the ring."), Remedy.SHADE
    ),
    RingFault(
        "saturated", said("The ring's sensor is dazzled."), said("Shade the ring, or dim its lamp."), Remedy.SHADE
    ),
    RingFault(
        "dirty-window",
        said("The ring's window is dirty."),
        said("Wipe it, and the white inside the gate."),
        Remedy.WIPE,
    ),
    RingFault("unknown-colour", said("The ring doesn't recognise this colour."), said("Say what it was."), Remedy.SAY),
    RingFault("ambiguous-colour", said("The ring saw one of two colours."), said("Say which one it was."), Remedy.SAY),
    RingFault("unread-colour", said("The ring couldn't see the colour."), said("Say what it was."), Remedy.SAY),
    RingFault(
        "uncalibrated",
        said("The ring hasn't learnt these colours yet."),
        said("Say what it was. Teach the ring before the next game."),
        Remedy.CALIBRATE,
    ),
    RingFault(
        "colour-not-in-the-ring",
        said("The ring saw a colour that isn't under it."),
        said("Say what it was."),
        Remedy.SAY,
    ),
    RingFault(
        "late-station",
        said("The ring reports a cube late, after you typed draws in."),
        said("Say if it's one of those."),
        Remedy.SAY,
    ),
    RingFault(
        "link-lost",
        said("The ring is silent."),
        said("Check its cable. You can type draws in."),
        Remedy.PLUG_IN,
    ),
    RingFault(
        "device-restarted",
        said("The ring restarted."),
        said("If a draw is missing, type it in."),
        Remedy.TYPE_IN,
        True,
    ),
    RingFault(
        "sensor-missing",
        said("The ring's colour sensor doesn't answer."),
        said("It still counts. Say what each cube was."),
        Remedy.SAY,
    ),
    RingFault(
        "beam-dead",
        said("A beam in the gate is blind."),
        said("Clear the gate. Until then, type draws in."),
        Remedy.TYPE_IN,
    ),
    RingFault(
        "store-full",
        said("The ring's memory was full while it was disconnected."),
        said("Compare draws with the table. Type in what's missing."),
        Remedy.TYPE_IN,
    ),
    RingFault(
        "unreadable-passage",
        said("A cube came out unread."),
        said("Type the draw in."),
        Remedy.TYPE_IN,
    ),
    RingFault(
        "unreadable-line",
        said("The ring kept sending something unreadable."),
        said("Compare draws with the table. Type in what's missing."),
        Remedy.TYPE_IN,
    ),
)
FAULTS: Mapping[str, RingFault] = {each.name: each for each in _ALL}
"""All known faults, by name."""

WHY = {
    "unknown": "unknown-colour",
    "ambiguous": "ambiguous-colour",
    "uncalibrated": "uncalibrated",
    "unread": "unread-colour",
}
"""The name of the fault for each value of `Judgement.why`."""


def fault_named(name: str) -> RingFault:
    """Return the fault called *name*.

    For an unknown name, return a fault with a general sentence that contains the name.
    """
    reports = said("The ring reports: %(name)s.", name=name)
    return FAULTS.get(name) or RingFault(name, reports, said("Compare the last draws with the table."), Remedy.TYPE_IN)


def unsure(why: str) -> RingFault:
    """Return the fault for *why*, the reason in a judgement without a colour."""
    return FAULTS[WHY.get(why, "unread-colour")]


def lost(view: RingView) -> RingFault | None:
    """Return the fault of a ring that was connected and does not answer now, or None."""
    gone = bool(view.device) and view.state in (RingState.SEARCHING, RingState.SILENT)
    return FAULTS["link-lost"] if gone else None


_NAMES = {
    RingEventKind.BACK: "went-back",
    RingEventKind.POKE: "poke",
    RingEventKind.STUCK: "stuck",
    RingEventKind.LIFT: "lifted",
    RingEventKind.BOOT: "device-restarted",
}


def worth_a_look(event: RingEvent, drawing: bool) -> tuple[str, Said] | None:
    """Return the name of the fault in *event* and a sentence for the table, or None if there is no fault.

    Some faults matter only while somebody is *drawing*. Putting the ring down again and calibration are never faults.
    """
    kind, detail = event.kind, event.detail
    name = str(detail.get("fault", "fault")) if kind is RingEventKind.FAULT else _NAMES.get(kind)
    if name is None or detail.get("lifted") is False or detail.get("calibrating"):
        return None
    fault = fault_named(name)
    return None if fault.drawing and not drawing else (name, fault.text)
