"""Interventions: cards from the hand with an effect that the opponent may neutralise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Annotated, Any, assert_never

from companion.games.hanse.cards import (
    EXCHANGING,
    GRANTS,
    HAND_LIMIT,
    INTERVENTIONS,
    WITHIN,
    Choices,
    Container,
    Exchange,
    HandSize,
    Intervention,
    Loading,
)
from companion.games.hanse.places import PLANETS, label_of
from companion.games.hanse.planet_actions import Loaded, check_loaded, gained, loading
from companion.games.hanse.scoring import megagalax_gained, won
from companion.games.hanse.state import Phase, Played, State, check_held, other, place_of, turn_of
from companion.games.hanse.turns import Count, GameEnded, TurnBegan, next_turn
from companion.kernel.errors import Refused
from companion.kernel.fields import Fields
from companion.kernel.said import pattern, said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Form, Inside, Known, Line, OneOf, Seat, command_from, object_of
from companion.model.speech import Verbosity
from companion.model.tellings import Rows, Silent, Telling

PASSENGER = 3
"""Megagalax for a passenger who lands."""
CHOICES: Mapping[str, type[Loading | Exchange]] = {**dict.fromkeys(WITHIN, Loading), EXCHANGING: Exchange}
"""The class of the choices for each card that needs any."""


class ChoicesForm(Form):
    """The fields that the card in the same line needs, such as ``"planet": "p1", "to": "p4"``. Most cards need none."""

    def read(self, fields: Fields, name: str, known: Known) -> Choices:
        """Read the fields that the card needs."""
        kind = CHOICES.get(known.values["card"])
        return None if kind is None else command_from(fields, kind)

    def write(self, line: dict[str, Any], name: str, value: Choices) -> None:
        """Write the fields."""
        line.update(choices_line(value))

    def is_in(self, fields: Fields, name: str) -> bool:
        """Return True: the card determines which fields are needed, if any."""
        return True


def choices_line(choices: Choices) -> dict[str, Any]:
    """Return the choices for a card in the format of a record."""
    return {} if choices is None else object_of(choices)


@dataclass(frozen=True)
class Intervene(Line, do="intervene"):
    """Play an intervention from the hand, with the choices that its card needs.

    Example: ``{"do": "intervene", "player": "red", "card": "inner_loading", "planet": "p1", "to": "p4"}``
    """

    phase = Phase.TURN
    player: Seat
    card: Intervention
    choices: Annotated[Choices, ChoicesForm()] = None


@dataclass(frozen=True)
class Allow(Line, do="allow"):
    """The opponent lets the intervention happen.

    Example: ``{"do": "allow", "player": "blue"}``
    """

    phase = Phase.ANSWER
    player: Seat


@dataclass(frozen=True)
class Neutralise(Line, do="neutralise"):
    """The opponent discards the same card, so the intervention has no effect.

    Example: ``{"do": "neutralise", "player": "red"}``
    """

    phase = Phase.ANSWER
    player: Seat


@dataclass(frozen=True)
class Intervened:
    """An intervention was played from the hand."""

    player: Seat
    card: Intervention
    choices: Annotated[Choices, Inside(ChoicesForm())]


@dataclass(frozen=True)
class PassengerLanded:
    """A passenger landed on the planet, and the player gained Megagalax."""

    player: Seat
    gained: Count


@dataclass(frozen=True)
class Allowed:
    """The opponent let an intervention happen."""

    player: Seat


@dataclass(frozen=True)
class Neutralised:
    """The opponent discarded the same card against an intervention."""

    player: Seat
    card: Intervention


@dataclass(frozen=True)
class Granted:
    """The budget *what* of the turn was increased by one (see `GRANTS`)."""

    player: Seat
    what: Annotated[str, OneOf(*GRANTS.values())]


@dataclass(frozen=True)
class ContentsExchanged:
    """The contents of two containers were exchanged between the ships."""

    player: Seat
    mine: Container
    theirs: Container

    def fits(self, state: State) -> bool:
        """Return whether both players have the containers."""
        own, against = state.players[self.player], state.players[other(state, self.player)]
        return self.mine < len(own.containers) and self.theirs < len(against.containers)


@dataclass(frozen=True)
class ShipsExchanged:
    """The ships changed places."""

    player: Seat


@dataclass(frozen=True)
class Reshuffled:
    """Hand, draw pile and discards became a new draw pile, from which a new *hand* was drawn."""

    player: Seat
    hand: HandSize


Command = Intervene | Allow | Neutralise
Event = Intervened | PassengerLanded | Allowed | Neutralised | Granted | ContentsExchanged | ShipsExchanged | Reshuffled
Effect = Event | Loaded | TurnBegan | GameEnded


def decide(state: State, command: Command) -> tuple[Effect, ...]:
    """Return the events of *command*, or raise `Refused`."""
    match command:
        case Intervene():
            return _intervene(state, command)
        case Allow():
            assert state.played is not None, "the phase was looked at"
            return (Allowed(command.player), *_effect(state, state.played))
        case Neutralise():
            assert state.played is not None, "the phase was looked at"
            check_held(state, command.player, (state.played.card,))
            return (Neutralised(command.player, state.played.card),)
        case _:
            assert_never(command)


def _intervene(state: State, command: Intervene) -> tuple[Effect, ...]:
    """Play an intervention. Its choices are checked now, before the opponent answers."""
    if not turn_of(state).interventions:
        raise Refused(said("No intervention is left."))
    check_held(state, command.player, (command.card,))
    played = Intervened(command.player, command.card, command.choices)
    if command.card != "passenger":
        _check_choices(state, command)
        return (played,)
    if place_of(state, command.player) not in PLANETS:
        raise Refused(said("Passengers leave the ship on a planet only."))
    landed = PassengerLanded(command.player, PASSENGER)
    return (played, landed, *won(state.players[command.player].megagalax + PASSENGER))


def _check_choices(state: State, command: Intervene) -> None:
    match command.choices:
        case Loading(planet, to):
            if planet not in WITHIN[command.card]:
                one, two = (label_of(each) for each in WITHIN[command.card])
                raise Refused(said("That card loads from %(one)s or %(two)s.", one=one, two=two))
            loading(state, command.player, planet, to)
        case Exchange(mine, theirs):
            check_loaded(state, command.player, mine)
            check_loaded(state, other(state, command.player), theirs)
        case None:
            pass
        case _:
            assert_never(command.choices)


def _effect(state: State, played: Played) -> tuple[Effect, ...]:
    match played.choices:
        case Loading(planet, to):
            return (loading(state, played.player, planet, to),)
        case Exchange(mine, theirs):
            return (ContentsExchanged(played.player, mine, theirs),)
        case None:
            return _plain_effect(state, played)
        case _:
            assert_never(played.choices)


def _plain_effect(state: State, played: Played) -> tuple[Effect, ...]:
    if played.card in GRANTS:
        return (Granted(played.player, GRANTS[played.card]),)
    if played.card == "transmitter_gate":
        return (ShipsExchanged(played.player),)
    return (Reshuffled(played.player, min(HAND_LIMIT, state.players[played.player].cards)), next_turn(state))


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*."""
    match event:
        case Intervened():
            return _intervened(state, event)
        case PassengerLanded():
            return megagalax_gained(state, event.player, event.gained)
        case Allowed():
            return replace(state, phase=Phase.TURN, played=None)
        case Neutralised():
            answered = state.with_player(event.player, state.players[event.player].discarding((event.card,)))
            return replace(answered, phase=Phase.TURN, played=None)
        case Granted():
            return replace(state, turn=turn_of(state).granted(event.what))
        case ContentsExchanged():
            against = other(state, event.player)
            mine, theirs = state.players[event.player], state.players[against]
            given, taken = mine.containers[event.mine], theirs.containers[event.theirs]
            exchanged = state.with_player(event.player, mine.holding(event.mine, taken))
            return exchanged.with_player(against, theirs.holding(event.theirs, given))
        case ShipsExchanged():
            one, two = state.colours
            return state.moved(one, place_of(state, two)).moved(two, place_of(state, one))
        case Reshuffled():
            player = state.players[event.player]
            mixed = replace(player, hand=event.hand, draw_pile=player.cards - event.hand, discards=0, named=None)
            return state.with_player(event.player, mixed)
        case _:
            assert_never(event)


