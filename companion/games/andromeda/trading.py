"""The trading phase: laying cards, swapping sets, and keeping, leaving or taking back a set."""

from __future__ import annotations

from typing import assert_never

from companion.games.andromeda.commands import (
    FACE_DOWN,
    EndTrading,
    Excuse,
    Keep,
    Lay,
    Leave,
    Swap,
    TakeBack,
    TradeCommand,
)
from companion.games.andromeda.events import CardLaid, Event, PlayerExcused, SetLeft, SetsSwapped, SetTaken
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.rounds import begin_actions
from companion.games.andromeda.state import KINDS, Card, Phase, State, Trading, clockwise_from, label_of, name_of
from companion.kernel.errors import Refused
from companion.kernel.said import said, word

ENOUGH_TO_SWAP = 2
MOST_CARDS, MOST_CARDS_ADVANCED = 3, 4
FOURTH_CARD_TECHNOLOGY = 2


def trading_of(state: State) -> Trading:
    """Return the state of the trading phase. It must only be called in that phase."""
    assert state.trading is not None, "asked about trading outside of its phase"
    return state.trading


def size(state: State) -> int:
    """Return the number of cards that the starting player has laid.

    No set is larger. Swaps don't change this number.
    """
    return max(map(len, trading_of(state).sets.values()), default=0)


def with_sets(state: State) -> tuple[str, ...]:
    """Return the players who have cards on the table, in seat order."""
    sets = trading_of(state).sets
    return tuple(colour for colour in state.colours if sets.get(colour))


def laying(state: State) -> bool:
    """Return whether cards are still being laid. If not, sets are being swapped."""
    trading = trading_of(state)
    return not trading.partner and (not trading.sets or state.starter in trading.sets)


def must_lay(state: State) -> tuple[str, ...]:
    """Return the players who still have to answer the starting player's newest card, in seat order."""
    trading = trading_of(state)
    if not laying(state):
        return ()
    wanted = size(state)
    return tuple(
        colour
        for colour in state.colours
        if colour != state.starter and colour not in trading.excused and len(trading.sets.get(colour, ())) < wanted
    )


def most_cards(state: State) -> int:
    """Return how many cards the starting player may lay: three, or four from technology level 2."""
    advanced = state.players[state.starter].technology >= FOURTH_CARD_TECHNOLOGY
    return MOST_CARDS_ADVANCED if advanced else MOST_CARDS


def next_trader(state: State) -> str:
    """Return the player who trades next: the first player with a set, clockwise from the starting player."""
    return next(colour for colour in clockwise_from(state, state.starter) if colour in trading_of(state).sets)


def has_the_word(state: State) -> tuple[str, ...]:
    """Return the players who must act now: those who must lay a card, or the partner of a swap, or the trader."""
    if state.options.trade_record == "off":
        return (state.starter,)
    trading = trading_of(state)
    if trading.partner:
        return (trading.partner,)
    if laying(state):
        return must_lay(state) or (state.starter,)
    return (next_trader(state),)


def shown_cards(state: State, colour: str) -> tuple[Card, ...]:
    """Return the laid cards of *colour* that are not face down in *state*."""
    return tuple(card for card in trading_of(state).sets.get(colour, ()) if card != FACE_DOWN)


def unlaid(state: State, colour: str) -> tuple[int, dict[str, int]]:
    """Return the number of planet cards and of credits by kind that *colour* has in hand, without laid cards."""
    player = state.players[colour]
    laid = trading_of(state).sets.get(colour, ())
    credits = {kind: player.credit(kind) - laid.count(kind) for kind in KINDS}
    return player.planet_cards - sum(card not in KINDS for card in laid), credits


def trade(state: State, command: TradeCommand) -> tuple[Event, ...]:
    """Return the events of a trading command. The phase ends when fewer than two players can trade."""
    if state.phase is not Phase.TRADING:
        raise Refused(said("You can trade only in the trading phase."))
    recorded = state.options.trade_record == "on"
    if isinstance(command, EndTrading):
        if recorded:
            raise Refused(said("This table records trades card by card."))
        return (begin_actions(state),)
    if not recorded:
        raise Refused(said("This table doesn't record trades. Tap when you're done."))
    events = _answer(state, command)
    return events + _ending(_after(state, events))


