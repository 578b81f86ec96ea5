"""The gain from unloading goods or landing a passenger, shown over the whole page."""

from __future__ import annotations

from companion.games.hanse.interventions import PASSENGER
from companion.games.hanse.places import LABELS
from companion.games.hanse.planet_actions import worth
from companion.games.hanse.state import State, place_of
from companion.model.snapshot import Snapshot, TranscriptLine
from web.components.players import faces
from web.components.result_stage import ResultGain, ResultMoment
from web.http.i18n import _


def moment(snapshot: Snapshot) -> ResultMoment | None:
    """Return the gain to show if the newest event is one, otherwise None."""
    state: State = snapshot.state
    line = next((one for one in snapshot.recent if not one.undone), None)
    if line is None or state.turn is None:
        return None
    if line.line.get("do") == "unload" and state.flipping is not None:
        return _moment(state, line, earned(state), LABELS[state.flipping.planet])
    if line.line.get("do") == "intervene" and line.line.get("card") == "passenger":
        place = place_of(state, line.line["player"])
        return _moment(state, line, PASSENGER, _("A passenger lands on %(planet)s", planet=LABELS.get(place, "")))
    return None


def _moment(state: State, line: TranscriptLine, gained: int, small: str) -> ResultMoment:
    colour = line.line["player"]
    face = faces(state.setting.seats)[colour]
    gain = ResultGain(gained, state.players[colour].megagalax)
    return ResultMoment(line.id, line.at_ms, "won", face.name, small, (face,), gained, gain=gain, cue="centre")


def earned(state: State) -> int:
    """Return the value of the goods being turned over.

    The planet's other goods have not changed since they were unloaded.
    """
    return 0 if state.flipping is None else worth(state, state.flipping.planet, state.flipping.cards)
