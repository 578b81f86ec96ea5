"""How well the ring is, line by line: what was seen, what was never seen, what is wrong and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ports.calibration import InstrumentView, LastPassage
from companion.ports.ring import RingState, RingView
from web.http.i18n import _, decimals, ngettext

GOOD_WHITE = (0.8, 1.25)
GAUGE = (0.6, 1.45)  # what the gauge shows: a little more than what is good


@dataclass(frozen=True)
class HealthCheck:
    """One line: *good* is None while nobody knows."""

    name: str
    value: str
    good: bool | None
    advice: str = ""


@dataclass(frozen=True)
class Gauge:
    """The shutter's white as a share of that at calibration, on a scale in hundredths."""

    value: float
    at: float
    good_from: float
    good_to: float
    words: str
    advice: str


def title(ring: RingView) -> str:
    """Return how the ring stands, as the head of its page; ready only when a passage was seen."""
    if ring.state is RingState.LIVE:
        return _("The ring is ready") if ring.last_passage_at is not None else _("The ring answers")
    return {
        RingState.NONE: _("No ring"),
        RingState.SEARCHING: _("Looking for the ring"),
        RingState.SILENT: _("The ring is silent"),
        RingState.REFUSED: _("Ring not accepted"),
    }[ring.state]


def checks(ring: RingView, seen: InstrumentView) -> tuple[HealthCheck, ...]:
    """Return the list of the page; a gauge of the white follows it."""
    if ring.state is not RingState.LIVE:
        asleep = (_("Gate"), _("Ring on the table"), _("Light in the room"), _("Both beams"))
        return tuple(HealthCheck(name, _("not known"), None) for name in asleep)
    return _gate(ring), _lifted(ring), _light(seen), _beams(seen)


def _gate(ring: RingView) -> HealthCheck:
    if ring.gate_open is None:
        return HealthCheck(_("Gate"), _("not known"), None)
    return HealthCheck(_("Gate"), _("open") if ring.gate_open else _("closed"), True)


def _lifted(ring: RingView) -> HealthCheck:
    if ring.lifted is None:
        return HealthCheck(_("Ring on the table"), _("not known"), None)
    return HealthCheck(_("Ring on the table"), _("lifted") if ring.lifted else _("yes"), not ring.lifted)


def _light(seen: InstrumentView) -> HealthCheck:
    name = _("Light in the room")
    if dazzled := seen.faults.get("saturated", 0):
        much = ngettext("too bright, %(num)s time", "too bright, %(num)s times", dazzled)
        return HealthCheck(name, much, False, _("Shade the gate."))
    if restless := seen.faults.get("ambient-light", 0):
        often = ngettext("flickering, %(num)s time", "flickering, %(num)s times", restless)
        return HealthCheck(name, often, False, _("Shade the gate, or turn that lamp away."))
    return HealthCheck(name, _("steady"), True) if seen.last else HealthCheck(name, _("not known"), None)


def _beams(seen: InstrumentView) -> HealthCheck:
    name = _("Both beams")
    if seen.last is None:
        return HealthCheck(name, _("no cube yet"), None)
    beams = _eyes(seen.last)
    if not beams:
        return HealthCheck(name, _("not reported"), None)
    if len(beams) == 2:
        return HealthCheck(name, _("working"), True)
    return HealthCheck(
        name, _("only %(eye)s saw the last", eye=beams[0]), False, _("Wipe both beams, then slide a cube.")
    )


def _eyes(last: LastPassage) -> list[str]:
    return sorted({beam.upper() for beam, _, _ in last.edges})


def gauge(seen: InstrumentView) -> Gauge | None:
    """Return the white inside the gate as a gauge, None while it cannot be compared."""
    made = seen.calibration
    if made is None or made.white_now is None:
        return None
    low, high = GOOD_WHITE
    white = made.white_now
    advice = made.advice or ("" if low <= white <= high else _say_white(white))
    words = _(
        "White %(white)s, good from %(low)s to %(high)s",
        **{name: decimals(value, 2) for name, value in (("white", white), ("low", low), ("high", high))},
    )
    return Gauge(white, _share(white), _share(low), _share(high), words, advice)


def _share(white: float) -> float:
    least, most = GAUGE
    return round(100 * (min(max(white, least), most) - least) / (most - least), 1)


def _say_white(white: float) -> str:
    if white < GOOD_WHITE[0]:
        return _("Much duller than when it learnt: wipe the window and shutter, or teach it again.")
    return _("Brighter than when it learnt: shade the gate, or teach it again.")
