"""The frame of every page of a draw table: the bar, the players, a notice from the ring, and the newest draw."""

from __future__ import annotations

from typing import Any

from companion.games.draws.cubes import Counts
from companion.games.draws.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, Status, TranscriptLine
from web.components.bar import Band, PlayBar, step_mark
from web.components.players import Face, faces
from web.components.result_stage import ResultMoment
from web.games.draws.cubes import cube_faces
from web.http.formatting import named
from web.http.i18n import _
from web.request.game_pages import Look

# The newest draw, shown over the whole page: a cube that came through the ring or was drawn by lot.


def moment(snapshot: Snapshot) -> ResultMoment | None:
    """Return the newest draw if it is also the newest line, otherwise None. A draw that was typed in is not shown."""
    line, state = _newest(snapshot), snapshot.state
    if line is None or not state.pulls:
        return None
    colour = str(line.line["colour"])
    left = _("%(num)s left inside", num=sum(state.inside.values()))
    who = state.name_of(state.pulls[-1].player)
    small = _("%(name)s, %(what)s", name=who, what=left) if who else left
    return ResultMoment(line.id, line.at_ms, "won", named(colour).capitalize(), small, (_face(state, colour),))


def _newest(snapshot: Snapshot) -> TranscriptLine | None:
    line = next((one for one in snapshot.recent if not one.undone), None)
    if line is None or snapshot.recent[0] is not line or line.line["do"] != "draw" or "colour" not in line.line:
        return None
    by_itself = line.ring is not None or line.via in ("ring", "virtual") or snapshot.state.setting.virtual
    return line if by_itself else None


def _face(state: State, colour: str) -> Face:
    return cube_faces(state.colours)[colour]


def bar(snapshot: Snapshot, title: str = "", back: str = "", own: str = "") -> PlayBar:
    """Return the bar.

    It shows the *title*, or else the owner of the phone or the player with the ring, followed by the number of cubes
    inside.
    """
    state: State = snapshot.state
    face = faces(state.setting.seats).get(own or state.taker)
    inside = _("%(num)s inside", num=sum(state.inside.values()))
    if title:
        return PlayBar(title, left_words=inside, back=back)
    return PlayBar(_("%(name)s draws", name=face.name) if face else _("Open table"), face, left_words=inside)


def tower_bar(snapshot: Snapshot, title: str, back: str) -> PlayBar:
    """Return the bar of a page about the tower: the *title*, and the number of cubes in the tower."""
    number = sum(snapshot.state.stuck.values())
    return PlayBar(title, left_words=_("%(num)s in the tower", num=number), back=back)


def where(state: State) -> str:
    """Return the number of the next draw, or "" after the last one."""
    return "" if state.finished else _("Draw no. %(num)s", num=state.draws + 1)


def band(look: Look, own: str, bar: PlayBar) -> Band:
    """Return the band of the phone of *own*."""
    state: State = look.state
    mine = own == state.taker and look.snapshot.status is Status.LIVE
    drew: Counts = state.drew.get(own, {})
    drawn = _("%(num)s drawn", num=sum(drew.values()))
    inside = _("%(num)s inside", num=sum(state.inside.values()))
    mark = step_mark(look.snapshot, mine)
    return Band(faces(state.setting.seats)[own], _whose(state, mine), where(state), drawn, inside, mark=mark)


def _whose(state: State, mine: bool) -> str:
    """Return the title of a band: who has the ring."""
    name = state.name_of(state.taker)
    if not name:
        return _("Open table")
    return _("You draw, %(name)s", name=name) if mine else _("%(name)s draws", name=name)


def surroundings(look: Look, heading: PlayBar) -> dict[str, Any]:
    """Return the template values that all pages share."""
    state: State = look.state
    return {
        "bar": heading,
        "where": where(state),
        "state": state,
        "faces": faces(state.setting.seats),
        "cubes": cube_faces(state.colours),
        "notice": look.snapshot.newest_notice,
        "moment": moment(look.snapshot),
        "may_play": look.may_act and look.snapshot.status in (Status.LIVE, Status.FINISHED),
        "own": look.viewer.seat or "",
        "total": sum(state.inside.values()),
        "out": sum(state.outside.values()),
        "finished": state.finished,
    }


def by(viewer: Viewer) -> dict[str, str]:
    """Return the `player` field for lines from this device: a phone's seat.

    A tablet does not name a player; the player with the ring is assumed.
    """
    return {} if viewer.seat is None else {"player": viewer.seat}


def on_a_phone(colours: int) -> int:
    """Return the number of cubes per row on a phone.

    There are at most three rows, and more than one cube in the last.
    """
    return 2 if colours < 5 else 3 if colours in (5, 6, 9) else 4
