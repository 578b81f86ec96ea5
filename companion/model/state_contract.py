"""The attributes of a game's state that shared code reads: `setting.seats`, `colours` and `phase`.

A state needs an attribute only if the game uses the shared part that reads it. A missing attribute is a bug of the game
and raises `NotImplementedError`. It must not be one of the errors in `MISFITS`, which mean that stored events can't be
folded: the ledger would call the game damaged.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def seats_of(state: Any, reader: str) -> tuple[Any, ...]:
    """Return the seats in `state.setting.seats`, clockwise. *reader* names the part that needs them, for the error.

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
    """Return the colours that an event's `Seat` field may have.

    They are `state.colours` if it exists, else the colours of the seats.
    """
    try:
        colours: Collection[str] = state.colours
    except AttributeError as fault:
        if hasattr(state, "setting"):
            return tuple(seat.colour for seat in seats_of(state, "an event with a Seat field"))
        raise _lacks(state, "colours or state.setting.seats", "an event with a Seat field") from fault
    return colours


def phase_of(state: Any, reader: str) -> Any:
    """Return `state.phase`. *reader* names the part that needs it, for the error."""
    try:
        return state.phase
    except AttributeError as fault:
        raise _lacks(state, "phase", reader) from fault


def _lacks(state: Any, what: str, reader: str) -> NotImplementedError:
    kind = type(state).__name__
    return NotImplementedError(
        f"{reader} reads state.{what}, but a {kind} has none: see docs/add-a-game.md, The state."
    )
