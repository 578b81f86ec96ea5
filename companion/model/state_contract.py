"""What shared code reads from the state of any game: `setting.seats`, `colours` and `phase`.

A state needs them only if the game uses the part that reads them. A missing one is a bug of the game, so it is a
`NotImplementedError` with one sentence: stored events that a fold can't read raise other errors (`MISFITS`), and the
ledger would then call the game damaged.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def seats_of(state: Any, reader: str) -> tuple[Any, ...]:
    """Return the seats in `state.setting.seats`, clockwise; *reader* is who needs them, for the error.

    >>> seats_of((), "Tellings")
    Traceback (most recent call last):
    NotImplementedError: Tellings reads state.setting.seats, but a tuple has none: see docs/add-a-game.md, The state.
    """
    try:
        seats: tuple[Any, ...] = state.setting.seats
    except AttributeError as fault:
        raise _lacks(state, "setting.seats", reader) from fault
    return seats


def colours_in(state: Any) -> Collection[str]:
    """Return the colours that an event's `Seat` field may have: `state.colours`, or else those of the seats."""
    try:
        colours: Collection[str] = state.colours
    except AttributeError as fault:
        if hasattr(state, "setting"):
            return tuple(seat.colour for seat in seats_of(state, "an event with a Seat field"))
        raise _lacks(state, "colours or state.setting.seats", "an event with a Seat field") from fault
    return colours


def phase_of(state: Any, reader: str) -> Any:
    """Return `state.phase`; *reader* is who needs it, for the error."""
    try:
        return state.phase
    except AttributeError as fault:
        raise _lacks(state, "phase", reader) from fault


def _lacks(state: Any, what: str, reader: str) -> NotImplementedError:
    kind = type(state).__name__
    return NotImplementedError(
        f"{reader} reads state.{what}, but a {kind} has none: see docs/add-a-game.md, The state."
    )
