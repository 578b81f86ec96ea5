"""A game as JSON and as text, its result, and the players it waits for.

Nothing is hidden, since the players' cards are not recorded.
"""

from __future__ import annotations

from typing import Any

from companion.games.wreck.cards import card_json
from companion.games.wreck.control import controller, room_kp
from companion.games.wreck.dice import dice_json
from companion.games.wreck.missions import turn_step
from companion.games.wreck.rooms import Cell
from companion.games.wreck.scoring import Score, scores, winners
from companion.games.wreck.state import Phase, State, aboard, name_of
from companion.kernel.said import Said, all_of, said
from companion.model.clock import Step
from companion.model.game import Result, Viewer


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the state as JSON. Every viewer sees all of it."""
    points = scores(state)
    return {
        "game": "wreck",
        "round": state.round,
        "phase": str(state.phase),
        "starter": state.starter,
        "to_act": list(waited_for(state)),
        "pool": dice_json(state.pool),
        "offer": _offer(state),
        "turn": _turn(state),
        "rooms": [_room(state, cell, tile) for cell, tile in zip(state.setting.layout, state.tiles, strict=True)],
        "players": {colour: _player(state, colour, points[colour]) for colour in state.colours},
        "general": [{"id": each.id, "card": card_json(each.card)} for each in state.general],
        "personal_pile": state.personal_pile,
        "technologies": [{"id": each.id, "used": each.id in state.used} for each in state.setting.technologies],
        "vaccine_supply": state.vaccines,
        "threshold": state.setting.threshold,
        "finished": state.finished,
        "winners": list(winners(state)),
    }


def waited_for(state: State) -> tuple[str, ...]:
    """Return the colour that must act now. The result is empty after the end."""
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            return (state.starter,)
        case Phase.OFFERS:
            return (state.offer.asked if state.offer else state.offerer,)
        case Phase.TURNS:
            return (state.turn,)
        case Phase.FINISHED:
            return ()


def step(state: State) -> Step | None:
    """Return the step that is being timed: an offer, an answer to it, a whole turn, or the time between rounds."""
    match state.phase:
        case Phase.FINISHED:
            return None
        case Phase.OFFERS:
            name = "answer" if state.offer else "offer"
            order = sum(player.order > 0 for player in state.players.values())
            return Step(name, waited_for(state), (state.round, order))
        case Phase.TURNS:
            return Step("turn", waited_for(state), (state.round,))
        case Phase.SETUP | Phase.CLEANUP:
            return Step(str(state.phase), (), (state.round,))


def result(state: State) -> Result | None:
    """Return the result, or None before the end."""
    if not state.finished:
        return None
    totals = {colour: score.total for colour, score in scores(state).items()}
    return Result(winners(state), totals, _why(state), state.setting.first)


def standing(state: State) -> tuple[str, ...]:
    """Return lines for a terminal: round and phase, each player's KP, and who must act or has won."""
    lines = [f"The wreck, round {state.round}, {state.phase.value}"]
    for colour, score in scores(state).items():
        parts = f"rooms {score.rooms}, missions {score.missions}, cards {score.cards}"
        lines.append(f"  {name_of(state, colour)} ({colour}): {score.total} KP ({parts})")
    ended = result(state)
    names = ", ".join(name_of(state, colour) for colour in waited_for(state))
    return (*lines, f"Waiting for {names}" if ended is None else ended.why)


def _why(state: State) -> Said:
    won, points = winners(state), scores(state)
    names = all_of([name_of(state, colour) for colour in won])
    best = points[won[0]]
    if len(won) > 1:
        return said("%(names)s share the win: control points are level, also those of rooms.", names=names)
    if any(score.total == best.total for colour, score in points.items() if colour not in won):
        return said("%(names)s wins the tie with more control points of rooms.", names=names)
    return said("%(names)s wins with %(points)s control points.", names=names, points=best.total)


def _offer(state: State) -> dict[str, Any] | None:
    offer = state.offer
    if offer is None:
        return None
    dice = dice_json(offer.dice)
    return {"by": offer.by, "order": offer.order, "dice": dice, "asked": offer.asked, "forced": offer.forced}


def _turn(state: State) -> dict[str, Any] | None:
    if state.phase is not Phase.TURNS:
        return None
    return {"player": state.turn, "order": state.players[state.turn].order, "step": turn_step(state)}


def _room(state: State, cell: Cell, tile: str | None) -> dict[str, Any]:
    if tile is None:
        return {"cell": list(cell), "room": None}
    counts = state.researchers[tile]
    return {
        "cell": list(cell),
        "room": tile,
        "researchers": dict(zip(state.colours, counts, strict=True)),
        "teleporters": dict(zip(state.colours, state.teleporters[tile], strict=True)),
        "control": controller(state, tile),
        "kp": dict(zip(state.colours, room_kp(tile, counts), strict=True)),
    }


def _player(state: State, colour: str, score: Score) -> dict[str, Any]:
    player = state.players[colour]
    return {
        "supply": player.supply,
        "species": player.species,
        "aboard": aboard(state, colour),
        "place": player.place,
        "teleporters": player.teleporters,
        "vaccines": player.vaccines,
        "order": player.order or None,
        "dice": dice_json(player.dice),
        "room_action": player.room_action,
        "personal": player.personal,
        "exchanged": player.exchanged,
        "missions": [{"mission": each.mission, "name": each.name, "kp": each.kp} for each in player.missions],
        "kp": {"rooms": score.rooms, "missions": score.missions, "cards": score.cards, "total": score.total},
    }
