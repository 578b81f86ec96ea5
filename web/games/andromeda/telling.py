"""History in sentences: one short one for each line of a record, names first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Line
from companion.games.andromeda.board import EXAMPLE, PLANETS
from companion.games.andromeda.state import KINDS
from web.games.andromeda.faces import counted, listed


class Words:
    """The names of one game: players by colour, planets by slot."""

    def __init__(self, header: Line) -> None:
        self._names = {player["colour"]: player["name"] for player in header["players"]}
        rows = header.get("board", {}).get("planets", ())
        self._labels = {planet.id: planet.label for planet in EXAMPLE.planets} | {
            row["id"]: row["label"] for row in rows
        }

    def name(self, colour: object) -> str:
        """Return the name of the player of *colour*."""
        return str(self._names.get(colour, colour))

    def planet(self, slot: object) -> str:
        """Return the table's word for a planet."""
        return str(self._labels.get(slot, slot))

    def card(self, card: object) -> str:
        """Return what a card laid for trading is called."""
        if card is None:
            return "a card"
        return (
            f"{_article(str(card))} {card} credit"
            if card in KINDS
            else f"{_article(self.planet(card))} {self.planet(card)} card"
        )

    def place(self, place: str) -> str:
        """Return what a place of a correction is called."""
        planet, _, slot = place.partition("/")
        if planet not in PLANETS:
            return "Earth"
        return f"a centre of {self.planet(planet)}" if slot else self.planet(planet)

    def set(self, line: Line) -> str:
        """Return a set that was played."""
        jokers = len(line.get("jokers", ()))
        cards = f"{line['cards']} {self.planet(line['planet'])}"
        return f"{cards} and {counted(jokers, 'joker')}" if jokers else cards


def tell(line: Line, header: Line) -> str:
    """Return one sentence for *line* of the game that *header* began."""
    teller = TELLERS.get(str(line.get("do")))
    return teller(line, Words(header)) if teller else str(line.get("do"))


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def _setup(line: Line, say: Words) -> str:
    return f"{say.name(line['player'])}'s set-up cards lie open"


def _transport(line: Line, say: Words) -> str:
    name = say.name(line["player"])
    if line["move"] == "pass":
        return f"{name} keeps the transport card"
    if line["move"] == "to_planet":
        return f"{name} transports from Earth to {say.planet(line['planet'])}"
    return f"{name} transports home from {say.planet(line['planet'])}"


def _move(line: Line, say: Words) -> str:
    moved = counted(line["stations"], "station")
    return f"{say.name(line['player'])} plays {say.set(line)} and moves {moved}"


def _correct(line: Line, say: Words) -> str:
    name = say.name(line["player"])
    if "move" in line:
        move: Mapping[str, Any] = line["move"]
        moved = counted(move["count"], "station")
        return f"{name}: {moved} put right, from {say.place(move['from'])} to {say.place(move['to'])}"
    if "bonus" in line:
        return f"{name}: {listed(line['bonus'])} credits put right"
    what = next(name for name in ("ship", "technology", "transport", "hand") if name in line)
    words = {"ship": "ship level", "technology": "technology level", "transport": "transport cards", "hand": "hand"}
    return f"{name}: {words[what]} put right, {line[what]} now"


def _double_exit(line: Line, say: Words) -> str:
    both = " and ".join(say.name(colour) for colour in line["colours"])
    if "out" in line:
        return f"Two at once, {both}: the lot chose {say.name(line['out'])}"
    return f"Two at once, {both}: both go back"


TELLERS: Mapping[str, Callable[[Line, Words], str]] = {
    "setup": _setup,
    "deal": lambda line, say: "The cards are dealt",
    "transport": _transport,
    "lay": lambda line, say: f"{say.name(line['player'])} lays {say.card(line['card'])}",
    "excuse": lambda line, say: f"{say.name(line['player'])} has no card to lay and sits out",
    "swap": lambda line, say: f"{say.name(line['player'])} swaps with {say.name(line['with'])}",
    "keep": lambda line, say: f"{say.name(line['player'])} keeps the new cards",
    "leave": lambda line, say: f"{say.name(line['player'])} leaves the new cards on the table",
    "take_back": lambda line, say: f"{say.name(line['player'])} takes the set back",
    "end_trading": lambda line, say: "The trading is done",
    "exchange": lambda line, say: f"{say.name(line['player'])} exchanges {counted(line['cards'], 'card')}",
    "move": _move,
    "establish": lambda line, say: f"{say.name(line['player'])} plays {say.set(line)} for a centre",
    "draw": lambda line, say: f"{say.name(line['colour'])}'s station comes out",
    "double_exit": _double_exit,
    "stop_drawing": lambda line, say: f"{say.name(line['player'])} stops drawing",
    "ship": lambda line, say: f"{say.name(line['player'])} plays {say.set(line)} for a bigger ship",
    "technology": lambda line, say: f"{say.name(line['player'])} plays {say.set(line)} for technology",
    "end_turn": lambda line, say: f"{say.name(line['player'])} ends the turn",
    "correct": _correct,
}