def _intervened(state: State, event: Intervened) -> State:
    turn = turn_of(state)
    used = replace(turn, interventions=turn.interventions - 1, begun=True)
    left = state.with_player(event.player, state.players[event.player].discarding((event.card,)))
    if event.card == "passenger":
        return replace(left, turn=used)
    return replace(left, turn=used, played=Played(event.player, event.card, event.choices), phase=Phase.ANSWER)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield interventions, or the answers to one."""
    if state.phase is Phase.TURN:
        for card in INTERVENTIONS:
            yield from (Intervene(seat, card, made) for made in _ways(state, seat, card))
    if state.phase is Phase.ANSWER:
        yield from (Allow(seat), Neutralise(seat))


def _ways(state: State, seat: str, card: str) -> Iterator[Choices]:
    """Yield the choices that may be made for a card."""
    if card in WITHIN:
        yield from (Loading(planet, to) for planet, to in product(WITHIN[card], PLANETS))
    elif card == EXCHANGING:
        mine, theirs = (range(len(state.players[each].containers)) for each in (seat, other(state, seat)))
        yield from (Exchange(one, two) for one, two in product(mine, theirs))
    else:
        yield None


SENTENCES: Rows = {
    Intervened: Telling(
        pattern("%(name)s plays %(card)s"),
        "intervene",
        said("An intervention works once. Two may be played in a turn."),
        "interventions",
        words=Verbosity.FEW,
    ),
    PassengerLanded: Telling(gained, words=Verbosity.FEW),
    Allowed: Telling(
        pattern("%(name)s allows it"),
        "allow",
        said("Nobody minds: the card does what it says."),
        "interventions",
        aloud=Silent("what the player then does is said"),
        possible=said("Allow the card"),
        how=said("or discard the same one from hand"),
    ),
    Neutralised: Telling(
        pattern("%(name)s neutralises it"),
        "neutralise",
        said("The same card from the other hand: nothing happens."),
        "interventions",
        words=Verbosity.FEW,
    ),
    Granted: Silent("the card that grants it is said"),
    ContentsExchanged: Silent("the card that does it is said"),
    ShipsExchanged: Silent("the card that does it is said"),
    Reshuffled: Silent("the card that does it is said"),
}
