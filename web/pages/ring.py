"""The page of the ring: how it is, how it sees colours, what came out of it; and its diagnostics as one file."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from flask import Blueprint, Response, render_template, request

from companion.kernel.errors import Refused
from companion.kernel.i18n import said
from companion.kernel.values import dataclass
from companion.model.game import draw_wanted
from companion.model.snapshot import Notice, Snapshot, Status, TranscriptLine
from companion.ports.ring import RingState
from web.http.formatting import age, named
from web.http.i18n import _, translated
from web.request.context import (
    colours_in_play,
    house,
    instrument,
    instrument_view,
    pages_of,
    players,
    ring_view,
    snapshot,
)

ring = Blueprint("ring", __name__)
TABS = ("cubes", "passage", "faults")
CUBES = 7


@dataclass(frozen=True)
class CubeLine:
    """One line of the last cubes: *colour* "" for what is no colour, *letter* the player's."""

    colour: str
    letter: str
    head: str
    small: str
    ago: str = ""
    unsure: bool = False


@ring.get("/ring")
def page() -> str:
    """How the ring is, in the words of its view."""
    from web.charts import colour_plane, passage  # this page alone needs them, and nobody begins here
    from web.pages import ring_counters, ring_health  # this page alone needs them, and nobody begins here

    seen, ring, measured = snapshot(), ring_view(), instrument_view()
    if ring.state is RingState.NONE and not seen.questions:
        return render_template("ring_none.html", title=ring_health.title(ring))
    wanted = draw_wanted(seen.game, seen.state) if seen.game is not None and seen.status is Status.LIVE else None
    made = measured.calibration
    facts: dict[str, Any] = {
        "title": ring_health.title(ring),
        "checks": ring_health.checks(ring, measured),
        "gauge": ring_health.gauge(measured),
        "hues": colour_plane.picture(made.dots if made else (), measured.draws, _names()),
        "cubes": _cubes(seen),
        "last": measured.last,
        "shown": passage.shown(measured.last) if measured.last else None,
        "measured": measured,
        "untaught": [colour for colour in colours_in_play() if made and colour not in made.colours],
        "fault_rows": ring_counters.faults(measured.faults),
        "setting_rows": ring_counters.settings(measured.settings),
        "swallowed_rows": ring_counters.swallowed(measured.swallowed),
        "tab": request.args.get("show") if request.args.get("show") in TABS else TABS[0],
        "wanted": wanted,
    }
    return render_template("ring.html", **facts)


@ring.get("/ring/diagnostics.zip")
def diagnostics() -> Response:
    """Everything that helps to find out what is wrong with the ring, as one file."""
    measuring = instrument()
    if measuring is None:
        raise Refused(said("There's no ring here that measures."))
    from zipfile import ZIP_DEFLATED, ZipFile  # no evening needs it until somebody asks

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
    """Return what came out lately: as the game tells it, or as the ring saw it where there is no game."""
    if seen.game is None:
        # What the ring says beside it (a fault, a word on storage) matters more than another cube of practice.
        said = [CubeLine("", "", _("The ring asks"), notice.text) for notice in seen.notices]
        drawn = [_practised(dot.colour) for dot in instrument_view().draws[:CUBES]]
        return tuple([*said, *drawn][:CUBES])
    asked = [_unsure(question.detail or _("you tell")) for question in seen.questions]
    lately: list[TranscriptLine | Notice] = [line for line in seen.recent if line.ring is not None]
    lately += [notice for notice in seen.notices if notice.id]
    lately.sort(key=lambda one: -one.id)
    told = [_cube_line(seen, one) if isinstance(one, TranscriptLine) else _noticed(seen, one) for one in lately]
    return tuple([*asked, *told][:CUBES])


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
    going = (house().now() - seen.as_of) * 1000 if seen.status is Status.LIVE else 0
    return age((seen.game_ms + going - at_ms) / 1000)
