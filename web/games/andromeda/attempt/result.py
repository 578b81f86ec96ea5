"""An attempt that is over stays in sight with what it came to, beside what can be done next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.andromeda.state import (
    Attempt,
    Phase,
    State,
    best_free_centre,
    label_of,
    stations_on,
)
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces
from web.games.andromeda.actions.turn import turn_scene
from web.games.andromeda.components.board import holdings
from web.games.andromeda.components.outcome import outcome
from web.http.i18n import _
from web.request.game_pages import Look, Scene


@dataclass(frozen=True)
class Flew:
    """How many stations of a player the attempt sent home to Earth, a point each."""

    face: Face
    count: int


@dataclass(frozen=True)
class Settled:
    """What an attempt came to: the centre's value that *face* *took* at *place*, or what it *missed* and why."""

    face: Face
    place: str
    took: int
    missed: int
    why: str
    flew: tuple[Flew, ...]


def just_over(snapshot: Snapshot, query: Mapping[str, str]) -> bool:
    """Say whether an attempt is the newest thing that happened, and nobody has asked for the board since."""
    state: State = snapshot.state
    return state.phase is Phase.ACTIONS and "board" not in query and outcome(snapshot) is not None


def over_scene(look: Look) -> Scene:
    """Return what the attempt came to, with the actions of whoever is on the move now."""
    more = {"settled": settled(look.state), "holdings": holdings(look.state), "over": True}
    turn = turn_scene(look)
    return Scene("andromeda/result.html", {**turn.context, **more}, turn.bar)


def settled(state: State) -> Settled:
    """Return what the last attempt came to."""
    known, attempt = faces(state.setting.seats), state.tried[-1]
    strangers = Counter(colour for colour in attempt.drawn if colour != attempt.player)
    flew = tuple(Flew(known[colour], count) for colour, count in strangers.items())
    place = label_of(state, attempt.planet)
    if attempt.took:
        return Settled(known[attempt.player], place, attempt.took, 0, "", flew)
    slot = best_free_centre(state, attempt.planet)
    missed = 0 if slot is None else state.setting.board.planet(attempt.planet).centres[slot]
    return Settled(known[attempt.player], place, 0, missed, _why_none(state, attempt), flew)


def _why_none(state: State, attempt: Attempt) -> str:
    """Return why nothing was won: the ring is empty, the centres are, or the draws are used."""
    if not any(stations_on(state, attempt.planet).values()):
        return _("The ring is empty.")
    if best_free_centre(state, attempt.planet) is None:
        return _("No centre is free any more.")
    return _("All draws are used.") if not attempt.draws_left else _("The other draws went unused.")
