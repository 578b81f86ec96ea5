"""The attempt with the ring: what lies under it, each draw as it happens, and the one question if there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.odds import success
from companion.games.andromeda.state import Attempt, State, label_of
from companion.model.capabilities import Wanted
from companion.model.game import draw_wanted, ring_of
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.players import Face, faces
from web.games.andromeda.attempt.questions import AttemptQuestion, question
from web.games.andromeda.attempt.ring_view import AttemptDraw, drawn_falls, ring_view
from web.games.andromeda.components.layout import bar
from web.http.formatting import percent
from web.http.i18n import _
from web.request.game_pages import Look, Scene


@dataclass(frozen=True)
class ByHand:
    """A colour to type in: its line, how many lie there, and the reason why it cannot have been."""

    face: Face
    count: int
    line: dict[str, Any]
    reason: str


def attempt_scene(look: Look) -> Scene:
    """Return the page of an open attempt."""
    state: State = look.state
    attempt, wanted = _open(look.snapshot)
    face = faces(state.setting.seats)[attempt.player]
    whose = _("You") if look.viewer.seat == attempt.player else face.name
    heading = bar(
        state,
        _("%(name)s at %(planet)s", name=whose, planet=label_of(state, attempt.planet)),
        face=face,
    )
    asking = question(look.snapshot) if look.snapshot.questions else None
    picture = ring_view(look.snapshot, attempt, wanted.under, asking) | {
        "falls": _falls(state, attempt, asking),
        "odds": _odds(state, attempt, wanted, look.query),
    }
    ways = {"typing": "type" in look.query, **_typed(look.snapshot, look.query, wanted)}
    asked = {"asking": asking, "all_answers": "other" in look.query, **ways}
    return Scene("andromeda/attempt.html", picture | asked, heading)


def _typed(snapshot: Snapshot, query: Mapping[str, str], wanted: Wanted) -> dict[str, Any]:
    """Return what can be done by hand while the ring is waited for."""
    options, holder = snapshot.state.options, wanted.seat
    return {
        "by_hand": tuple(_by_hand(snapshot, colour, wanted) for colour in snapshot.state.colours),
        "virtual": options.virtual_ring,
        "stop": {"do": "stop_drawing", "player": holder} if options.may_stop_drawing else None,
        **_pair(snapshot, query, wanted),
    }


def _open(snapshot: Snapshot) -> tuple[Attempt, Wanted]:
    assert snapshot.game is not None, "an attempt belongs to a game"
    attempt, wanted = snapshot.state.attempt, draw_wanted(snapshot.game, snapshot.state)
    assert attempt is not None, "only call this in an attempt"
    assert wanted is not None, "an open attempt wants a draw"
    return attempt, wanted


def _odds(state: State, attempt: Attempt, wanted: Wanted, query: Mapping[str, str]) -> str:
    if not state.options.show_odds or query.get("odds") == "hide":
        return ""
    total, own = sum(wanted.under.values()), wanted.under.get(attempt.player, 0)
    return percent(success(total, own, attempt.draws_left))


def _falls(state: State, attempt: Attempt, asking: AttemptQuestion | None) -> tuple[AttemptDraw, ...]:
    drawn = drawn_falls(state, attempt)
    left = attempt.draws - len(drawn)
    still = [AttemptDraw(len(drawn) + at, asked=asking is not None and at == 1) for at in range(1, left + 1)]
    return (*drawn, *still)


def _by_hand(snapshot: Snapshot, colour: str, wanted: Wanted) -> ByHand:
    state: State = snapshot.state
    line = {"do": "draw", "colour": colour}
    count = wanted.under.get(colour, 0)
    return ByHand(faces(state.setting.seats)[colour], count, line, why_not(snapshot, line))


def _pair(snapshot: Snapshot, query: Mapping[str, str], wanted: Wanted) -> dict[str, Any]:
    """Return what the page needs to type in that two left at once: the first colour, then the second."""
    state: State = snapshot.state
    if "two" not in query:
        return {"two": False, "first": None, "seconds": ()}
    known = faces(state.setting.seats)
    first = query.get("first", "")
    if first not in wanted.under:
        firsts = tuple(
            (_by_hand(snapshot, colour, wanted), to(two=1, first=colour))
            for colour in state.colours
            if wanted.under.get(colour)
        )
        return {"two": True, "first": None, "seconds": (), "firsts": firsts}
    return {"two": True, "first": known[first], "seconds": _seconds(snapshot, first, wanted)}


def _seconds(snapshot: Snapshot, first: str, wanted: Wanted) -> tuple[ByHand, ...]:
    state: State = snapshot.state
    assert snapshot.game is not None, "lines belong to a game"
    known = faces(state.setting.seats)
    found = []
    for colour in state.colours:
        line = dict(ring_of(snapshot.game).two_out(state, (first, colour)))
        # Which of the two stays out is for the lots; the legality of the pair is the same either way.
        cast = line | ({"out": first} if state.options.double_exit == "random_of_two" else {})
        left = wanted.under.get(colour, 0) - (colour == first)
        found.append(ByHand(known[colour], max(0, left), line, why_not(snapshot, cast)))
    return tuple(found)
