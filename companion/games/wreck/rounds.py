"""The course of a round: missions and dice, offers, turns in the order of the order cards, and the end of the round.

A turn has three parts: contamination, then actions (`rules.py`, `room_actions.py`), then missions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.wreck.cards import PERSONAL, Card
from companion.games.wreck.commands import Accept, Contaminate, Decline, EndTurn, Exchange, Fulfil, Offer, Open, Roll
from companion.games.wreck.dice import CONTAMINATION, MOST_CONTAMINATION, counted, holds, showing
from companion.games.wreck.events import (
    CleanUpBegan,
    ContaminationEnded,
    DiceRolled,
    Event,
    GameEnded,
    LastCardTaken,
    MissionExchanged,
    MissionFulfilled,
    MissionOpened,
    OffererChanged,
    OfferMade,
    OfferPassed,
    OfferTaken,
    ResearchersRemoved,
    TurnBegan,
    TurnEnded,
)
from companion.games.wreck.evolve import evolve
from companion.games.wreck.rooms import ZONE, label_of
from companion.games.wreck.scoring import reached
from companion.games.wreck.state import (
    ROUNDS,
    OpenOffer,
    Phase,
    State,
    aboard,
    carded,
    clockwise_from,
    name_of,
    own,
    without_card,
)
from companion.games.wreck.terms import counted_dice, counted_researchers, symbol
from companion.kernel.errors import Refused
from companion.kernel.said import said

BETWEEN = (Phase.SETUP, Phase.CLEANUP)
FOR_EACH_CARD = 2
"""The number of dice that must stay in the pool for each order card that is still free after an offer."""


def open_mission(state: State, command: Open) -> tuple[Event, ...]:
    """Open the next general mission. One is opened in the set-up, and one in each clean-up."""
    if state.phase not in BETWEEN or not state.open_due:
        raise Refused(said("Missions are opened once, in the set-up and in each clean-up."))
    return (MissionOpened(command.card),)


def exchange(state: State, command: Exchange) -> tuple[Event, ...]:
    """Swap a personal mission in the clean-up.

    A player may do so once, and only without having fulfilled a mission in this round.
    """
    name, player = name_of(state, command.player), state.players[command.player]
    if state.phase is not Phase.CLEANUP:
        raise Refused(said("Personal missions are swapped in the clean-up."))
    _check_opened(state)
    if player.fulfilled:
        raise Refused(said("%(name)s fulfilled one this round and has a new one.", name=name))
    if not player.personal:
        raise Refused(said("%(name)s has no personal mission.", name=name))
    if player.exchanged:
        raise Refused(said("%(name)s has already swapped this round.", name=name))
    return (MissionExchanged(command.player),)


def roll(state: State, command: Roll) -> tuple[Event, ...]:
    """Begin a round by rolling all dice. If more than three show contamination, the surplus is rolled again."""
    if state.phase not in BETWEEN:
        raise Refused(said("The dice are rolled once, at the start of a round."))
    _check_opened(state)
    if command.player != state.starter:
        raise Refused(said("%(name)s rolls: the starting player.", name=name_of(state, state.starter)))
    _check_number(command.dice, state.setting.dice)
    number = 1 if state.phase is Phase.SETUP else state.round + 1
    return (DiceRolled(number, counted(_kept(command))),)


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


def _check_opened(state: State) -> None:
    if state.open_due:
        raise Refused(said("Open the next general mission first."))


def offer(state: State, command: Offer) -> tuple[Event, ...]:
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
    return (OfferMade(command.player, dice, without_card(state, command.player)),)


def most_offered(state: State) -> int:
    """Return how many dice an offer may have now."""
    free = len(state.colours) - carded(state) - 1
    return sum(state.pool) - FOR_EACH_CARD * free


def accept(state: State, command: Accept) -> tuple[Event, ...]:
    """Take the order card with its dice and one more die from the pool."""
    _asked(state, command.player)
    if command.die is not None and not showing(state.pool, command.die):
        raise Refused(said("No %(symbol)s die is left in the pool.", symbol=symbol(command.die)))
    taken = OfferTaken(command.player, command.die)
    return (taken, *_after_taking(evolve(state, taken)))


def decline(state: State, command: Decline) -> tuple[Event, ...]:
    """Pass the offer on clockwise. The player who made the offer can't do that."""
    lying = _asked(state, command.player)
    if lying.forced:
        raise Refused(said("The offer is back: %(name)s takes it.", name=name_of(state, command.player)))
    return (OfferPassed(without_card(state, command.player)),)


def _after_taking(state: State) -> tuple[Event, ...]:
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


def check_turn(state: State, colour: str) -> None:
    """Raise `Refused` unless it is the turn of *colour*."""
    if state.phase is not Phase.TURNS:
        raise Refused(said("Turns come after the offers."))
    if state.turn != colour:
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, state.turn)))


def check_clean(state: State, colour: str) -> None:
    """Raise `Refused` unless it is the turn of *colour* and there is no contamination left."""
    check_turn(state, colour)
    if state.players[colour].contamination:
        raise Refused(said("Contamination comes first in %(name)s's turn.", name=name_of(state, colour)))


