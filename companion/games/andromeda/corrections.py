"""Manual corrections. They change the state to match the table, but never lose or duplicate a card or station."""

from __future__ import annotations

from typing import assert_never

from companion.games.andromeda.attempt import end_if_empty
from companion.games.andromeda.commands import AMOUNTS, Amount, Correct, Credits, StationMove
from companion.games.andromeda.events import Corrected, Event
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.state import (
    CREDIT_SUPPLY,
    HAND_LIMIT,
    KINDS,
    TECHNOLOGY_POINTS,
    Phase,
    State,
    best_free_centre,
    centres_of,
    label_of,
    name_of,
)
from companion.games.andromeda.terms import counted_stations
from companion.games.andromeda.trading import trading_of
from companion.kernel.errors import Refused
from companion.kernel.said import Said, pattern, said, said_n, word
from companion.model.corrections import Choice, Count, Group, Way

RECOUNTED = said("the planet was counted again")
"""The reason in lines that correct the stations on a planet after they were counted."""
MOST_IN_HAND = 99
"""The largest hand that can be entered on the page. A line may set more (`AMOUNTS`)."""


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
CREDITS = Group(pattern("%(name)s's real credits"), tuple(_held(*each) for each in CREDIT_SUPPLY.items()))


def correct(state: State, command: Correct) -> tuple[Event, ...]:
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
