"""The page of the ring: its health, its colours, and the last cubes; also the ring's diagnostics as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from flask import Blueprint, Response, abort, render_template, request

from companion.kernel.errors import Refused
from companion.kernel.said import Said, said, word
from companion.kernel.values import dataclass
from companion.model.game import draw_wanted
from companion.model.snapshot import Notice, Snapshot, Status, TranscriptLine
from companion.ports.calibration import InstrumentView, LastPassage
from companion.ports.ring import RingState, RingView
from companion.ring.faults import FAULTS
from web.http.formatting import age, named
from web.http.i18n import _, decimals, ngettext, translated
from web.http.request_parsing import LARGEST
from web.pages.calibration_files import stored_calibrations
from web.pages.home import entry_of
from web.pages.reclassify import choose
from web.request.context import (
    colours_in_play,
    instrument,
    instrument_view,
    pages_of,
    players,
    ring_view,
    services,
    snapshot,
)

# The checks of the ring's health. Each says what was measured, what is wrong, and what to do about it.

GOOD_WHITE = (0.8, 1.25)
GAUGE = (0.6, 1.45)  # range of the gauge; it is a little wider than the range of good values


@dataclass(frozen=True)
class HealthCheck:
    """One check of the list. *good* is None if the result is unknown."""

    name: str
    value: str
    good: bool | None
    advice: str = ""


@dataclass(frozen=True)
class Gauge:
    """The shutter's white reference relative to the calibration, with positions on a scale in percent."""

    value: float
    at: float
    good_from: float
    good_to: float
    words: str
    advice: str


def title(ring: RingView) -> str:
    """Return the title of the page. The title says that the ring is ready only after a passage was seen."""
    if ring.state is RingState.LIVE:
        return _("The ring is ready") if ring.last_passage_at is not None else _("Ring connected")
    return {
        RingState.NONE: _("No ring"),
        RingState.SEARCHING: _("Looking for the ring"),
        RingState.SILENT: _("The ring is silent"),
        RingState.REFUSED: _("Ring not accepted"),
    }[ring.state]


def checks(ring: RingView, seen: InstrumentView) -> tuple[HealthCheck, ...]:
    """Return the checks of the ring's health, in the order of the page."""
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
    """Return the gauge of the white reference in the gate, or None if there is no calibration to compare with."""
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


# The ring's settings and counters in words: settings of its filters, the signals that they removed, and faults by name.

Row = tuple[str, str]

SETTINGS: Mapping[str, tuple[str, Callable[[int], str]]] = {
    "filter": (said("A flicker is shorter than"), lambda us: f"{decimals(us / 1000, None)} ms"),
    "stuck": (said("Stuck is longer than"), lambda ms: f"{decimals(ms / 1000, None)} s"),
    "pair": (said("Two cubes from"), lambda share: _("%(num)s cubes long", num=decimals(share / 100, None))),
}
FILTERED = {
    "blink": said("Beam flickers"),
    "bounce": said("Flickers at a cube's edge"),
    "same": said("Signals sent twice"),
    "cut": said("Signals not saved"),
}
FAULT_NAMES: tuple[Said, ...] = (
    *(said("Went back"), said("Poke"), said("Two together"), said("Surplus"), said("Stuck"), said("Lifted")),
    *(said("Gate open while shaking"), said("Ambient light"), said("Saturated"), said("Dirty window")),
    *(said("Unknown colour"), said("Ambiguous colour"), said("Unread colour"), said("Uncalibrated")),
    *(said("Colour not in the ring"), said("Late station"), said("Link lost"), said("Device restarted")),
    *(said("Sensor missing"), said("Beam dead"), said("Store full"), said("Unreadable passage")),
    said("Unreadable line"),
)
"""The names of the ring's faults, as `_named` returns them.

They are listed here so that the catalogues contain them.
"""


def settings(values: Mapping[str, int]) -> tuple[Row, ...]:
    """Return the ring's settings with units. An unknown setting is shown under the name that the ring sent."""
    return tuple(
        (SETTINGS[name][0], SETTINGS[name][1](value)) if name in SETTINGS else (_named(name), str(value))
        for name, value in values.items()
    )


def filtered(counts: Mapping[str, int]) -> tuple[Row, ...]:
    """Return how many signals each filter has removed."""
    return tuple((FILTERED.get(name, _named(name)), str(count)) for name, count in counts.items())


def faults(counts: Mapping[str, int]) -> tuple[tuple[str, str, str], ...]:
    """Return the name, count and advice for each fault that occurred."""
    return tuple((_named(name), str(n), FAULTS[name].on if name in FAULTS else "") for name, n in counts.items())


def _named(name: str) -> str:
    return str(translated(word(name.replace("-", " ").replace("_", " ").capitalize())))


ring = Blueprint("ring", __name__)
TABS = ("passage", "faults", "link", "calibrations", "again")
"""The parts of the page for the ring's builder."""
CUBES = 7
LISTED = 40
"""Number of games to choose from for a re-check."""


