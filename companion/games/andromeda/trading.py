"""The trading phase: laying cards, and its course. `companion.games.andromeda.swaps` has the swaps of sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, assert_never

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.rounds import PhaseBegan, begin_actions
from companion.games.andromeda.state import KINDS, Card, Phase, State, Trading, clockwise_from, label_of, name_of
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, shown
from companion.kernel.said import said, word
from companion.kernel.values import dataclass, replace
from companion.model.clock import Step
from companion.model.parser import Form, Known, Line, Seat

ENOUGH_TO_SWAP = 2
MOST_CARDS, MOST_CARDS_ADVANCED = 3, 4
FOURTH_CARD_TECHNOLOGY = 2
FACE_DOWN = "face down"
"""Replaces a face-down card of another player (see `companion.games.andromeda.secrets`)."""


class LaidCard(Form):
    """A card laid for trading: a planet's id, a kind of credit, or null for a planet card that wasn't named."""

    def read(self, fields: Fields, name: str, known: Known) -> Card:
        """Read the card from field *name*."""
        card = fields.take(name)
        if card is not None and (not isinstance(card, str) or card not in (*PLANETS, *KINDS)):
            raise Malformed(said("card must be a planet, a credit or null, not %(given)s", given=shown(card)))
        return card


@dataclass(frozen=True)
class Lay(Line, do="lay"):
    """Lay a card for trading.

    Example: ``{"do": "lay", "player": "red", "card": null}``
    """

    player: Seat
    card: Annotated[Card, LaidCard()]


@dataclass(frozen=True)
class Excuse(Line, do="excuse"):
    """Sit out this trading phase, because the player has no legal card.

    Example: ``{"do": "excuse", "player": "black"}``
    """

    player: Seat


@dataclass(frozen=True)
class EndTrading(Line, do="end_trading"):
    """End a trading phase whose trades are not recorded.

    Example: ``{"do": "end_trading"}``
    """


@dataclass(frozen=True)
class CardLaid:
    """A player laid a card for trading."""

    player: Seat
    card: Annotated[Card, LaidCard()]


@dataclass(frozen=True)
class PlayerExcused:
    """A player without a legal card takes back their laid cards and sits out."""

    player: Seat


Command = Lay | Excuse | EndTrading
Event = CardLaid | PlayerExcused
RARELY: dict[type[object], float] = {Excuse: 0.03}
"""Weights of commands that people rarely give (`companion.games.andromeda.random_policy`)."""


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


def sitting_out(state: State) -> tuple[str, ...]:
    """Return the players who sit out this trading phase, in seat order."""
    excused = trading_of(state).excused
    return tuple(colour for colour in state.colours if colour in excused)


def answering(state: State) -> tuple[str, ...]:
    """Return all players who answer the starting player's cards, which are the others who don't sit out."""
    excused = trading_of(state).excused
    return tuple(colour for colour in state.colours if colour != state.starter and colour not in excused)


def must_lay(state: State) -> tuple[str, ...]:
    """Return the players who still have to answer the starting player's newest card, in seat order."""
    if not laying(state):
        return ()
    sets, wanted = trading_of(state).sets, size(state)
    return tuple(colour for colour in answering(state) if len(sets.get(colour, ())) < wanted)


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


def step(state: State) -> Step:
    """Return the step that the clock measures. A player's answer doesn't change it."""
    name, seats = _step(state)
    swapped = 0 if laying(state) else len(trading_of(state).sets)
    return Step(name, seats, (state.round, size(state), swapped))


def _step(state: State) -> tuple[str, tuple[str, ...]]:
    if state.options.trade_record == "off":
        return "trading", (state.starter,)
    if trading_of(state).partner:
        return "keep", has_the_word(state)
    if not laying(state):
        return "trade", has_the_word(state)
    if must_lay(state):
        others = tuple(colour for colour in state.colours if colour != state.starter)
        return "answer", others
    return "decide" if size(state) >= ENOUGH_TO_SWAP else "lay", (state.starter,)


def view(state: State) -> dict[str, Any] | None:
    """Return what everybody knows about the phase, as JSON, or None outside of it."""
    if state.trading is None:
        return None
    return {"size": size(state), "sets": list(with_sets(state)), "excused": list(sitting_out(state))}


