"""A draw that everybody looks up for: one cube that the ring saw, or that was drawn by lot, over the whole page."""

from __future__ import annotations

from companion.games.draws.state import State, name_of
from companion.model.snapshot import Snapshot, TranscriptLine
from web.components.players import Face
from web.components.result_stage import ResultMoment
from web.games.draws.cubes import cube_faces
from web.http.formatting import named
from web.http.i18n import _


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