def _answer(state: State, command: Lay | Excuse | Swap | Keep | Leave | TakeBack) -> tuple[Event, ...]:
    match command:
        case Lay():
            return _lay(state, command)
        case Excuse():
            return _excuse(state, command)
        case Swap():
            return _swap(state, command)
        case Keep():
            _check_partner(state, command.player)
            return (SetTaken(command.player),)
        case Leave():
            _check_partner(state, command.player)
            return (SetLeft(command.player),)
        case TakeBack():
            return _take_back(state, command)
        case _:
            assert_never(command)


def _lay(state: State, command: Lay) -> tuple[Event, ...]:
    if not laying(state):
        raise Refused(said("All cards are played. Now swap sets."))
    if command.player == state.starter:
        _check_starter_may_lay(state)
    else:
        _check_answer(state, command.player)
        if reason := forbidden(state, command.player, command.card):
            raise Refused(reason)
    _check_held(state, command)
    return (CardLaid(command.player, command.card),)


def _check_starter_may_lay(state: State) -> None:
    if waiting := must_lay(state):
        raise Refused(said("%(name)s hasn't played a card yet.", name=name_of(state, waiting[0])))
    if size(state) >= most_cards(state):
        raise Refused(
            said(
                "%(name)s may play up to %(most)s cards. Now swap.",
                name=name_of(state, state.starter),
                most=most_cards(state),
            )
        )


def _check_answer(state: State, colour: str) -> None:
    name = name_of(state, colour)
    if colour in trading_of(state).excused:
        raise Refused(said("%(name)s sits out this trading phase.", name=name))
    if colour not in must_lay(state):
        starter = name_of(state, state.starter)
        raise Refused(said("%(starter)s plays first, then %(name)s.", name=name, starter=starter))


def forbidden(state: State, colour: str, card: str | None) -> str:
    """Return why *colour* may not lay *card*, or "". A card must differ from all cards of the starting player."""
    if colour == state.starter or card is None or card not in forbidden_cards(state):
        return ""
    name = name_of(state, state.starter)
    if card in KINDS:
        return said("%(name)s has played a %(kind)s credit, so nobody else may.", name=name, kind=word(card))
    planet = label_of(state, card)
    return said("%(name)s has played a %(planet)s card, so nobody else may.", name=name, planet=planet)


def forbidden_cards(state: State) -> tuple[str, ...]:
    """Return the named cards that the starting player has laid, in order and without duplicates."""
    laid = trading_of(state).sets.get(state.starter, ())
    return tuple(dict.fromkeys(card for card in laid if card is not None))


def _check_held(state: State, command: Lay) -> None:
    planets, credits = unlaid(state, command.player)
    if (credits[command.card] if command.card in KINDS else planets) < 1:
        raise Refused(said("%(name)s doesn't have that card.", name=name_of(state, command.player)))


def _excuse(state: State, command: Excuse) -> tuple[Event, ...]:
    if command.player == state.starter:
        raise Refused(said("The starting player always trades."))
    _check_answer(state, command.player)
    credits, banned = unlaid(state, command.player)[1], forbidden_cards(state)
    if any(held > 0 for kind, held in credits.items() if kind not in banned):
        raise Refused(said("%(name)s has a legal card.", name=name_of(state, command.player)))
    return (PlayerExcused(command.player),)


def _swap(state: State, command: Swap) -> tuple[Event, ...]:
    check_trader(state, command.player)
    partner = name_of(state, command.partner)
    if command.partner == command.player:
        raise Refused(said("A swap takes two players."))
    if command.partner not in with_sets(state):
        raise Refused(said("%(name)s has no set on the table.", name=partner))
    return (SetsSwapped(command.player, command.partner),)


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


def _take_back(state: State, command: TakeBack) -> tuple[Event, ...]:
    if command.player == state.starter:
        raise Refused(said("The starting player always trades."))
    check_trader(state, command.player)
    return (SetTaken(command.player),)


def _check_partner(state: State, colour: str) -> None:
    if trading_of(state).partner != colour:
        raise Refused(said("Nobody has just swapped with %(name)s.", name=name_of(state, colour)))


def _ending(state: State) -> tuple[Event, ...]:
    """Return the events that end the phase if fewer than two players can trade, otherwise nothing.

    Remaining cards go back to the hands.
    """
    trading = trading_of(state)
    excused = len(trading.excused) == len(state.colours) - 1
    traded = state.starter not in trading.sets and not trading.partner and len(trading.sets) < ENOUGH_TO_SWAP
    return (begin_actions(state),) if excused or traded else ()


def _after(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = evolve(state, event)
    return state
