"""The big screen of a draw table: the cubes inside, the last draws, and the cubes stuck in the tower."""

from __future__ import annotations

from collections.abc import Collection

from companion.games.draws.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.players import faces
from web.games.draws.cubes import cube_faces, shown
from web.games.draws.layout import moment
from web.games.draws.open_table import last_pulls, tiles
from web.games.draws.tally import closing_rows
from web.games.draws.tower import layers
from web.http.i18n import _, ngettext
from web.request.game_pages import BigScreen, Headline, Scene

STYLES = ("/static/play.css", "/static/draws/draws.css")


def big_screen(snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
    """Return the content of the big screen. Nothing at a draw table is hidden."""
    state: State = snapshot.state
    drew = {seat: sum(state.drew.get(seat, {}).values()) for seat in state.seats}
    small = {seat: ngettext("%(num)s cube", "%(num)s cubes", count) for seat, count in drew.items()}
    held = {seat: shown(state, state.holds.get(seat, {})) for seat in state.seats}
    result = moment(snapshot)
    return BigScreen(
        _headline(state),
        small=small,
        held=held,
        panels=tuple(_panels(state, wanted)),
        styles=STYLES,
        over=None if result is None else Scene("draws/screen.html", {"moment": result}),
    )


def _headline(state: State) -> Headline:
    inside = _("%(num)s inside", num=sum(state.inside.values()))
    if state.finished:
        return Headline(_("Closed, %(num)s left inside", num=sum(state.inside.values())))
    face = faces(state.setting.seats).get(state.taker)
    return Headline(face.name if face else _("Open table"), state.taker, inside)


def _panels(state: State, wanted: Collection[str]) -> list[Scene]:
    found = []
    if "tally" in wanted:
        found.append(Scene("draws/screen.html", {"rows": closing_rows(state), "cubes": cube_faces(state.colours)}))
    if "inside" in wanted:
        found.append(Scene("draws/screen.html", {"tiles": tiles(state, Viewer()), "over": state.finished}))
    if "draws" in wanted:
        found.append(Scene("draws/screen.html", {"pulls": last_pulls(state, 5)}))
    if "tower" in wanted and state.with_tower:
        found.append(Scene("draws/screen.html", {"layers": layers(state), "stuck": shown(state, state.stuck)}))
    return found
