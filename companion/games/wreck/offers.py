"""The dice of a round: they are rolled, and offered with the order cards until each player has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Annotated, Any, assert_never

from companion.games.wreck.changes import MOST, Symbol
from companion.games.wreck.dice import (
    CONTAMINATION,
    MOST_CONTAMINATION,
    NO_DICE,
    SYMBOLS,
    Dice,
    changed,
    counted,
    holds,
    showing,
    symbols_of,
    together,
    without,
)
from companion.games.wreck.missions import check_opened, new_round
from companion.games.wreck.rounds import TurnBegan
from companion.games.wreck.state import (
    BETWEEN,
    ROUNDS,
    OpenOffer,
    Phase,
    State,
    carded,
    name_of,
    with_everybody,
    with_player,
    without_card,
)
from companion.games.wreck.terms import counted_dice, symbol
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields
from companion.kernel.fields import Line as RecordLine
from companion.kernel.said import said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Form, Known, Line, OrNull, Seat, Whole, Words

DECLINES = 0.5
"""The probability of declining an offer in random play."""
FOR_EACH_CARD = 2
"""The number of dice that must stay in the pool for each order card that is still free after an offer."""


class RolledAgain(Form):
    """The results of rerolls, one list of dice for each reroll. Example: ``[["move"], ["support"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[tuple[str, ...], ...]:
        """Read the lists from field *name*."""
        return tuple(
            Fields({"dice": each}, f"{name}[{at}]").words("dice", SYMBOLS) for at, each in enumerate(fields.list(name))
        )

    def write(self, line: dict[str, Any], name: str, value: tuple[tuple[str, ...], ...]) -> None:
        """Write the lists to field *name*."""
        line[name] = [list(each) for each in value]


class ForEachSymbol(Form):
    """The number of dice for each symbol. Example: ``[2, 1, 0, 3, 1, 0]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Dice:
        """Read the numbers from field *name*."""
        dice = fields.whole_numbers(name, 0, MOST)
        if len(dice) != len(SYMBOLS):
            raise Malformed(said("%(name)s must give a number for each symbol", name=name))
        return dice


Faces = Annotated[tuple[str, ...], Words(*SYMBOLS)]
Rolled = Annotated[Dice, ForEachSymbol()]


@dataclass(frozen=True)
class Roll(Line, do="roll"):
    """Roll all dice. *rerolls* are the dice that were rolled again because of too much contamination.

    Example: ``{"do": "roll", "player": "red", "dice": ["move"], "rerolls": [["move"], ["support"]]}``
    """

    player: Seat
    dice: Faces
    rerolls: Annotated[tuple[tuple[str, ...], ...], RolledAgain()] = ()


@dataclass(frozen=True)
class Offer(Line, do="offer"):
    """Put dice on the lowest free order card, as an offer.

    Example: ``{"do": "offer", "player": "red", "dice": ["move"]}``
    """

    player: Seat
    dice: Faces


@dataclass(frozen=True)
class Accept(Line, do="accept"):
    """Take the offer: its order card, its dice, and one more *die* from the pool (None means no further die).

    Example: ``{"do": "accept", "player": "red", "die": null}``
    """

    player: Seat
    die: Annotated[str | None, OrNull(*SYMBOLS)]


@dataclass(frozen=True)
class Decline(Line, do="decline"):
    """Pass the offer on.

    Example: ``{"do": "decline", "player": "blue"}``
    """

    player: Seat


Command = Roll | Offer | Accept | Decline


@dataclass(frozen=True)
class DiceRolled:
    """A round began. The event contains the dice in the pool."""

    number: Annotated[int, Whole(1, ROUNDS)]
    dice: Rolled


@dataclass(frozen=True)
class OfferMade:
    """Dice were offered with the lowest free order card. The player *asked* must answer."""

    player: Seat
    dice: Rolled
    asked: Seat


@dataclass(frozen=True)
class OfferPassed:
    """The offer was passed on to the player *asked*."""

    asked: Seat


@dataclass(frozen=True)
class OfferTaken:
    """A player took the offer: the order card, its dice, and one more die from the pool."""

    player: Seat
    die: Symbol


@dataclass(frozen=True)
class OffererChanged:
    """*player* makes the offers from now on."""

    player: Seat


@dataclass(frozen=True)
class LastCardTaken:
    """The last player got the last order card and all remaining dice."""

    player: Seat


Event = DiceRolled | OfferMade | OfferPassed | OfferTaken | OffererChanged | LastCardTaken


def decide(state: State, command: Command) -> tuple[Event | TurnBegan, ...]:
    """Return the events of *command*, or raise `Refused`."""
    match command:
        case Roll():
            return (_roll(state, command),)
        case Offer():
            return (_offer(state, command),)
        case Accept():
            return _accept(state, command)
        case Decline():
            return (_decline(state, command),)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case DiceRolled():
            return _rolled(state, event)
        case OfferMade(player, dice, asked):
            offer = OpenOffer(player, carded(state) + 1, dice, asked)
            return replace(state, pool=without(state.pool, dice), offer=offer)
        case OfferPassed(asked):
            return replace(state, offer=replace(_open(state), asked=asked))
        case OfferTaken():
            return _taken(state, event)
        case OffererChanged(player):
            return replace(state, offerer=player)
        case LastCardTaken(player):
            taken = with_player(state, player, order=carded(state) + 1, dice=state.pool)
            return replace(taken, pool=NO_DICE, offerer="")
        case _:
            assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* can be applied to *state*: only an open offer is passed on or taken."""
    return state.offer is not None or not isinstance(event, OfferPassed | OfferTaken)


def _rolled(state: State, event: DiceRolled) -> State:
    ready = with_everybody(new_round(state), order=0, dice=NO_DICE)
    return replace(ready, phase=Phase.OFFERS, round=event.number, pool=event.dice, offerer=state.starter, turn="")


def _open(state: State) -> OpenOffer:
    assert state.offer is not None, "an offer is passed on or taken only while it lies there"
    return state.offer


def _taken(state: State, event: OfferTaken) -> State:
    offer = _open(state)
    dice, pool = offer.dice, state.pool
    if event.die is not None:
        dice, pool = changed(dice, event.die, 1), changed(pool, event.die, -1)
    taken = with_player(state, event.player, order=offer.order, dice=together(state.players[event.player].dice, dice))
    return replace(taken, pool=pool, offer=None)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands of this chapter that may be legal for *seat*, in a fixed order. Rolls are not among them."""
    if state.phase is Phase.OFFERS and state.offer:
        yield Decline(seat)
        yield from (Accept(seat, die) for die in (*SYMBOLS, None))
    elif state.phase is Phase.OFFERS and seat == state.offerer:
        for counts in product(*(range(count + 1) for count in state.pool)):
            if 1 <= sum(counts) <= most_offered(state):
                yield Offer(seat, symbols_of(counts))


def at_random(state: State, seat: str, lots: Random) -> Command:
    """Return a random legal command: between rounds a roll, otherwise an offer or an answer to an offer."""
    if state.phase in BETWEEN:
        return Roll(seat, *roll(state.setting.dice, lots))
    if state.offer is None:
        pool = symbols_of(state.pool)
        return Offer(seat, tuple(lots.sample(pool, lots.randint(1, most_offered(state)))))
    if not state.offer.forced and lots.random() < DECLINES:
        return Decline(seat)
    return Accept(seat, lots.choice((*symbols_of(state.pool), None)))


def idlest(state: State, seat: str) -> Accept | Decline | None:
    """Return the answer with the least effect for *seat*, or None if no offer is open."""
    if state.offer is None:
        return None
    return Accept(seat, None) if state.offer.forced else Decline(seat)


def button(state: State, seat: str | None) -> Decline | None:
    """Return the command of the button of *seat*, or of the "next" button if *seat* is None: to pass an offer on."""
    offer = state.offer
    if offer is None or offer.forced or seat not in (None, offer.asked):
        return None
    return Decline(offer.asked)


def cast_lots(state: State, line: RecordLine, lots: Random) -> RecordLine:
    """Return *line*, with the results of its dice if it is a roll without them."""
    if line.get("do") != "roll" or "dice" in line or "rerolls" in line:
        return line
    dice, rerolls = roll(state.setting.dice, lots)
    return {**line, "dice": list(dice), "rerolls": [list(each) for each in rerolls]}


def roll(count: int, lots: Random) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Roll *count* dice with equal chances for all symbols.

    Return the first roll, and the rerolls because of contamination.
    """
    dice = tuple(lots.choices(SYMBOLS, k=count))
    rerolls, left = [], rerolled(dice)
    while left:
        again = tuple(lots.choices(SYMBOLS, k=left))
        rerolls.append(again)
        left = again.count(CONTAMINATION)
    return dice, tuple(rerolls)


def _roll(state: State, command: Roll) -> DiceRolled:
    """Begin a round by rolling all dice. If more than three show contamination, the surplus is rolled again."""
    if state.phase not in BETWEEN:
        raise Refused(said("The dice are rolled once, at the start of a round."))
    check_opened(state)
    if command.player != state.starter:
        raise Refused(said("%(name)s rolls: the starting player.", name=name_of(state, state.starter)))
    _check_number(command.dice, state.setting.dice)
    number = 1 if state.phase is Phase.SETUP else state.round + 1
    return DiceRolled(number, counted(_kept(command)))


def rerolled(dice: Sequence[str]) -> int:
    """Return how many of *dice*, the first roll, must be rolled again."""
    return max(0, list(dice).count(CONTAMINATION) - MOST_CONTAMINATION)


def _kept(command: Roll) -> list[str]:
    """Return the dice in the pool after all rerolls. Refuses rerolls with too few or too many dice."""
    again = rerolled(command.dice)
    kept, left = list(command.dice), again
    for dice in command.rerolls:
        if not left:
            raise Refused(said("Nothing is rolled again: there's too little contamination."))
        _check_number(dice, left)
        kept += [symbol for symbol in dice if symbol != CONTAMINATION]
        left = dice.count(CONTAMINATION)
    if left:
        raise Refused(said("Roll %(dice)s again: 3 contaminations stay at most.", dice=counted_dice(left)))
    for _ in range(again):
        kept.remove(CONTAMINATION)
    return kept


def _check_number(dice: Sequence[str], wanted: int) -> None:
    if len(dice) != wanted:
        raise Refused(said("Roll %(dice)s, not %(count)s.", dice=counted_dice(wanted), count=len(dice)))


def _offer(state: State, command: Offer) -> OfferMade:
    """Offer dice with the lowest free order card: at least one die, and enough must remain for the later cards."""
    _check_offers(state)
    if state.offer is not None:
        raise Refused(said("%(name)s hasn't answered the offer yet.", name=name_of(state, state.offer.asked)))
    if command.player != state.offerer:
        raise Refused(said("%(name)s makes the offers now.", name=name_of(state, state.offerer)))
    if not command.dice:
        raise Refused(said("An offer has 1 die at least."))
    dice = counted(command.dice)
    if not holds(state.pool, dice):
        raise Refused(said("Those dice aren't all in the pool."))
    if len(command.dice) > most_offered(state):
        most = counted_dice(most_offered(state))
        raise Refused(said("This offer has %(dice)s at most: 2 stay for each free card.", dice=most))
    return OfferMade(command.player, dice, without_card(state, command.player))


def most_offered(state: State) -> int:
    """Return how many dice an offer may have now."""
    free = len(state.colours) - carded(state) - 1
    return sum(state.pool) - FOR_EACH_CARD * free


def _accept(state: State, command: Accept) -> tuple[Event | TurnBegan, ...]:
    """Take the order card with its dice and one more die from the pool."""
    _asked(state, command.player)
    if command.die is not None and not showing(state.pool, command.die):
        raise Refused(said("No %(symbol)s die is left in the pool.", symbol=symbol(command.die)))
    taken = OfferTaken(command.player, command.die)
    return (taken, *_after_taking(evolve(state, taken)))


def _decline(state: State, command: Decline) -> OfferPassed:
    """Pass the offer on clockwise. The player who made the offer can't do that."""
    lying = _asked(state, command.player)
    if lying.forced:
        raise Refused(said("The offer is back: %(name)s takes it.", name=name_of(state, command.player)))
    return OfferPassed(without_card(state, command.player))


def _after_taking(state: State) -> tuple[Event | TurnBegan, ...]:
    """Return the events after an offer was taken.

    If one card is left, the last player takes it and the first turn begins. Otherwise there may be a new offerer.
    """
    left = [colour for colour in state.colours if not state.players[colour].order]
    if len(left) == 1:
        first = next(colour for colour in state.colours if state.players[colour].order == 1)
        return (LastCardTaken(left[0]), TurnBegan(first))
    if state.players[state.offerer].order:
        return (OffererChanged(without_card(state, state.offerer)),)
    return ()


def _check_offers(state: State) -> None:
    if state.phase is not Phase.OFFERS:
        raise Refused(said("Offers are made after the roll, before the turns."))


def _asked(state: State, colour: str) -> OpenOffer:
    """Return the open offer. Raise `Refused` unless *colour* must answer it."""
    _check_offers(state)
    if state.offer is None:
        raise Refused(said("There's no offer yet. %(name)s makes one.", name=name_of(state, state.offerer)))
    if state.offer.asked != colour:
        raise Refused(said("%(name)s is asked now.", name=name_of(state, state.offer.asked)))
    return state.offer