def check_actions(state: State, colour: str) -> None:
    """Raise `Refused` unless *colour* may take actions now. After a mission there are no more actions in a turn."""
    check_clean(state, colour)
    if state.fulfilling:
        raise Refused(said("After a mission, a turn has no more actions."))


def contaminate(state: State, command: Contaminate) -> tuple[Event, ...]:
    """Remove a researcher for each contamination die that no marker cancels.

    Researchers in the contaminated zone come first.
    """
    check_turn(state, command.player)
    player, name = state.players[command.player], name_of(state, command.player)
    if not player.contamination:
        raise Refused(said("%(name)s has no contamination.", name=name))
    if command.vaccines > min(player.contamination, player.vaccines):
        most = min(player.contamination, player.vaccines)
        raise Refused(said("%(name)s can use %(most)s vaccine markers at most.", name=name, most=most))
    due = due_to_leave(state, command.player, command.vaccines)
    if len(command.remove) != due:
        raise Refused(said("%(name)s removes %(count)s.", name=name, count=counted_researchers(due)))
    check_aboard(state, command.player, command.remove)
    _check_zone(state, command)
    _check_place(state, command)
    removed = (ResearchersRemoved(command.player, command.remove, command.place),) if command.remove else ()
    return (*removed, ContaminationEnded(command.player, command.vaccines))


def due_to_leave(state: State, colour: str, vaccines: int) -> int:
    """Return how many researchers of *colour* must be removed if *vaccines* markers are used."""
    return min(state.players[colour].contamination - vaccines, aboard(state, colour))


def check_aboard(state: State, colour: str, rooms: Sequence[str]) -> None:
    """Raise `Refused` unless *colour* has enough researchers in each of *rooms*."""
    for room, count in Counter(rooms).items():
        if own(state, colour, room) < count:
            name = name_of(state, colour)
            raise Refused(said("%(name)s doesn't have that many in %(room)s.", name=name, room=label_of(room)))


def fulfil(state: State, command: Fulfil) -> tuple[Event, ...]:
    """Fulfil a mission by giving up the number of researchers on its card."""
    check_clean(state, command.player)
    card = _card(state, command)
    if len(command.sacrifice) != card.sacrifice:
        wanted = counted_researchers(card.sacrifice)
        raise Refused(said("This mission costs %(count)s.", count=wanted))
    check_aboard(state, command.player, command.sacrifice)
    removed = (ResearchersRemoved(command.player, command.sacrifice),) if command.sacrifice else ()
    return (*removed, MissionFulfilled(command.player, command.mission, card.name, card.kp))


def end_turn(state: State, command: EndTurn) -> tuple[Event, ...]:
    """End the turn, so its remaining dice are lost. The player with the next order card follows, or the round ends."""
    check_clean(state, command.player)
    ended = TurnEnded(command.player)
    order = state.players[command.player].order + 1
    following = next((colour for colour in state.colours if state.players[colour].order == order), None)
    if following is not None:
        return (ended, TurnBegan(following))
    return (ended, *_over(evolve(state, ended)))


def _check_zone(state: State, command: Contaminate) -> None:
    inside = own(state, command.player, ZONE)
    first = min(inside, len(command.remove))
    if any(room != ZONE for room in command.remove[:first]):
        raise Refused(said("Researchers in the contaminated zone go first."))


def _check_place(state: State, command: Contaminate) -> None:
    if not command.place:
        return
    if state.setting.species_of(command.player).place is None:
        raise Refused(said("%(name)s's species has no place of its own.", name=name_of(state, command.player)))
    if command.place > len(command.remove):
        raise Refused(said("Only researchers that are removed go to the species' own place."))


def _card(state: State, command: Fulfil) -> Card:
    """Return the mission's card. If it was unknown, return the card entered with the command.

    Raise `Refused` if a card is missing, or was entered although the mission's card is known.
    """
    known = _known(state, command)
    if known is None:
        if command.card is None:
            raise Refused(said("Enter the mission's card first."))
        return command.card
    if command.card is not None:
        raise Refused(said("This mission's card is known already."))
    return known


def _known(state: State, command: Fulfil) -> Card | None:
    if command.mission == PERSONAL:
        if not state.players[command.player].personal:
            raise Refused(said("%(name)s has no personal mission.", name=name_of(state, command.player)))
        return None
    lying = next((each for each in state.general if each.id == command.mission), None)
    if lying is None:
        raise Refused(said("That general mission isn't open."))
    return lying.card


def _over(state: State) -> tuple[Event, ...]:
    """Return the events after the last turn of a round: the end of the game, or the clean-up."""
    if state.round == ROUNDS or reached(state):
        return (GameEnded(),)
    starter = clockwise_from(state, state.starter)[1]
    fulfilled = [colour for colour in clockwise_from(state, starter) if state.players[colour].fulfilled]
    return (CleanUpBegan(starter, tuple(fulfilled[: state.personal_pile])),)
