"""What an unloading or a passenger brought, for the moment in which everybody looks up."""

from __future__ import annotations

from companion.games.hanse.interventions import PASSENGER
from companion.games.hanse.places import LABELS
from companion.games.hanse.state import State, place_of
from companion.model.snapshot import Snapshot, Told
from web.components.players import faces
from web.components.result_stage import Gain, Moment
from web.games.hanse.components.earned import earned
from web.http.i18n import _


def moment(snapshot: Snapshot) -> Moment | None:
    """Return the result that is the newest thing that happened, None when something else is."""
    state: State = snapshot.state
    told = next((one for one in snapshot.recent if not one.undone), None)
    if told is None or state.turn is None:
        return None
    if told.line.get("do") == "unload" and state.flipping is not None:
        return _moment(state, told, earned(state), LABELS[state.flipping.planet])
    if told.line.get("do") == "intervene" and told.line.get("card") == "passenger":
        place = place_of(state, told.line["player"])
        return _moment(state, told, PASSENGER, _("A passenger lands on %(planet)s", planet=LABELS.get(place, "")))
    return None


def _moment(state: State, told: Told, gained: int, small: str) -> Moment:
    colour = told.line["player"]
    face = faces(state.setting.seats)[colour]
    gain = Gain(gained, state.players[colour].megagalax)
    return Moment(told.id, told.at_ms, "won", face.name, small, (face,), gained, gain=gain, cue="centre")
