"""Manual corrections. They change the state to match the table, but never lose or duplicate a card or station."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, assert_never

from companion.games.andromeda import rounds
from companion.games.andromeda.attempt import AttemptEnded, end_if_empty
from companion.games.andromeda.board import CENTRES, PLANETS
from companion.games.andromeda.rounds import MOST, pairs
from companion.games.andromeda.state import (
    CREDIT_SUPPLY,
    HAND_LIMIT,
    KINDS,
    PLANET_CARDS,
    TECHNOLOGY_POINTS,
    TOP_LEVEL,
    Phase,
    State,
    best_free_centre,
    centres_of,
    changed,
    credits_moved,
    drawn,
    label_of,
    name_of,
    with_player,
)
from companion.games.andromeda.terms import counted_stations
from companion.games.andromeda.trading import trading_of
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, whole
from companion.kernel.said import Said, pattern, said, said_n, word
from companion.kernel.values import dataclass, replace
from companion.model.corrections import Choice, Count, Group, Way
from companion.model.parser import Form, Known, Line, Seat, Text, only_one

CENTRE_PLACES = tuple(f"{planet}/{slot}" for planet in PLANETS for slot in range(CENTRES))
PLACES = ("earth", *PLANETS, *CENTRE_PLACES)
AMOUNTS = {"ship": (1, TOP_LEVEL), "technology": (1, TOP_LEVEL), "transport": (0, 2), "hand": (0, None)}
"""The smallest and largest value that a correction may set. For a hand there is no largest value."""
CORRECTIONS = ("move", *AMOUNTS, "bonus")
RECOUNTED = said("the planet was counted again")
"""The reason in lines that correct the stations on a planet after they were counted."""
MOST_IN_HAND = 99
"""The largest hand that can be entered on the page. A line may set more (`AMOUNTS`)."""


@dataclass(frozen=True)
class StationMove:
    """A correction that moves stations from one place to another.

    A place is `earth`, a planet `p1`, or a centre `p1/0`.
    """

    source: str
    target: str
    count: int


@dataclass(frozen=True)
class Credits:
    """A correction of how many credits of each kind a player holds."""

    held: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Amount:
    """A correction of a player's level on a track, number of transport cards, or number of cards in hand."""

    of: str
    amount: int


Correction = StationMove | Credits | Amount


class CorrectionForm(Form):
    """The field that says what is corrected. Example: ``"move": {"from": "earth", "to": "p1", "count": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Correction:
        """Read the only field that the line has."""
        of = only_one(fields, CORRECTIONS)
        value = fields.take(of)
        if of == "move":
            return _station_move(Fields(value, of))
        if of == "bonus":
            return _credits(Fields(value, of))
        least, most = AMOUNTS[of]
        return Amount(of, whole(value, of, least, most or PLANET_CARDS + sum(CREDIT_SUPPLY.values())))

    def write(self, line: dict[str, Any], name: str, value: Correction) -> None:
        """Write the only field."""
        match value:
            case StationMove(source, target, count):
                line["move"] = {"from": source, "to": target, "count": count}
            case Credits(held):
                line["bonus"] = dict(held)
            case Amount(of, amount):
                line[of] = amount


def _station_move(fields: Fields) -> StationMove:
    move = StationMove(fields.word("from", PLACES), fields.word("to", PLACES), fields.whole("count", 1))
    fields.nothing_else()
    return move


def _credits(fields: Fields) -> Credits:
    held = tuple((kind, fields.whole(kind, 0, CREDIT_SUPPLY[kind])) for kind in KINDS if fields.has(kind))
    fields.nothing_else()
    if not held:
        raise Malformed(said("bonus must name at least one kind of credit"))
    return Credits(held)


class WhatWasCorrected(Form):
    """A correction, with the name of its class. Example: ``{"is": "Amount", "of": "ship", "amount": 2}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Correction:
        """Read the correction from field *name*."""
        what = Fields(fields.take(name), name)
        made = _CORRECTED[what.word("is", _CORRECTED)](what)
        what.nothing_else()
        return made

    def write(self, line: dict[str, Any], name: str, value: Correction) -> None:
        """Write the correction to field *name*."""
        line[name] = {
            "is": type(value).__name__,
            **{each: getattr(value, each) for each in type(value).__annotations__},
        }


