"""Before the first turn: the goods, who moves first, and where both ships stand."""

from __future__ import annotations

from typing import assert_never

from companion.games.hanse.commands import Choose, LayGoods, SetUpCommand, Start
from companion.games.hanse.events import Event, GoodsLaid, ShipsPlaced, StarterChosen
from companion.games.hanse.evolve import evolve
from companion.games.hanse.goods import AT_A_PLANET
from companion.games.hanse.places import label_of
from companion.games.hanse.state import State, other
from companion.games.hanse.turns import turn_begins
from companion.kernel.errors import Refused
from companion.kernel.i18n import said


def prepare(state: State, command: SetUpCommand) -> tuple[Event, ...]:
    """Answer what is settled before the first turn."""
    match command:
        case LayGoods():
            return lay_goods(state, command)
        case Choose():
            return choose(state, command)
        case Start():
            return start(state, command)
        case _:
            assert_never(command)


def lay_goods(state: State, command: LayGoods) -> tuple[Event, ...]:
    """Lay five goods cards at a planet: none of them may show the planet itself."""
    planet = label_of(command.planet)
    if state.at(command.planet):
        raise Refused(said("The goods of %(planet)s are out already.", planet=planet))
    if len(command.cards) != AT_A_PLANET:
        raise Refused(said("%(planet)s gets %(num)s goods cards.", planet=planet, num=AT_A_PLANET))
    if any(side.to == command.planet for side in command.cards):
        raise Refused(said("No card at %(planet)s shows %(planet)s. Flip it.", planet=planet))
    return (GoodsLaid(command.planet, command.cards),)


def choose(state: State, command: Choose) -> tuple[Event, ...]:
    """Settle who moves first; the other names the planet."""
    first = command.take == "first"
    return (StarterChosen(command.player if first else other(state, command.player)),)


def start(state: State, command: Start) -> tuple[Event, ...]:
    """Stand both ships on the planet and begin the first turn."""
    assert state.starter is not None, "chosen before"
    placed = ShipsPlaced(command.planet)
    return (placed, turn_begins(evolve(state, placed), state.starter))
