"""A draw that everybody looks up for: one cube that the ring saw, or that was drawn by lot, over the whole page."""

from __future__ import annotations

from companion.games.draws.state import State, name_of
from companion.model.snapshot import Snapshot, Told
from web.components.players import Face
from web.components.result_stage import Moment
from web.games.draws.cubes import cube_faces
from web.http.formatting import named
from web.http.i18n import _


def moment(snapshot: Snapshot) -> Moment | None:
    """Return the newest draw while it is the newest thing that happened; who types one in has seen it already."""
    told, state = _newest(snapshot), snapshot.state
    if told is None or not state.pulls:
        return None
    colour = str(told.line["colour"])
    left = _("%(num)s left inside", num=sum(state.inside.values()))
    who = name_of(state, state.pulls[-1].player)
    small = _("%(name)s, %(what)s", name=who, what=left) if who else left
    return Moment(told.id, told.at_ms, "won", named(colour).capitalize(), small, (_face(state, colour),))


def _newest(snapshot: Snapshot) -> Told | None:
    told = next((one for one in snapshot.recent if not one.undone), None)
    if told is None or snapshot.recent[0] is not told or told.line["do"] != "draw" or "colour" not in told.line:
        return None
    by_itself = told.ring is not None or told.via in ("ring", "virtual") or snapshot.state.setting.virtual
    return told if by_itself else None


def _face(state: State, colour: str) -> Face:
    return cube_faces(state.colours)[colour]
