"""The page of an attempt: the stations under the ring, the draws so far, and the ring's question if there is one.

Each station stays at its place in the picture of the ring during the whole attempt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any

from companion.games.andromeda.odds import success
from companion.games.andromeda.state import (
    Attempt,
    Phase,
    State,
    best_free_centre,
    label_of,
    stations_on,
)
from companion.model.capabilities import Wanted
from companion.model.game import draw_wanted, ring_of
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.players import Face, faces
from web.components.possible_now import Possible
from web.games.andromeda.actions.turn import turn_scene
from web.games.andromeda.attempt.questions import AttemptQuestion, question
from web.games.andromeda.components.board import holdings, world
from web.games.andromeda.components.last_move import outcome
from web.games.andromeda.components.layout import bar
from web.games.andromeda.components.public_hand import possible_line
from web.http.formatting import percent
from web.http.i18n import _
from web.request.game_pages import Look, Scene

# The picture of the ring from above, with the stations under it and those that have come out.


@dataclass(frozen=True)
class AttemptDraw:
    """One draw of the attempt: done, in question, or still to come. *words* says where the station went."""

    number: int
    face: Face | None = None
    words: str = ""
    asked: bool = False


def ring_view(
    snapshot: Snapshot, attempt: Attempt, under: Mapping[str, int], asking: AttemptQuestion | None = None
) -> dict[str, Any]:
    """Return the template values for the picture of the ring.

    *under* is the number of stations under the ring by colour.
    """
    state: State = snapshot.state
    return {
        "asked": snapshot.questions[0].id if snapshot.questions else 0,
        "cup": cup(state, attempt, under, asking),
        "own": under.get(attempt.player, 0),
        "player": faces(state.setting.seats)[attempt.player],
        "total": sum(under.values()),
        "world": world(snapshot, attempt.planet),
        "holdings": holdings(state),
    }


def drawn_falls(state: State, attempt: Attempt) -> tuple[AttemptDraw, ...]:
    """Return the draws that are done, oldest first."""
    known = faces(state.setting.seats)
    return tuple(
        AttemptDraw(at, known[colour], _("takes the %(value)s", value=attempt.took) if own else _("flew to Earth"))
        for at, colour in enumerate(attempt.drawn, 1)
        for own in (colour == attempt.player,)
    )


# After an attempt its result stays visible, together with the actions that are possible next.


@dataclass(frozen=True)
class Flew:
    """The number of a player's stations that the attempt sent to Earth. Each is worth a point."""

    face: Face
    count: int


@dataclass(frozen=True)
class Settled:
    """The result of an attempt by the player *face* at the planet *place*.

    *took* is the value of the centre that was won. If it is 0, *missed* is the value of the centre that was not won,
    and *why* is the reason.
    """

    face: Face
    place: str
    took: int
    missed: int
    why: str
    flew: tuple[Flew, ...]


def just_over(snapshot: Snapshot, query: Mapping[str, str]) -> bool:
    """Tell whether an attempt is the newest event, and the viewer has not yet gone on to the board."""
    state: State = snapshot.state
    return state.phase is Phase.ACTIONS and "board" not in query and outcome(snapshot) is not None


def over_scene(look: Look) -> Scene:
    """Return the result of the attempt, with the actions of the player in turn."""
    more = {"settled": settled(look.state), "holdings": holdings(look.state), "over": True}
    turn = turn_scene(look)
    return Scene("andromeda/result.html", {**turn.context, **more}, turn.bar)


def settled(state: State) -> Settled:
    """Return the result of the last attempt."""
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
    """Return why nothing was won: no stations were left, no centre was free, or no draws were left or used."""
    if not any(stations_on(state, attempt.planet).values()):
        return _("The ring is empty.")
    if best_free_centre(state, attempt.planet) is None:
        return _("No centre is free any more.")
    return _("All draws are used.") if not attempt.draws_left else _("The other draws went unused.")


@dataclass(frozen=True)
class ByHand:
    """A colour to type in as a draw: its line, the number of its stations under the ring, or why it is impossible."""

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
    asked = {"attempting": True, "asking": asking, "all_answers": "other" in look.query, **ways}
    return Scene("andromeda/attempt.html", picture | asked, heading)


def _typed(snapshot: Snapshot, query: Mapping[str, str], wanted: Wanted) -> dict[str, Any]:
    """Return the template values for typing in a draw while the ring waits for one."""
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
    """Return the template values for typing in two stations that came out together, one colour after the other."""
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
        # Which of the two counts is drawn later; the pair is legal or not in both cases.
        cast = line | ({"out": first} if state.options.double_exit == "random_of_two" else {})
        left = wanted.under.get(colour, 0) - (colour == first)
        found.append(ByHand(known[colour], max(0, left), line, why_not(snapshot, cast)))
    return tuple(found)


CUP_RADIUS = 196.0
GOLDEN = pi * (3 - sqrt(5))
LARGEST_TOKEN, TOKEN_SIDE = 1.75, 40


@dataclass(frozen=True)
class Lying:
    """A station under the ring, with its place in the picture.

    *gone* says that it has come out, *maybe* that it may have come out, *own* that it belongs to the player who draws.
    """

    face: Face
    x: float
    y: float
    turn: int
    scale: float
    gone: bool = False
    maybe: bool = False
    own: bool = False


def cup(state: State, attempt: Attempt, under: Mapping[str, int], asking: AttemptQuestion | None) -> tuple[Lying, ...]:
    """Return the stations of the attempt. Each has the same place in the picture as at the beginning of the attempt."""
    known = faces(state.setting.seats)
    lying = {colour: under.get(colour, 0) for colour in state.colours}
    began = {colour: lying[colour] + attempt.drawn.count(colour) for colour in state.colours}
    maybe = {face.colour for offer in asking.offers for face in offer.faces} if asking else set()
    order = _mixed(began)
    scale = min(LARGEST_TOKEN, 1.7 * CUP_RADIUS / TOKEN_SIDE / sqrt(max(1, len(order))))
    found = []
    for at, (colour, which) in enumerate(order):
        x, y = _spot(at, len(order), scale)
        gone = which >= lying[colour]
        may = colour in maybe and which == lying[colour] - 1
        found.append(Lying(known[colour], x, y, (at * 47) % 31 - 15, scale, gone, may, colour == attempt.player))
    return tuple(found)


def _mixed(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the stations in mixed order, so that stations of one colour are not next to each other."""
    return [(colour, at) for at in range(max(counts.values(), default=0)) for colour in counts if at < counts[colour]]


def _spot(at: int, of: int, scale: float) -> tuple[float, float]:
    """Return the coordinates of station number *at* among *of* stations.

    They are arranged like sunflower seeds, which fill a circle evenly.
    """
    reach = CUP_RADIUS - TOKEN_SIDE * scale * 0.62
    radius = reach * sqrt((at + 0.5) / of) if of > 1 else 0.0
    angle = at * GOLDEN
    return round(radius * cos(angle), 1), round(radius * sin(angle), 1)


def possible_draws(look: Look, seat: str) -> tuple[Possible, ...]:
    """Return the actions of *seat* while its attempt is open."""
    return (
        Possible(_("Slide the ring until one station comes out"), _("the ring counts it"), to()),
        Possible(_("Tap what came out"), _("any time, with or without a ring"), to()),
        Possible(_("Report two at once"), _("your house rule decides"), to(two=1)),
        possible_line(look, {"do": "stop_drawing", "player": seat}),
    )
