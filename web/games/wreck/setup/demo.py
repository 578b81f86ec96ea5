"""The demonstration game: three players in the middle of a turn, so that one tap uses a room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.kernel.fields import Line

RECORD: Mapping[str, Any] = {"record": "table-record", "version": 1, "game": "wreck"}
LAYOUT = {
    2: [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, 1]],
    3: [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]],
}
"""The default layouts of tiles around the airlock. They are invented, since the pictures of the rules are lost."""
TECHNOLOGIES = ("teleporter", "t2", "t3", "t4")
_SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"))


def demo() -> tuple[Line, ...]:
    """Return the header of the demonstration game, and the lines up to a turn with possible actions."""
    return (header(_SEATS), *_rolled(), *_offered(), *_played())


def header(seats: tuple[tuple[str, str], ...]) -> Line:
    """Return a header for simulated players. Their species have no names."""
    players = [
        {"colour": colour, "name": name, "species": {"name": "", "aboard": 3, "trained": 4}} for colour, name in seats
    ]
    technologies = [{"id": id, "name": ""} for id in TECHNOLOGIES]
    layout = LAYOUT[2 if len(seats) == 2 else 3]
    return {**RECORD, "players": players, "first": seats[0][0], "layout": layout, "technologies": technologies}


def _rolled() -> tuple[Line, ...]:
    dice = [
        "training",
        "support",
        "support",
        "improvise",
        "move",
        "move",
        "move",
        "technology",
        "technology",
        "training",
    ]
    return ({"do": "open", "card": None}, {"do": "roll", "player": "red", "dice": dice})


def _offered() -> tuple[Line, ...]:
    return (
        {"do": "offer", "player": "red", "dice": ["move", "training"]},
        {"do": "accept", "player": "blue", "die": "move"},
        {"do": "offer", "player": "red", "dice": ["support", "move"]},
        {"do": "decline", "player": "green"},
        {"do": "accept", "player": "red", "die": "technology"},
    )


def _played() -> tuple[Line, ...]:
    explore = {"do": "explore", "from": "airlock"}
    return (
        {**explore, "player": "blue", "die": "move", "cell": [-1, 0], "room": "engine"},
        {"do": "train", "player": "blue", "die": "training", "count": 2},
        {"do": "end_turn", "player": "blue"},
        {**explore, "player": "red", "die": "move", "cell": [0, -1], "room": "cryo"},
    )
