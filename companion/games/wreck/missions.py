"""Missions: general ones are opened for everybody, personal ones may be swapped, and both are fulfilled in a turn."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, assert_never

from companion.games.wreck.cards import (
    GENERAL,
    MISSION_CARDS,
    MOST_KP,
    MOST_SACRIFICED,
    PERSONAL,
    Card,
    card_from,
    card_json,
)
from companion.games.wreck.contamination import (
    ResearchersRemoved,
    Rooms,
    acting,
    check_aboard,
    check_clean,
    random_rooms,
    rooms_of,
)
from companion.games.wreck.state import (
    BETWEEN,
    ROUNDS,
    Fulfilled,
    General,
    Phase,
    State,
    aboard,
    clockwise_from,
    name_of,
    with_everybody,
    with_player,
)
from companion.games.wreck.terms import counted_researchers
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields
from companion.kernel.said import said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Form, Known, Line, OneOf, Seat, Text, Whole

MISSIONS = (*GENERAL, PERSONAL)
SWAPS, FULFILS = 0.15, 0.12
"""The probabilities in random play of swapping a mission, and of fulfilling one at each chance."""


class CardForm(Form):
    """A mission's card, or null if nobody has entered it. Example: ``{"name": "", "kp": 2, "sacrifice": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Card | None:
        """Read the card from field *name*."""
        return card_from(fields.take(name), name)

    def write(self, line: dict[str, Any], name: str, value: Card | None) -> None:
        """Write the card to field *name*."""
        line[name] = card_json(value)


class KnownCardForm(CardForm):
    """A mission's card that must not be null."""

    def read(self, fields: Fields, name: str, known: Known) -> Card:
        """Read the card from field *name*."""
        card = super().read(fields, name, known)
        if card is None:
            raise Malformed(said("card must be what the mission says, not null"))
        return card


@dataclass(frozen=True)
class Open(Line, do="open"):
    """Open the next general mission. *card* is None if nobody has entered the mission's card.

    Example: ``{"do": "open", "card": null}``
    """

    card: Annotated[Card | None, CardForm()]


@dataclass(frozen=True)
class Exchange(Line, do="exchange"):
    """Swap a personal mission for another.

    Example: ``{"do": "exchange", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Fulfil(Line, do="fulfil"):
    """Fulfil a mission. *card* is required if the mission's card was not entered before.

    Example: ``{"do": "fulfil", "player": "red", "mission": "personal", "sacrifice": ["bridge"],
    "card": {"name": "x", "kp": 2, "sacrifice": 1}}``
    """

    player: Seat
    mission: Annotated[str, OneOf(*MISSIONS)]
    sacrifice: Rooms
    card: Annotated[Card | None, KnownCardForm()] = None


Command = Open | Exchange | Fulfil


@dataclass(frozen=True)
class MissionOpened:
    """The next general mission was opened."""

    card: Annotated[Card | None, CardForm()]


@dataclass(frozen=True)
class MissionExchanged:
    """A player swapped their personal mission for another."""

    player: Seat


@dataclass(frozen=True)
class MissionFulfilled:
    """A player fulfilled a mission. Its KP count from now on."""

    player: Seat
    mission: Annotated[str, OneOf(*MISSIONS)]
    name: Annotated[str, Text(empty=True)]
    kp: Annotated[int, Whole(0, MOST_KP)]


Event = MissionOpened | MissionExchanged | MissionFulfilled


def decide(state: State, command: Command) -> tuple[Event | ResearchersRemoved, ...]:
    """Return the events of *command*, or raise `Refused`."""
    match command:
        case Open(card):
            if state.phase not in BETWEEN or not state.open_due:
                raise Refused(said("Missions are opened once, in the set-up and in each clean-up."))
            return (MissionOpened(card),)
        case Exchange():
            return _exchange(state, command)
        case Fulfil():
            return _fulfil(state, command)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case MissionOpened(card):
            opened = General(GENERAL[state.opened], card)
            return replace(state, general=(*state.general, opened), opened=state.opened + 1)
        case MissionExchanged(player):
            return with_player(state, player, exchanged=True)
        case MissionFulfilled():
            return _fulfilled(state, event)
        case _:
            assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* can be applied to *state*: there is a general mission for each round."""
    return state.opened < ROUNDS if isinstance(event, MissionOpened) else True


def _fulfilled(state: State, event: MissionFulfilled) -> State:
    player = state.players[event.player]
    missions = (*player.missions, Fulfilled(event.mission, event.name, event.kp))
    own = {"personal": False, "fulfilled": True} if event.mission == PERSONAL else {}
    general = tuple(each for each in state.general if each.id != event.mission)
    return replace(with_player(state, event.player, missions=missions, **own), general=general, fulfilling=True)


def new_turn(state: State) -> State:
    """Return *state* at the start or end of a turn, in which no mission has been fulfilled yet."""
    return replace(state, fulfilling=False)


def drawing(state: State, starter: str) -> tuple[str, ...]:
    """Return who draws a new personal mission in the clean-up, clockwise from *starter*, as long as there are cards."""
    fulfilled = [colour for colour in clockwise_from(state, starter) if state.players[colour].fulfilled]
    return tuple(fulfilled[: state.personal_pile])


