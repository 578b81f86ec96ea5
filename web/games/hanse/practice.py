"""The demonstration game, and the page of a practice game: the board, the last move and its meaning."""

from __future__ import annotations

from companion.autoplay.demo import DemoStatus
from companion.games.hanse.rules import TELLINGS
from companion.games.hanse.state import State
from companion.kernel.fields import Line
from web.components.bar import PlayBar
from web.components.practice import practice
from web.games.hanse.components.layout import where
from web.games.hanse.components.space import space
from web.request.game_pages import Scene

HEADER: Line = {
    "record": "table-record",
    "version": 1,
    "game": "hanse",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "younger": "red",
}
"""The header of the demonstration and of a practice game: two simulated players."""
GOODS = {
    "p1": "p22 p23 p32 p43 p62",
    "p2": "p13 p32 p33 p52 p63",
    "p3": "p12 p22 p43 p53 p62",
    "p4": "p12 p13 p22 p52 p63",
    "p5": "p13 p23 p32 p42 p43",
    "p6": "p22 p33 p42 p53 p52",
}
"""The destination and value of each card at each planet. The distribution is invented and not that of a real box."""


def laid(planet: str, goods: str) -> Line:
    """Return the line that sets out *goods* at a planet."""
    cards = [{"to": each[:2], "value": int(each[2:])} for each in goods.split()]
    return {"do": "goods", "planet": planet, "cards": cards}


def demo() -> tuple[Line, ...]:
    """Return the header of the demonstration game, and the lines up to its first flight."""
    return (
        HEADER,
        *(laid(planet, goods) for planet, goods in GOODS.items()),
        {"do": "choose", "player": "red", "take": "first"},
        {"do": "start", "player": "blue", "planet": "p4"},
        {"do": "load", "player": "red", "to": "p1"},
        {"do": "roll", "player": "red", "dice": [5]},
    )


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice game."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    told = practice(shown, where(state), TELLINGS.sentence, TELLINGS.explained)
    return Scene("hanse/practice.html", told | {"space": space(snapshot)}, PlayBar(""))
