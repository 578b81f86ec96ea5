"""The course of a round: set-up, deal, transport, turns, and the events that follow an action."""

from __future__ import annotations

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.commands import EndTurn, SetUp, Transport
from companion.games.andromeda.events import (
    ActionDone,
    CardsShown,
    CreditEarned,
    Dealt,
    Event,
    GameEnded,
    PhaseBegan,
    RoundBegan,
    Transported,
    TransportPassed,
    TurnBegan,
)
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.state import (
    CARDS_OF_A_PLANET,
    EARNED_BY,
    FIRST_HAND,
    KINDS,
    OTHER_ACTIONS,
    STARTER_ACTIONS,
    Phase,
    State,
    clockwise_from,
    label_of,
    left_of,
    name_of,
)
from companion.kernel.errors import Refused
from companion.kernel.said import Said, said

STATIONS = 2
"""The number of stations that one transport card takes to a planet."""


def set_up(state: State, command: SetUp) -> tuple[Event, ...]:
    """Place a player's set-up cards. After the last player's cards, deal the first hands (rules: preparation)."""
    _check_phase(state, Phase.SETUP, said("Set-up is over."))
    name, wanted = name_of(state, command.player), state.setting.stock.cards
    if not state.players[command.player].unplaced:
        raise Refused(said("%(name)s's set-up cards are already placed.", name=name))
    if sum(command.cards) != wanted:
        chosen = sum(command.cards)
        raise Refused(
            said("%(name)s needs %(wanted)s set-up cards, not %(count)s.", name=name, wanted=wanted, count=chosen)
        )
    for planet, dealt, more in zip(PLANETS, dealt_so_far(state), command.cards, strict=True):
        if dealt + more > CARDS_OF_A_PLANET:
            most, label = CARDS_OF_A_PLANET, label_of(state, planet)
            raise Refused(said("The game has only %(most)s %(planet)s cards.", most=most, planet=label))
    shown = CardsShown(command.player, command.cards)
    placed = evolve(state, shown)
    if any(player.unplaced for player in placed.players.values()):
        return (shown,)
    hands = tuple((colour, FIRST_HAND) for colour in state.colours)
    return (shown, Dealt(hands), RoundBegan(1, state.setting.first))


def dealt_so_far(state: State) -> tuple[int, ...]:
    """Return the number of set-up cards on the table by planet.

    Each card has added a station, so stations are counted.
    """
    start = state.setting.stock.planet
    return tuple(sum(player.planets[at] - start for player in state.players.values()) for at in range(len(PLANETS)))


def deal(state: State) -> tuple[Event, ...]:
    """Fill every hand up to its limit and begin the transport phase (rules: card phase)."""
    _check_phase(state, Phase.CARDS, said("Cards are dealt only at the start of a round."))
    cards = tuple(to_deal(state).items())
    return (Dealt(cards), PhaseBegan(Phase.TRANSPORT, state.starter))


def to_deal(state: State) -> dict[str, int]:
    """Return how many cards each hand lacks, clockwise from the starting player.

    If there are not enough cards, the last hands get fewer. Only corrections can cause that.
    """
    left = state.supply + state.discards
    cards = {}
    for colour in clockwise_from(state, state.starter):
        player = state.players[colour]
        cards[colour] = min(left, max(0, player.hand_limit - player.hand))
        left -= cards[colour]
    return cards


def _check_phase(state: State, phase: Phase, reason: Said) -> None:
    if state.phase is not phase:
        raise Refused(reason)


def transport(state: State, command: Transport) -> tuple[Event, ...]:
    """Play a transport card or pass, in turn order. With the option `transport_as_action`, it may also be an action."""
    if state.phase is Phase.ACTIONS and state.options.transport_as_action:
        return _as_action(state, command)
    if state.phase is not Phase.TRANSPORT:
        raise Refused(said("Play transport cards in the transport phase."))
    if state.turn != command.player:
        raise Refused(said("It's %(name)s's turn: play a transport card or pass.", name=name_of(state, state.turn)))
    event = TransportPassed(command.player) if command.move == "pass" else _played(state, command)
    return (event, _next(state))


def _as_action(state: State, command: Transport) -> tuple[Event, ...]:
    check_turn(state, command.player)
    if command.move == "pass":
        raise Refused(said("There's nothing to pass. End the turn instead."))
    if command.player in state.transported:
        raise Refused(said("One transport card per player each round."))
    event = _played(state, command)
    return (event, *done(evolve(state, event)))


def _played(state: State, command: Transport) -> Transported:
    player, name = state.players[command.player], name_of(state, command.player)
    planet = command.planet
    if planet is None:
        raise Refused(said("Say which planet the transport is for."))
    if not player.transport:
        raise Refused(said("%(name)s has no transport card left.", name=name))
    if command.move == "to_planet":
        if not player.earth:
            raise Refused(said("%(name)s has no station on Earth.", name=name))
        return Transported(command.player, command.move, planet, min(STATIONS, player.earth))
    if not player.on(planet):
        raise Refused(said("%(name)s has no station on %(planet)s.", name=name, planet=label_of(state, planet)))
    return Transported(command.player, command.move, planet, player.on(planet))


def _next(state: State) -> Event:
    following = left_of(state, state.turn)
    if following == state.starter:
        return PhaseBegan(Phase.TRADING, state.starter)
    return TurnBegan(following)


def begin_actions(state: State) -> PhaseBegan:
    """Return the event that begins the action phase. The starting player has three actions."""
    return PhaseBegan(Phase.ACTIONS, state.starter, STARTER_ACTIONS)


def check_turn(state: State, colour: str) -> None:
    """Refuse unless *colour* may take an action now."""
    if state.phase is not Phase.ACTIONS:
        raise Refused(said("Actions come after trading."))
    if state.attempt:
        raise Refused(said("Finish the draws first."))
    if state.turn != colour:
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, state.turn)))


def done(state: State, true_cards: int = 0, bonus: bool = True) -> tuple[Event, ...]:
    """Return the events that follow an action in *state*: a credit for a true set, and the next action or turn."""
    events: list[Event] = []
    kind = EARNED_BY.get(true_cards)
    if bonus and kind and state.credits[KINDS.index(kind)]:
        events.append(CreditEarned(state.turn, kind))
    events.append(ActionDone())
    if state.actions_left == 1:
        events.append(pass_turn(state))
    return tuple(events)


def end_turn(state: State, command: EndTurn) -> tuple[Event, ...]:
    """Give up the remaining actions of a turn, which the rules allow."""
    check_turn(state, command.player)
    return (pass_turn(state),)


def pass_turn(state: State) -> Event:
    """Return the event that begins the next turn or round, or ends the game.

    The last round is always played to its end (rules: end and score).
    """
    following = left_of(state, state.turn)
    if following != state.starter:
        return TurnBegan(following, OTHER_ACTIONS)
    if state.last_round:
        return GameEnded()
    return RoundBegan(state.round + 1, left_of(state, state.starter))