def decide(state: State, command: Command) -> tuple[Event | PhaseBegan, ...]:
    """Return the events of a player who lays a card or sits out, or those of the end of unrecorded trading."""
    if isinstance(command, EndTrading):
        check_phase(state)
        if state.options.trade_record == "on":
            raise Refused(said("This table records trades card by card."))
        return (begin_actions(state),)
    check_recorded(state)
    event = _lay(state, command) if isinstance(command, Lay) else _excuse(state, command)
    return (event, *ending(evolve(state, event)))


def check_phase(state: State) -> None:
    """Raise `Refused` outside of the trading phase."""
    if state.phase is not Phase.TRADING:
        raise Refused(said("You can trade only in the trading phase."))


def check_recorded(state: State) -> None:
    """Raise `Refused` outside of the trading phase, or if this table doesn't record trades."""
    check_phase(state)
    if state.options.trade_record == "off":
        raise Refused(said("This table doesn't record trades. Tap when you're done."))


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    trading = trading_of(state)
    match event:
        case CardLaid():
            laid = (*trading.sets.get(event.player, ()), event.card)
            return replace(state, trading=replace(trading, sets={**trading.sets, event.player: laid}))
        case PlayerExcused():
            excused = trading.excused | {event.player}
            return replace(state, trading=replace(without_set(trading, event.player), excused=excused))
        case _:
            assert_never(event)


def without_set(trading: Trading, colour: str) -> Trading:
    """Return *trading* after *colour* took their set from the table into the hand."""
    sets = {owner: cards for owner, cards in trading.sets.items() if owner != colour}
    return replace(trading, sets=sets, partner="")


def can_follow(state: State, event: Event) -> bool:
    """Return whether there is a trading phase. The rules are not checked."""
    return state.trading is not None


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield the cards that *seat* may be able to lay, or the end of unrecorded trading."""
    if state.phase is not Phase.TRADING:
        return
    if state.options.trade_record == "off":
        if seat == state.starter:
            yield EndTrading()
    elif laying(state):
        yield from (Lay(seat, card) for card in (*PLANETS, *KINDS, None))
        yield Excuse(seat)


def idlest(state: State, seat: str) -> tuple[Command, ...]:
    """Return the commands with the least effect for an absent *seat*.

    The other players decide about the trade of an absent starting player.
    """
    return (Lay(seat, None), Excuse(seat)) if state.phase is Phase.TRADING and seat != state.starter else ()


def button(state: State, seat: str | None, held: bool) -> Command | None:
    """Return what the button of *seat*, or of "next" if it is None, means while cards are laid, or None."""
    if state.phase is not Phase.TRADING:
        return None
    if state.options.trade_record == "off":
        return EndTrading() if seat is None and held else None
    if not laying(state):
        return None
    if waiting := must_lay(state):
        return Lay(seat, None) if seat in waiting else None
    return Lay(state.starter, None) if seat in (None, state.starter) else None


def _lay(state: State, command: Lay) -> CardLaid:
    if not laying(state):
        raise Refused(said("All cards are played. Now swap sets."))
    if command.player == state.starter:
        _check_starter_may_lay(state)
    else:
        _check_answer(state, command.player)
        if reason := forbidden(state, command.player, command.card):
            raise Refused(reason)
    _check_held(state, command)
    return CardLaid(command.player, command.card)


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
    if colour in sitting_out(state):
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


def _excuse(state: State, command: Excuse) -> PlayerExcused:
    if command.player == state.starter:
        raise Refused(said("The starting player always trades."))
    _check_answer(state, command.player)
    credits, banned = unlaid(state, command.player)[1], forbidden_cards(state)
    if any(held > 0 for kind, held in credits.items() if kind not in banned):
        raise Refused(said("%(name)s has a legal card.", name=name_of(state, command.player)))
    return PlayerExcused(command.player)


def ending(state: State) -> tuple[PhaseBegan, ...]:
    """Return the events that end the phase if fewer than two players can trade, otherwise nothing.

    Remaining cards go back to the hands.
    """
    trading = trading_of(state)
    alone = not answering(state)
    traded = state.starter not in trading.sets and not trading.partner and len(trading.sets) < ENOUGH_TO_SWAP
    return (begin_actions(state),) if alone or traded else ()