@dataclass(frozen=True)
class CubeLine:
    """One line in the list of the last cubes.

    *colour* is "" if no colour was read; *letter* is the player's initial.
    """

    colour: str
    letter: str
    head: str
    small: str
    ago: str = ""
    unsure: bool = False


@ring.get("/ring")
def page() -> str:
    """Show the ring's health or, with `show` in the query, a part that only its builder needs."""
    asked = request.args.get("game", "")
    if request.args.get("show") == "again" and asked:
        return choose(int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 20 else abort(404))
    if request.args.get("show") in TABS:
        return _builders_page(request.args["show"])
    from web.charts import colour_plane  # imported late: only this page needs it

    seen, ring, measured = snapshot(), ring_view(), instrument_view()
    if ring.state is RingState.NONE and not seen.questions:
        return render_template("ring_none.html", title=title(ring))
    wanted = draw_wanted(seen.game, seen.state) if seen.game is not None and seen.status is Status.LIVE else None
    made = measured.calibration
    facts: dict[str, Any] = {
        "title": title(ring),
        "checks": checks(ring, measured),
        "gauge": gauge(measured),
        "hues": colour_plane.picture(made.dots if made else (), measured.draws, _names()),
        "cubes": _cubes(seen),
        "measured": measured,
        "untaught": [colour for colour in colours_in_play() if made and colour not in made.colours],
        "wanted": wanted,
    }
    return render_template("ring.html", **facts)


def _builders_page(tab: str) -> str:
    from web.charts import passage  # imported late: only this page needs it

    measured = instrument_view()
    ended = services().table.archive.games_before(LARGEST - 1, LISTED) if tab == "again" else ()
    facts: dict[str, Any] = {
        "tab": tab,
        "measured": measured,
        "last": measured.last,
        "shown": passage.shown(measured.last) if measured.last else None,
        "fault_rows": faults(measured.faults),
        "setting_rows": settings(measured.settings),
        "swallowed_rows": filtered(measured.swallowed),
        "ended": [entry_of(entry) for entry in ended if entry.status.over and not entry.damage],
        **(stored_calibrations() if tab == "calibrations" else {}),
    }
    return render_template("ring_builder.html", **facts)


@ring.get("/ring/diagnostics.zip")
def diagnostics() -> Response:
    """Return one file with everything that helps to diagnose the ring."""
    measuring = instrument()
    if measuring is None:
        raise Refused(said("There's no ring here that measures."))
    from zipfile import ZIP_DEFLATED, ZipFile  # imported late: rarely needed

    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as pack:
        for name, content in sorted(measuring.bundle().items()):
            pack.writestr(name, content)
    response = Response(packed.getvalue(), mimetype="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="ring-diagnostics.zip"'
    return response


def _names() -> dict[str, str]:
    return {colour: name for colour, (name, _) in players().items()}


def _cubes(seen: Snapshot) -> tuple[CubeLine, ...]:
    """Return the last cubes, from the game's lines, or from the ring's readings if there is no game."""
    if seen.game is None:
        # Messages from the ring, such as faults, are more important than cubes without a game.
        said = [CubeLine("", "", _("The ring asks"), notice.text) for notice in seen.notices]
        drawn = [_practised(dot.colour) for dot in instrument_view().draws[:CUBES]]
        return tuple([*said, *drawn][:CUBES])
    asked = [_unsure(question.detail or _("you say")) for question in seen.questions]
    lately: list[TranscriptLine | Notice] = [line for line in seen.recent if line.ring is not None]
    lately += [notice for notice in seen.notices if notice.id]
    lately.sort(key=lambda one: -one.id)
    lines = [_cube_line(seen, one) if isinstance(one, TranscriptLine) else _noticed(seen, one) for one in lately]
    return tuple([*asked, *lines][:CUBES])


def _cube_line(seen: Snapshot, line: TranscriptLine) -> CubeLine:
    pages = pages_of(seen.game.name) if seen.game else None
    sentence = translated(pages.tell(line.line, seen.header)) if pages and seen.header else str(line.line.get("do"))
    colour = str(line.line.get("colour", ""))
    name, letter = players().get(colour, (named(colour).capitalize() or _("Two at once"), ""))
    small = _("undone: %(why)s", why=named(line.note or "")) if line.undone else sentence
    return CubeLine(colour, letter, name, small, _ago(seen, line.at_ms))


def _noticed(seen: Snapshot, notice: Notice) -> CubeLine:
    return CubeLine("", "", _("Didn't count"), notice.text, _ago(seen, notice.at_ms))


def _unsure(small: str) -> CubeLine:
    return CubeLine("", "", _("Unsure"), small, unsure=True)


def _practised(colour: str | None) -> CubeLine:
    if colour is None:
        return _unsure(_("outside a game"))
    return CubeLine(colour, colour[:1].upper(), named(colour).capitalize(), _("practice"))


def _ago(seen: Snapshot, at_ms: int) -> str:
    going = (services().now() - seen.as_of) * 1000 if seen.status is Status.LIVE else 0
    return age((seen.game_ms + going - at_ms) / 1000)
