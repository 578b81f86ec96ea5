"""A ring's raw event as a row's body and back, and what a page says of one that makes no draw."""

from __future__ import annotations

from companion.game import Line
from companion.judgements import judgement_of
from companion.ledger import Row
from companion.ringport import Kind, RingEvent

_WORTH_A_LOOK = {
    "went-back": "A station came to the gate and went back: no draw.",
    "stuck": "A station is stuck in the gate. Help it out or back, then say what it was.",
    "gate-open-while-shaking": "The gate was open while the ring was shaken. Look for stations that got out.",
    "lifted": "The ring was lifted. Look whether stations got out underneath.",
    "ambient-light": "There is too much light on the ring's gate to read colours. Shade it.",
    "saturated": "The ring's colour sensor is dazzled. Shade it, or turn its lamp down.",
    "dirty-window": "The ring's window is dirty. Wipe it.",
    "device-restarted": "The ring has started anew. Look whether a draw was missed.",
    "store-full": "The ring could not keep everything while its line was lost. Compare the draws with the table.",
    "unreadable-passage": "A station left the ring, but nothing could be read of it. Type the draw in.",
    "sensor-missing": "The ring's colour sensor does not answer. Stations are counted, their colours asked for.",
}
_NAMES = {Kind.BACK: "went-back", Kind.STUCK: "stuck", Kind.LIFT: "lifted", Kind.BOOT: "device-restarted"}
_DRAWING = (Kind.LIFT, Kind.BOOT)


def body_of(event: RingEvent) -> Line:
    """Return *event* as JSON, whole but for its judgement, which is a row of its own."""
    return {"at_us": event.at_us, "token": event.token, "raw": list(event.raw), "detail": dict(event.detail)}


def event_of(row: Row, judged: Row | None = None) -> RingEvent:
    """Return the event that `body_of` put into *row*, with the judgement that row *judged* holds.

    Older ledgers have the judgement in the raw row itself.
    """
    assert row.source is not None
    body = row.body
    seen = judged.body if judged is not None else body.get("judgement")
    judgement = None if seen is None else judgement_of(seen)
    raw = tuple(body["raw"])
    return RingEvent(*row.source, body["at_us"], Kind(row.word), body["token"], raw, judgement, body["detail"])


def worth_a_look(row: Row, drawing: bool) -> tuple[str, str] | None:
    """Return the name of the fault that *row* tells of and a sentence for the table, or None.

    A ring that starts or is lifted is worth a look only while somebody is
    *drawing*; one that is set down again never.
    """
    kind, detail = Kind(row.word), row.body["detail"]
    name = str(detail.get("fault", "fault")) if kind is Kind.FAULT else _NAMES.get(kind)
    if name is None or (kind in _DRAWING and not drawing) or detail.get("lifted") is False:
        return None
    return name, _WORTH_A_LOOK.get(name, f"The ring reports: {name}.")
