"""Interventions: cards from the hand with an effect that the opponent may neutralise."""

from __future__ import annotations

from typing import assert_never

from companion.games.hanse.cards import GRANTS, HAND_LIMIT, WITHIN
from companion.games.hanse.commands import Allow, Exchange, Intervene, Loading, Neutralise
from companion.games.hanse.events import (
    Allowed,
    ContentsExchanged,
    Event,
    Granted,
    Intervened,
    Neutralised,
    PassengerLanded,
    Reshuffled,
    ShipsExchanged,
)
from companion.games.hanse.hand import check_held
from companion.games.hanse.places import PLANETS, label_of
from companion.games.hanse.planet_actions import loading, won
from companion.games.hanse.state import State, name_of, other, place_of, turn_of
from companion.games.hanse.turns import next_turn
from companion.kernel.errors import Refused
from companion.kernel.said import said

PASSENGER = 3
"""Megagalax for a passenger who lands."""


def intervene(state: State, command: Intervene) -> tuple[Event, ...]:
    """Play an intervention. Its choices are checked now, before the opponent answers."""
    if not turn_of(state).interventions:
        raise Refused(said("%(name)s has no intervention left.", name=name_of(state, command.player)))
    check_held(state, command.player, (command.card,))
    played = Intervened(command.player, command.card, command.choices)
    if command.card != "passenger":
        _check_choices(state, command)
        return (played,)
    if place_of(state, command.player) not in PLANETS:
        raise Refused(said("Passengers leave the ship on a planet only."))
    landed = PassengerLanded(command.player, PASSENGER)
    return (played, landed, *won(state.players[command.player].megagalax + PASSENGER))


def allow(state: State, command: Allow) -> tuple[Event, ...]:
    """Allow the intervention that was played. It then takes effect."""
    assert state.played is not None, "the phase was looked at"
    return (Allowed(command.player), *_effect(state, state.played))


def neutralise(state: State, command: Neutralise) -> tuple[Event, ...]:
    """Neutralise the intervention by discarding the same card."""
    assert state.played is not None, "the phase was looked at"
    check_held(state, command.player, (state.played.card,))
    return (Neutralised(command.player, state.played.card),)


def _check_choices(state: State, command: Intervene) -> None:
    match command.choices:
        case Loading(planet, to):
            if planet not in WITHIN[command.card]:
                one, two = (label_of(each) for each in WITHIN[command.card])
                raise Refused(said("That card loads from %(one)s or %(two)s.", one=one, two=two))
            loading(state, command.player, planet, to)
        case Exchange(mine, theirs):
            _check_loaded(state, command.player, mine)
            _check_loaded(state, other(state, command.player), theirs)
        case None:
            pass
        case _:
            assert_never(command.choices)


def _check_loaded(state: State, colour: str, container: int) -> None:
    containers = state.players[colour].containers
    if container >= len(containers) or not containers[container]:
        raise Refused(said("%(name)s has nothing in that container.", name=name_of(state, colour)))


def _effect(state: State, played: Intervene) -> tuple[Event, ...]:
    match played.choices:
        case Loading(planet, to):
            return (loading(state, played.player, planet, to),)
        case Exchange(mine, theirs):
            return (ContentsExchanged(played.player, mine, theirs),)
        case None:
            return _plain_effect(state, played)
        case _:
            assert_never(played.choices)


def _plain_effect(state: State, played: Intervene) -> tuple[Event, ...]:
    if played.card in GRANTS:
        return (Granted(played.player, GRANTS[played.card]),)
    if played.card == "transmitter_gate":
        return (ShipsExchanged(played.player),)
    player = state.players[played.player]
    cards = player.hand + player.draw_pile + player.discards
    return (Reshuffled(played.player, min(HAND_LIMIT, cards)), next_turn(state))
