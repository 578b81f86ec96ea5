"""The demonstration game: four players, with the ring already over a planet, so that one tap makes a draw."""

from __future__ import annotations

from companion.kernel.fields import Line

_SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"), ("yellow", "Dora"))
_SET_UP = {
    "red": {"p1": 3, "p3": 1, "p4": 2, "p6": 2, "p7": 1},
    "blue": {"p2": 2, "p3": 3, "p5": 2, "p7": 2},
    "green": {"p1": 1, "p2": 1, "p4": 3, "p6": 3, "p7": 1},
    "yellow": {"p2": 3, "p3": 1, "p5": 3, "p7": 2},
}
_LAID = {"red": ("p2", "p5"), "blue": ("p1", "p6"), "green": ("p1", "p3"), "yellow": ("p4", None)}
_ATTEMPT: Line = {"do": "establish", "player": "red", "planet": "p6", "cards": 4}

RECORD = {"record": "table-record", "version": 1, "game": "andromeda"}


def demo() -> tuple[Line, ...]:
    """Return the header of the demonstration game, and the lines up to its first attempt."""
    players = [{"colour": colour, "name": name} for colour, name in _SEATS]
    options = {"virtual_ring": True, "show_odds": True}
    header: Line = {**RECORD, "players": players, "first": "red", "options": options}
    return (header, *_prepared(), *_transported(), *_traded(), _ATTEMPT)


def _prepared() -> tuple[Line, ...]:
    set_up = tuple({"do": "setup", "player": colour, "cards": cards} for colour, cards in _SET_UP.items())
    return (*set_up, {"do": "deal"})


def _transported() -> tuple[Line, ...]:
    passing = tuple({"do": "transport", "player": colour, "move": "pass"} for colour in ("blue", "green", "yellow"))
    return ({"do": "transport", "player": "red", "move": "to_planet", "planet": "p6"}, *passing)


def _traded() -> tuple[Line, ...]:
    laid = tuple(
        {"do": "lay", "player": colour, "card": cards[at]} for at in range(2) for colour, cards in _LAID.items()
    )
    swapped = {"do": "swap", "player": "red", "with": "green"}
    kept = {"do": "keep", "player": "green"}
    taken = tuple({"do": "take_back", "player": colour} for colour in ("blue",))
    return (*laid, swapped, kept, *taken)
