"""The events of Sum to 31, and how the ledger stores them."""

from __future__ import annotations

from typing import Annotated

from companion.kernel.values import dataclass
from companion.model.parser import EventCodec, Seat
from tests.sum_game.rules.commands import Total, Value
from tests.sum_game.rules.state import Phase, State


@dataclass(frozen=True)
class Taken:
    """*player* took a chip of *value*."""

    player: Seat
    value: Annotated[int, Value]


@dataclass(frozen=True)
class Corrected:
    """The sum is *total*."""

    total: Annotated[int, Total]


Event = Taken | Corrected


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* is possible in *state*."""
    return state.phase is Phase.TURN and (isinstance(event, Corrected) or state.left(event.value) > 0)


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