def _corrected_amount(what: Fields) -> Correction:
    of = what.word("of", AMOUNTS)
    least, most = AMOUNTS[of]
    return Amount(of, what.whole("amount", least, most or MOST))


def _corrected_credits(what: Fields) -> Correction:
    held = pairs(what, "held", KINDS)
    return Credits(tuple((kind, whole(count, kind, 0, CREDIT_SUPPLY[kind])) for kind, count in held))


def _moved_stations(what: Fields) -> Correction:
    return StationMove(what.word("source", PLACES), what.word("target", PLACES), what.whole("count", 1, MOST))


_CORRECTED: dict[str, Callable[[Fields], Correction]] = {
    "Amount": _corrected_amount,
    "Credits": _corrected_credits,
    "StationMove": _moved_stations,
}


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Correct the state to match the table.

    Example: ``{"do": "correct", "player": "red", "reason": "x", "move": {"from": "earth", "to": "p1", "count": 1}}``
    """

    player: Seat
    reason: Annotated[str, Text()]
    what: Annotated[Correction, CorrectionForm()]


@dataclass(frozen=True)
class Corrected:
    """The players corrected the state."""

    player: Seat
    what: Annotated[Correction, WhatWasCorrected()]


def _count(of: str, label: Said, printed: tuple[int, ...] = (), unit: str = "") -> Count:
    def now(state: State, player: str) -> int:
        value: int = getattr(state.players[player], of)
        return value

    least, most = AMOUNTS[of]
    return Count((of,), label, now, least, most or MOST_IN_HAND, printed=printed, unit=unit)


def _held(kind: str, supply: int) -> Choice:
    ways = (Way(count, str(count), said("%(num)s %(kind)s", num=count, kind=word(kind))) for count in range(supply + 1))
    return Choice(("bonus", kind), word(kind), tuple(ways))


COUNTS = Group(
    pattern("%(name)s's counts"),
    (
        _count("ship", said("Ship"), HAND_LIMIT, said("hand limit")),
        _count("technology", said("Technology"), TECHNOLOGY_POINTS, said("points")),
        _count("transport", said("Transport cards")),
        _count("hand", said("Cards in hand")),
    ),
)
CREDITS = Group(pattern("%(name)s's credits"), tuple(_held(*each) for each in CREDIT_SUPPLY.items()))


def decide(state: State, command: Correct) -> tuple[Corrected | AttemptEnded | rounds.Event, ...]:
    """Return the events of a correction. It needs a reason, and is possible at any time after the set-up.

    An empty reason is refused here and not in the parser, since older records contain empty reasons and must stay
    readable.
    """
    if not command.reason.strip():
        raise Refused(said("Give a reason for the correction."))
    if state.phase is Phase.SETUP:
        raise Refused(said("Use undo during set-up."))
    match command.what:
        case StationMove():
            _check_move(state, command.player, command.what)
        case Credits():
            _check_credits(state, command.player, command.what)
        case Amount():
            _check_amount(state, command.player, command.what)
        case _:
            assert_never(command.what)
    event = Corrected(command.player, command.what)
    return (event, *end_if_empty(evolve(state, event)))


def evolve(state: State, event: Corrected) -> State:
    """Return the state after the correction. It never refuses."""
    match event.what:
        case StationMove(source, target, count):
            return _placed(_placed(state, event.player, source, -count), event.player, target, count)
        case Credits(held):
            return _credits_corrected(state, event.player, dict(held))
        case Amount("hand", amount):
            return _hand_corrected(state, event.player, amount)
        case Amount(of, amount):
            return with_player(state, event.player, **{of: amount})
        case _:
            assert_never(event.what)


def _placed(state: State, colour: str, place: str, count: int) -> State:
    player = state.players[colour]
    if place == "earth":
        return with_player(state, colour, earth=player.earth + count)
    planet, _, slot = place.partition("/")
    at = PLANETS.index(planet)
    if not slot:
        return with_player(state, colour, planets=changed(player.planets, at, count))
    owners = list(state.centres[at])
    owners[int(slot)] = colour if count > 0 else None
    return replace(state, centres=(*state.centres[:at], tuple(owners), *state.centres[at + 1 :]))


def _hand_corrected(state: State, colour: str, hand: int) -> State:
    more = hand - state.players[colour].hand
    supply, discards = drawn(state.supply, state.discards, more)
    return replace(with_player(state, colour, hand=hand), supply=supply, discards=discards)


def _credits_corrected(state: State, colour: str, held: dict[str, int]) -> State:
    for kind, count in held.items():
        more = count - state.players[colour].credit(kind)
        state = credits_moved(state, colour, (kind,) * abs(more), 1 if more > 0 else -1)
    return state


def redrawn(state: State, seat: str, planet: str, drawn: str, really: str) -> tuple[Correct, ...]:
    """Return the corrections for a draw of the last attempt that was recorded wrongly. Each colour may be "".

    The recorded station *drawn* goes back to *planet*. The real station *really* goes to its place: a station of the
    player in *seat* to a centre, any other to Earth.
    """
    won = _won(state, seat, planet)
    moves = []
    if drawn:
        source = won if drawn == seat and won else "earth"
        moves.append(Correct(drawn, RECOUNTED, StationMove(source, planet, 1)))
    if really:
        slot = int(won[-1]) if drawn == seat and won else best_free_centre(state, planet)
        target = f"{planet}/{slot}" if really == seat and slot is not None else "earth"
        moves.append(Correct(really, RECOUNTED, StationMove(planet, target, 1)))
    return tuple(moves)


def _won(state: State, seat: str, planet: str) -> str:
    """Return the centre that the last attempt took, as `p1/0`, or ""."""
    took = state.tried[-1].took if state.tried else 0
    values = state.setting.board.planet(planet).centres
    slots = [slot for slot, owner in enumerate(centres_of(state, planet)) if owner == seat and values[slot] == took]
    return f"{planet}/{slots[-1]}" if slots else ""


def _check_move(state: State, colour: str, move: StationMove) -> None:
    if move.source == move.target:
        raise Refused(said("Those stations are already there."))
    here = _standing(state, colour, move.source)
    if here < move.count:
        raise Refused(
            said(
                "%(name)s has %(stations)s there, not %(count)s.",
                name=name_of(state, colour),
                stations=counted_stations(here),
                count=move.count,
            )
        )
    if "/" in move.target:
        _check_free(state, move)


def _standing(state: State, colour: str, place: str) -> int:
    if place == "earth":
        return state.players[colour].earth
    planet, _, slot = place.partition("/")
    if slot:
        return int(centres_of(state, planet)[int(slot)] == colour)
    return state.players[colour].on(planet)


def _check_free(state: State, move: StationMove) -> None:
    planet, _, slot = move.target.partition("/")
    if move.count != 1:
        raise Refused(said("A centre holds one station."))
    if (owner := centres_of(state, planet)[int(slot)]) is not None:
        raise Refused(
            said(
                "%(name)s has that centre on %(planet)s.",
                name=name_of(state, owner),
                planet=label_of(state, planet),
            )
        )


def _check_credits(state: State, colour: str, credits: Credits) -> None:
    player, name = state.players[colour], name_of(state, colour)
    for kind, count in credits.held:
        pile = state.credits[KINDS.index(kind)]
        if count - player.credit(kind) > pile:
            raise Refused(
                said_n(
                    "Only %(num)s %(kind)s credit is left in the pile.",
                    "Only %(num)s %(kind)s credits are left in the pile.",
                    pile,
                    kind=word(kind),
                )
            )
        if count < _laid(state, colour).count(kind):
            raise Refused(said("%(name)s has cards on the table. Correct that after trading.", name=name))


def _check_amount(state: State, colour: str, what: Amount) -> None:
    if what.of != "hand":
        return
    player, name = state.players[colour], name_of(state, colour)
    credits = sum(player.credits)
    on_table = sum(card not in KINDS for card in _laid(state, colour))
    if what.amount < credits + on_table:
        raise Refused(said("%(name)s has more cards: credits count, and cards on the table.", name=name))
    if what.amount - player.hand > state.supply + state.discards:
        raise Refused(
            said_n(
                "Deck and discards hold only %(num)s more planet card.",
                "Deck and discards hold only %(num)s more planet cards.",
                state.supply + state.discards,
            )
        )


def _laid(state: State, colour: str) -> tuple[str | None, ...]:
    return trading_of(state).sets.get(colour, ()) if state.trading else ()
