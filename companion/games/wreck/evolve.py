"""The effect of each event on the state. No other code changes the state of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from companion.games.wreck import changes as changed
from companion.games.wreck import events as happened
from companion.games.wreck.cards import GENERAL, PERSONAL
from companion.games.wreck.dice import CONTAMINATION, NO_DICE, together, without
from companion.games.wreck.dice import changed as dice_changed
from companion.games.wreck.events import Event
from companion.games.wreck.state import (
    PLACES,
    Fulfilled,
    General,
    OpenOffer,
    Phase,
    State,
    carded,
)
from companion.kernel.values import replace


def evolve(state: State, event: Event) -> State:  # noqa: C901  # one arm per event, nothing nested
    """Return the state after *event*. It never refuses."""
    match event:
        case happened.DieUsed(player, die):
            return _with_die(state, player, die, -1)
        case changed.ResearchersMoved():
            return _researchers_moved(state, event)
        case happened.ResearchersStepped(player, steps):
            return _counted(
                state, player, [(room, by) for step in steps for room, by in zip(step, (-1, 1), strict=True)]
            )
        case happened.ResearchersCalled(player, rooms):
            fewer = with_player(state, player, species=state.players[player].species - len(rooms))
            return _counted(fewer, player, [(room, 1) for room in rooms])
        case happened.ResearchersRemoved():
            return _removed(state, event)
        case changed.RoomOpened():
            return _room_opened(state, event)
        case changed.TeleporterMoved():
            return _teleporter_moved(state, event)
        case changed.TechnologyTurned(id, used):
            return replace(state, used=state.used | {id} if used else state.used - {id})
        case changed.RoomActionTurned(colour, used):
            return with_player(state, colour, room_action=used)
        case changed.DieChanged():
            return _die_changed(state, event)
        case changed.VaccinesMoved(colour, count):
            return replace(_with_vaccines(state, colour, count), vaccines=state.vaccines - count)
        case changed.PointsGiven(colour, count):
            return with_player(state, colour, kp=state.players[colour].kp + count)
        case happened.OfferMade(player, dice, asked):
            offer = OpenOffer(player, carded(state) + 1, dice, asked)
            return replace(state, pool=without(state.pool, dice), offer=offer)
        case happened.OfferPassed(asked):
            return replace(state, offer=replace(_offer(state), asked=asked))
        case happened.OfferTaken():
            return _offer_taken(state, event)
        case happened.OffererChanged(player):
            return replace(state, offerer=player)
        case happened.LastCardTaken(player):
            taken = with_player(state, player, order=carded(state) + 1, dice=state.pool)
            return replace(taken, pool=NO_DICE, offerer="")
        case happened.TurnBegan(player):
            return replace(state, phase=Phase.TURNS, turn=player, fulfilling=False)
        case happened.ContaminationEnded():
            return _contamination_ended(state, event)
        case happened.MissionFulfilled():
            return _mission_fulfilled(state, event)
        case happened.TurnEnded(player):
            return with_player(state, player, dice=NO_DICE)
        case happened.DiceRolled():
            return _rolled(state, event)
        case happened.MissionOpened(card):
            opened = General(GENERAL[state.opened], card)
            return replace(state, general=(*state.general, opened), opened=state.opened + 1)
        case happened.MissionExchanged(player):
            return with_player(state, player, exchanged=True)
        case happened.CleanUpBegan():
            return _clean_up_began(state, event)
        case happened.GameEnded():
            ended = _all(state, dice=NO_DICE)
            return replace(ended, phase=Phase.FINISHED, turn="", fulfilling=False)
        case _:
            assert_never(event)


def folded(state: State, events: Iterable[Event]) -> State:
    """Return the state after all of *events*."""
    for event in events:
        state = evolve(state, event)
    return state


def with_player(state: State, colour: str, **changes: Any) -> State:
    """Return *state* with some fields of one player changed."""
    return replace(state, players={**state.players, colour: replace(state.players[colour], **changes)})


def _all(state: State, **changes: Any) -> State:
    return replace(state, players={colour: replace(player, **changes) for colour, player in state.players.items()})


def _with_die(state: State, colour: str, symbol: str, by: int) -> State:
    return with_player(state, colour, dice=dice_changed(state.players[colour].dice, symbol, by))


def _with_vaccines(state: State, colour: str, by: int) -> State:
    return with_player(state, colour, vaccines=state.players[colour].vaccines + by)


def _counted(state: State, colour: str, by_room: Iterable[tuple[str, int]]) -> State:
    """Return *state* with the number of researchers of *colour* changed in each room in *by_room*."""
    at, researchers = state.setting.at[colour], dict(state.researchers)
    for room, by in by_room:
        researchers[room] = _plus(researchers[room], at, by)
    return replace(state, researchers=researchers)


def _plus(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])


def _at_place(state: State, colour: str, place: str, by: int) -> State:
    if place in PLACES:
        return with_player(state, colour, **{place: getattr(state.players[colour], place) + by})
    return _counted(state, colour, ((place, by),))


def _researchers_moved(state: State, event: changed.ResearchersMoved) -> State:
    left = _at_place(state, event.colour, event.source, -event.count)
    return _at_place(left, event.colour, event.target, event.count)


def _removed(state: State, event: happened.ResearchersRemoved) -> State:
    player, count = state.players[event.player], len(event.rooms) - event.place
    beside = with_player(state, event.player, supply=player.supply + count, place=player.place + event.place)
    return _counted(beside, event.player, [(room, -1) for room in event.rooms])


def _room_opened(state: State, event: changed.RoomOpened) -> State:
    at = state.setting.layout.index(event.cell)
    nobody = (0,) * len(state.colours)
    return replace(
        state,
        tiles=(*state.tiles[:at], event.room, *state.tiles[at + 1 :]),
        researchers={**state.researchers, event.room: nobody},
        teleporters={**state.teleporters, event.room: nobody},
    )


def _teleporter_moved(state: State, event: changed.TeleporterMoved) -> State:
    at, teleporters = state.setting.at[event.colour], dict(state.teleporters)
    supply = state.players[event.colour].teleporters
    for place, by in ((event.source, -1), (event.target, 1)):
        if place == changed.SUPPLY:
            supply += by
        else:
            teleporters[place] = _plus(teleporters[place], at, by)
    return replace(with_player(state, event.colour, teleporters=supply), teleporters=teleporters)


def _die_changed(state: State, event: changed.DieChanged) -> State:
    if event.source is not None:
        state = _with_die(state, event.colour, event.source, -1)
    return state if event.target is None else _with_die(state, event.colour, event.target, 1)


def _offer(state: State) -> OpenOffer:
    assert state.offer is not None, "an offer is passed on or taken only while it lies there"
    return state.offer


def _offer_taken(state: State, event: happened.OfferTaken) -> State:
    offer = _offer(state)
    dice, pool = offer.dice, state.pool
    if event.die is not None:
        dice, pool = dice_changed(dice, event.die, 1), dice_changed(pool, event.die, -1)
    taken = with_player(state, event.player, order=offer.order, dice=together(state.players[event.player].dice, dice))
    return replace(taken, pool=pool, offer=None)


def _contamination_ended(state: State, event: happened.ContaminationEnded) -> State:
    player = state.players[event.player]
    dice = dice_changed(player.dice, CONTAMINATION, -player.contamination)
    fewer = with_player(state, event.player, dice=dice, vaccines=player.vaccines - event.vaccines)
    return replace(fewer, vaccines=state.vaccines + event.vaccines)


def _mission_fulfilled(state: State, event: happened.MissionFulfilled) -> State:
    player = state.players[event.player]
    missions = (*player.missions, Fulfilled(event.mission, event.name, event.kp))
    own = {"personal": False, "fulfilled": True} if event.mission == PERSONAL else {}
    general = tuple(each for each in state.general if each.id != event.mission)
    return replace(with_player(state, event.player, missions=missions, **own), general=general, fulfilling=True)


def _rolled(state: State, event: happened.DiceRolled) -> State:
    ready = _all(state, order=0, dice=NO_DICE, fulfilled=False, exchanged=False)
    return replace(ready, phase=Phase.OFFERS, round=event.number, pool=event.dice, offerer=state.starter, turn="")


def _clean_up_began(state: State, event: happened.CleanUpBegan) -> State:
    ready = _all(state, dice=NO_DICE, room_action=False)
    for colour in event.drawn:
        ready = with_player(ready, colour, personal=True)
    pile = state.personal_pile - len(event.drawn)
    return replace(
        ready,
        phase=Phase.CLEANUP,
        starter=event.starter,
        personal_pile=pile,
        used=frozenset(),
        turn="",
        fulfilling=False,
    )
