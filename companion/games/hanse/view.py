"""A game as JSON and as text, its result, and the step that a clock times. Only the sizes of hands are known."""

from __future__ import annotations

from typing import Any

from companion.games.hanse.flight import reachable
from companion.games.hanse.goods import Cargo
from companion.games.hanse.interventions import choices_line
from companion.games.hanse.places import PLANETS, label_of
from companion.games.hanse.scoring import GOAL, rank, winners
from companion.games.hanse.state import (
    NAMES,
    Player,
    State,
    goods_out,
    jumps_left,
    name_of,
    stations_left,
    waited_for,
)
from companion.kernel.said import Said, all_of, said
from companion.model.clock import Step
from companion.model.game import Result, Viewer
from companion.model.parser import object_of


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the state as JSON. It is the same for every *viewer*, since hands are not recorded."""
    return {
        "game": "hanse",
        "phase": str(state.phase),
        "starter": state.starter,
        "to_act": list(waited_for(state)),
        "turn": _turn(state),
        "intervention": _intervention(state),
        "flipping": _flipping(state),
        "players": {colour: _player(player) for colour, player in state.players.items()},
        "goods": {planet: _cargo(cargo) for planet, cargo in zip(PLANETS, state.goods, strict=True)},
        "goods_out": goods_out(state),
        "ended_by": state.ended_by,
        "finished": state.finished,
        "winners": list(winners(state)),
    }


def _turn(state: State) -> dict[str, Any] | None:
    turn = state.turn
    if turn is None:
        return None
    return {
        "number": turn.number,
        "player": turn.player,
        "actions": turn.actions,
        "orbit_actions": stations_left(state),
        "flights": turn.flights,
        "interventions": turn.interventions,
        "tunnels": turn.tunnels,
        "hyperjumps": list(jumps_left(state)),
        "price": turn.price,
        "energy": turn.energy,
        "reach": reachable(state),
    }


def _intervention(state: State) -> dict[str, Any] | None:
    played = state.played
    if played is None:
        return None
    return {"player": played.player, "card": played.card, **choices_line(played.choices)}


def _flipping(state: State) -> dict[str, Any] | None:
    flipping = state.flipping
    return None if flipping is None else {"planet": flipping.planet, "cards": _cargo(flipping.cards)}


def _player(player: Player) -> dict[str, Any]:
    return {
        "megagalax": player.megagalax,
        "place": player.place,
        "hand": player.hand,
        "draw_pile": player.draw_pile,
        "discards": {"total": player.discards, "known": {card: count for card, count in player.known.items() if count}},
        "technologies": dict(zip(NAMES, player.technologies, strict=True)),
        "technology_cards": player.technology_cards,
        "containers": [_cargo(cargo) for cargo in player.containers],
    }


def _cargo(cargo: Cargo) -> list[dict[str, Any]]:
    return [object_of(card) for card in cargo]


def step(state: State) -> Step | None:
    """Return the step that is being timed.

    It changes when the turn passes, or when the players must do something else.
    """
    if state.finished:
        return None
    mark = (state.turn.number,) if state.turn else ()
    return Step(str(state.phase), waited_for(state) if state.phase != "goods" else (), mark)


def result(state: State) -> Result | None:
    """Return the result, or None before the end."""
    if not state.finished:
        return None
    totals = {colour: player.megagalax for colour, player in state.players.items()}
    return Result(winners(state), totals, _why(state), state.starter)


def _why(state: State) -> Said:
    won = winners(state)
    names = all_of([name_of(state, colour) for colour in won])
    megagalax, cards = rank(state, won[0])
    if len(won) > 1:
        return said("%(names)s share the win: Megagalax and technologies are level.", names=names)
    if all(rank(state, colour)[0] == megagalax for colour in state.colours):
        return said("%(name)s wins the tie with %(num)s technology cards.", name=names, num=cards)
    if megagalax == GOAL:
        return said("%(name)s reaches the middle of the sun: %(num)s Megagalax.", name=names, num=GOAL)
    return said("%(name)s wins with %(num)s Megagalax.", name=names, num=megagalax)


def standing(state: State) -> tuple[str, ...]:
    """Return lines for a terminal: the turn, each player's Megagalax and ship, and who must act or has won."""
    turn = f", turn {state.turn.number}" if state.turn else ""
    lines = [f"Die Kosmische Hanse{turn}, {state.phase.value}"]
    for colour, player in state.players.items():
        where = "" if player.place is None else f", ship: {label_of(player.place)}"
        cards = f"{player.technology_cards} technology cards"
        lines.append(f"  {name_of(state, colour)} ({colour}): {player.megagalax} Megagalax, {cards}{where}")
    ended = result(state)
    names = ", ".join(name_of(state, colour) for colour in waited_for(state))
    return (*lines, f"Waiting for {names or 'nobody'}" if ended is None else ended.why)
