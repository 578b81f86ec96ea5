"""Swaps in the trading phase: swapping whole sets, and keeping, leaving or taking back a set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, assert_never

from companion.games.andromeda.rounds import PhaseBegan
from companion.games.andromeda.state import KINDS, Card, Phase, State, name_of
from companion.games.andromeda.trading import (
    ENOUGH_TO_SWAP,
    check_recorded,
    ending,
    laying,
    must_lay,
    next_trader,
    size,
    trading_of,
    with_sets,
    without_set,
)
from companion.kernel.errors import Refused
from companion.kernel.said import said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Line, Named, Seat, SeatForm


@dataclass(frozen=True)
class Swap(Line, do="swap"):
    """Swap the player's whole set for another player's set.

    Example: ``{"do": "swap", "player": "red", "with": "blue"}``
    """

    player: Seat
    partner: Annotated[str, Named("with", SeatForm())]


@dataclass(frozen=True)
class Keep(Line, do="keep"):
    """After a swap, the partner takes the new cards into the hand.

    Example: ``{"do": "keep", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Leave(Line, do="leave"):
    """After a swap, the partner leaves the new cards on the table.

    Example: ``{"do": "leave", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class TakeBack(Line, do="take_back"):
    """Take the set back instead of swapping. All players except the starting player may do this.

    Example: ``{"do": "take_back", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class SetsSwapped:
    """Two sets were swapped. *player* takes the new set into the hand. The new set of *partner* is on the table."""

    player: Seat
    partner: Seat


@dataclass(frozen=True)
class SetLeft:
    """A partner left the new set on the table, so it can be swapped again."""

    player: Seat


@dataclass(frozen=True)
class SetTaken:
    """A player took their set from the table into the hand, and doesn't trade any more in this phase."""

    player: Seat


Command = Swap | Keep | Leave | TakeBack
Event = SetsSwapped | SetLeft | SetTaken


def decide(state: State, command: Command) -> tuple[Event | PhaseBegan, ...]:
    """Return the events of a trader or of the partner. The phase ends when fewer than two players can trade."""
    check_recorded(state)
    event = _answer(state, command)
    return (event, *ending(evolve(state, event)))


def _answer(state: State, command: Command) -> Event:
    match command:
        case Swap():
            return _swap(state, command)
        case Keep():
            _check_partner(state, command.player)
            return SetTaken(command.player)
        case Leave():
            _check_partner(state, command.player)
            return SetLeft(command.player)
        case TakeBack():
            return _take_back(state, command)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    trading = trading_of(state)
    match event:
        case SetsSwapped():
            return _after_swap(state, event.player, event.partner)
        case SetLeft():
            return replace(state, trading=replace(trading, partner=""))
        case SetTaken():
            return replace(state, trading=without_set(trading, event.player))
        case _:
            assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether the sets that *event* changes exist. The rules are not checked."""
    if state.trading is None:
        return False
    return not isinstance(event, SetsSwapped) or {event.player, event.partner} <= state.trading.sets.keys()


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield all swaps, and answers to a swap, that may be legal for *seat*."""
    if state.phase is not Phase.TRADING or state.options.trade_record == "off":
        return
    if trading_of(state).partner == seat:
        yield from (Keep(seat), Leave(seat))
    yield from (Swap(seat, partner) for partner in state.colours)
    yield TakeBack(seat)


def idlest(state: State, seat: str) -> tuple[Command, ...]:
    """Return the commands with the least effect for an absent *seat*."""
    if state.phase is not Phase.TRADING or seat == state.starter:
        return ()
    return (*((Keep(seat),) if trading_of(state).partner == seat else ()), TakeBack(seat))


def forced(state: State) -> Command | None:
    """Return the keep of a partner whom nobody is left to swap with, or None."""
    trading = state.trading
    return Keep(trading.partner) if trading and trading.partner and len(trading.sets) == 1 else None


def button(state: State, seat: str | None, held: bool) -> Command | None:
    """Return what the button of *seat*, or of "next" if it is None, means for a swap now, or None.

    The partner's own button keeps the new cards; "next" leaves them. The trader's own button takes the set back;
    another player's button swaps with that player.
    """
    if state.phase is not Phase.TRADING or state.options.trade_record == "off":
        return None
    if partner := trading_of(state).partner:
        return Leave(partner) if seat is None else Keep(partner) if seat == partner else None
    if laying(state):
        others = seat is not None and seat != state.starter and not must_lay(state)
        return Swap(state.starter, seat) if seat and others and size(state) >= ENOUGH_TO_SWAP else None
    trader = next_trader(state)
    if seat == trader:
        return TakeBack(trader)
    return Swap(trader, seat) if seat in with_sets(state) else None


def _swap(state: State, command: Swap) -> Event:
    check_trader(state, command.player)
    partner = name_of(state, command.partner)
    if command.partner == command.player:
        raise Refused(said("A swap takes two players."))
    if command.partner not in with_sets(state):
        raise Refused(said("%(name)s has no set on the table.", name=partner))
    return SetsSwapped(command.player, command.partner)


def check_trader(state: State, colour: str) -> None:
    """Raise `Refused` unless it is the turn of *colour* to swap."""
    if partner := trading_of(state).partner:
        name = name_of(state, partner)
        raise Refused(said("First %(name)s keeps or leaves the new cards.", name=name))
    if laying(state):
        if colour != state.starter:
            raise Refused(said("The starting player swaps first."))
        if waiting := must_lay(state):
            raise Refused(said("%(name)s hasn't played a card yet.", name=name_of(state, waiting[0])))
        if size(state) < ENOUGH_TO_SWAP:
            raise Refused(said("Play at least two cards each before a swap."))
    elif colour != (trader := next_trader(state)):
        raise Refused(said("%(name)s trades next.", name=name_of(state, trader)))


def _take_back(state: State, command: TakeBack) -> Event:
    if command.player == state.starter:
        raise Refused(said("The starting player always trades."))
    check_trader(state, command.player)
    return SetTaken(command.player)


def _check_partner(state: State, colour: str) -> None:
    if trading_of(state).partner != colour:
        raise Refused(said("Nobody has just swapped with %(name)s.", name=name_of(state, colour)))


def _after_swap(state: State, colour: str, partner: str) -> State:
    """Return *state* after a swap: the new set of *colour* is in hand, the new set of *partner* on the table."""
    trading = trading_of(state)
    given, taken = trading.sets[colour], trading.sets[partner]
    sets = {owner: cards for owner, cards in trading.sets.items() if owner != colour} | {partner: given}
    players = dict(state.players)
    for owner, lost, won in ((colour, given, taken), (partner, taken, given)):
        players[owner] = replace(players[owner], credits=_traded(players[owner].credits, lost, won))
    swapped = replace(trading, sets=sets, partner=partner)
    return replace(state, players=players, trading=swapped)


def _traded(credits: tuple[int, ...], lost: tuple[Card, ...], won: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(held - lost.count(kind) + won.count(kind) for kind, held in zip(KINDS, credits, strict=True))
