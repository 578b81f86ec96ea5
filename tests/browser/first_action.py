"""A game of three in its first trading phase, or at the first action: red begins."""

from __future__ import annotations

from typing import Any

from tests.companion.app.processes import Service

SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"))
HEADER: dict[str, Any] = {
    "record": "table-record",
    "version": 1,
    "game": "andromeda",
    "players": [{"colour": colour, "name": name} for colour, name in SEATS],
    "first": "red",
}
ATTEMPT = {"do": "establish", "player": "red", "planet": "p1", "cards": 7}


def to_the_first_trade(service: Service) -> None:
    """Start the game on *service*, up to red's first card in trading."""
    assert service.ask("POST", "/api/v1/games", HEADER)[0] == 201
    for colour, _ in SEATS:
        service.do({"do": "setup", "player": colour, "cards": {"p1": 3, "p2": 3}})
    service.do({"do": "deal"})
    for colour, _ in SEATS:
        service.do({"do": "transport", "player": colour, "move": "pass"})


def to_the_first_action(service: Service) -> None:
    """Start the game on *service*, up to red's first action."""
    to_the_first_trade(service)
    for _ in range(2):
        for colour, _ in SEATS:
            service.do({"do": "lay", "player": colour, "card": None})
    service.do({"do": "swap", "player": "red", "with": "blue"})
    service.do({"do": "keep", "player": "blue"})
