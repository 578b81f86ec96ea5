"""A ring's raw event as a row's body, and what a page says of one that makes no draw."""

from __future__ import annotations

from companion.kernel.i18n import Said
from companion.kernel.validation import Line
from companion.ports.ring import RingEvent, RingEventKind
from companion.ring.faults import fault_named

_NAMES = {
    RingEventKind.BACK: "went-back",
    RingEventKind.POKE: "poke",
    RingEventKind.STUCK: "stuck",
    RingEventKind.LIFT: "lifted",
    RingEventKind.BOOT: "device-restarted",
}


def body_of(event: RingEvent) -> Line:
    """Return *event* as JSON, whole but for its judgement, which is a row of its own."""
    return {"at_us": event.at_us, "token": event.token, "raw": list(event.raw), "detail": dict(event.detail)}


def worth_a_look(event: RingEvent, drawing: bool) -> tuple[str, Said] | None:
    """Return the name of the fault that *event* tells of and a sentence for the table, or None.

    Some are worth a look only while somebody is *drawing*; a ring that is set
    down again never is, nor what a calibration made.
    """
    kind, detail = event.kind, event.detail
    name = str(detail.get("fault", "fault")) if kind is RingEventKind.FAULT else _NAMES.get(kind)
    if name is None or detail.get("lifted") is False or detail.get("calibrating"):
        return None
    fault = fault_named(name)
    return None if fault.drawing and not drawing else (name, fault.text)