def drawn(state: State, colours: tuple[str, ...]) -> State:
    """Return *state* after the players of *colours* have drawn personal missions."""
    for colour in colours:
        state = with_player(state, colour, personal=True)
    return replace(state, personal_pile=state.personal_pile - len(colours))


def new_round(state: State) -> State:
    """Return *state* at the start of a round, in which nobody has fulfilled or swapped a mission yet."""
    return with_everybody(state, fulfilled=False, exchanged=False)


def turn_step(state: State) -> str:
    """Return the current part of the turn: "contamination", "actions" or "missions"."""
    if state.players[state.turn].contamination:
        return "contamination"
    return "missions" if state.fulfilling else "actions"


def check_actions(state: State, colour: str) -> None:
    """Raise `Refused` unless *colour* may take actions now. After a mission there are no more actions in a turn."""
    check_clean(state, colour)
    if state.fulfilling:
        raise Refused(said("After a mission, a turn has no more actions."))


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands of this chapter that may be legal for *seat*, in a fixed order. Cards aren't entered in them."""
    if state.phase in BETWEEN:
        if seat == state.starter:
            yield Open(None)
        yield Exchange(seat)
    if acting(state, seat):
        for each in state.general:
            if each.card is not None:
                yield from (Fulfil(seat, each.id, rooms) for rooms in rooms_of(state, seat, each.card.sacrifice))


def at_random(state: State, seat: str, lots: Random) -> Command | None:
    """Return a random command that may be legal, or None.

    Between rounds, it opens or swaps a mission; in a turn, it fulfils a mission.
    """
    if state.phase not in BETWEEN:
        return _at_random(state, seat, lots) if lots.random() < FULFILS else None
    if state.open_due:
        return Open(_random_card(lots) if lots.random() < 1 - SWAPS else None)
    swap = Exchange(lots.choice(state.colours))
    return swap if lots.random() < SWAPS else None


def _at_random(state: State, seat: str, lots: Random) -> Fulfil | None:
    lying = {each.id: each.card for each in state.general}
    mission = lots.choice((*lying, PERSONAL))
    card = lying.get(mission)
    entered = None if card is not None else _random_card(lots)
    costs = (card or entered or _random_card(lots)).sacrifice
    if aboard(state, seat) < costs:
        return None
    return Fulfil(seat, mission, tuple(random_rooms(state, seat, costs, lots)), entered)


def easiest(seat: str) -> Fulfil:
    """Return the command that fulfils a personal mission whose card costs nothing."""
    return Fulfil(seat, PERSONAL, (), Card("", 1, 0))


def _random_card(lots: Random) -> Card:
    return Card(
        "", lots.choice((1, 1, 2, 2, 3, MOST_KP)) if lots.random() < SWAPS else 1, lots.randint(0, MOST_SACRIFICED)
    )


def _exchange(state: State, command: Exchange) -> tuple[Event | ResearchersRemoved, ...]:
    """Swap a personal mission in the clean-up.

    A player may do so once per round, and only if they haven't fulfilled a mission in it.
    """
    name, player = name_of(state, command.player), state.players[command.player]
    if state.phase is not Phase.CLEANUP:
        raise Refused(said("Personal missions are swapped in the clean-up."))
    check_opened(state)
    if player.fulfilled:
        raise Refused(said("%(name)s fulfilled one this round and has a new one.", name=name))
    if not player.personal:
        raise Refused(said("%(name)s has no personal mission.", name=name))
    if player.exchanged:
        raise Refused(said("%(name)s has already swapped this round.", name=name))
    return (MissionExchanged(command.player),)


def check_opened(state: State) -> None:
    """Raise `Refused` unless the general mission of this round is open."""
    if state.open_due:
        raise Refused(said("Open the next general mission first."))


def _fulfil(state: State, command: Fulfil) -> tuple[Event | ResearchersRemoved, ...]:
    """Fulfil a mission by giving up the number of researchers on its card."""
    check_clean(state, command.player)
    card = _card(state, command)
    if len(command.sacrifice) != card.sacrifice:
        wanted = counted_researchers(card.sacrifice)
        raise Refused(said("This mission costs %(count)s.", count=wanted))
    check_aboard(state, command.player, command.sacrifice)
    removed = (ResearchersRemoved(command.player, command.sacrifice),) if command.sacrifice else ()
    return (*removed, MissionFulfilled(command.player, command.mission, card.name, card.kp))


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


def faults(state: State) -> Iterator[str]:
    """Yield a sentence for each way in which mission cards were lost or duplicated."""
    fulfilled = [each.mission for player in state.players.values() for each in player.missions]
    opened = sorted([*(each.id for each in state.general), *(each for each in fulfilled if each != PERSONAL)])
    if opened != list(GENERAL[: state.opened]):
        yield f"general missions {opened}, not {state.opened}"
    held = sum(player.personal for player in state.players.values())
    cards = len(GENERAL) + state.personal_pile + held + fulfilled.count(PERSONAL)
    if cards != MISSION_CARDS:
        yield f"{cards} mission cards, not {MISSION_CARDS}"
