"""What stands around every page of a draw table: the bar, who plays, what the ring says, what may be tapped."""

from __future__ import annotations

from typing import Any

from companion.games.draws.state import State, name_of, outside, stuck
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, Status, TranscriptLine
from web.components.bar import PlayBar
from web.components.notices import newest_notice
from web.components.players import Face, faces
from web.components.result_stage import ResultMoment
from web.games.draws.cubes import cube_faces
from web.http.formatting import named
from web.http.i18n import _
from web.request.game_pages import Look

# A draw that everybody looks up for: one cube that the ring saw, or that was drawn by lot, over the whole page.


def moment(snapshot: Snapshot) -> ResultMoment | None:
    """Return the newest draw while it is the newest thing that happened; who types one in has seen it already."""
    line, state = _newest(snapshot), snapshot.state
    if line is None or not state.pulls:
        return None
    colour = str(line.line["colour"])
    left = _("%(num)s left inside", num=sum(state.inside.values()))
    who = name_of(state, state.pulls[-1].player)
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
    """Return the bar: whose phone it is, who has the ring or a page's *title*, and how many are inside."""
    state: State = snapshot.state
    face = faces(state.setting.seats).get(own or state.taker)
    inside = _("%(num)s inside", num=sum(state.inside.values()))
    if title:
        return PlayBar(title, left_words=inside, back=back)
    return PlayBar(face.name if face else _("Open table"), face, left_words=inside)


def tower_bar(snapshot: Snapshot, title: str, back: str) -> PlayBar:
    """Return the bar of a page about the tower: a *title*, and how many are in the tower."""
    number = sum(stuck(snapshot.state).values())
    return PlayBar(title, left_words=_("%(num)s in the tower", num=number), back=back)


def surroundings(look: Look, heading: PlayBar) -> dict[str, Any]:
    """Return what the templates of all pages ask for."""
    state: State = look.state
    return {
        "bar": heading,
        "state": state,
        "faces": faces(state.setting.seats),
        "cubes": cube_faces(state.colours),
        "notice": newest_notice(look.snapshot),
        "moment": moment(look.snapshot),
        "may_play": look.may_act and look.snapshot.status in (Status.LIVE, Status.FINISHED),
        "own": look.viewer.seat or "",
        "total": sum(state.inside.values()),
        "out": sum(outside(state).values()),
        "finished": state.finished,
    }


def by(viewer: Viewer) -> dict[str, str]:
    """Return whose act a line from this device is: a phone's is its seat's, a tablet's whoever has the ring."""
    return {} if viewer.seat is None else {"player": viewer.seat}


def on_a_phone(colours: int) -> int:
    """Return how many cubes stand side by side on a phone: in two rows or three, and none alone in the last."""
    return 2 if colours < 5 else 3 if colours in (5, 6, 9) else 4
