"""The board of one copy of the game: seven planets, and the values that are printed on their centres."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.said import said

PLANETS = ("p1", "p2", "p3", "p4", "p5", "p6", "p7")
CENTRES = 3
LEAST_VALUE, GREATEST_VALUE = 1, 99
USUAL_VALUES = range(4, 15)
"""The range of printed values in reviews of the game. The page asks for confirmation of a value outside this range."""

_EXAMPLE = (
    ("Ringed", said("Ringworld"), (9, 7, 5)),
    ("Twin", said("Twins"), (8, 6, 4)),
    ("Striped", said("Stripes"), (11, 8, 5)),
    ("Cratered", said("Craters"), (12, 9, 6)),
    ("Crescent", said("Crescent"), (10, 7, 4)),
    ("Frosted", said("Frost"), (13, 9, 5)),
    ("Spiral", said("Spiral"), (14, 10, 6)),
)
"""For each planet: its label in records (which never changes), its label on pages, and the values of its centres."""
_SHIPPED = {name: label for recorded, label, _ in _EXAMPLE for name in (recorded, str(label))}
_RECORDED = {str(label): recorded for recorded, label, _ in _EXAMPLE}


@dataclass(frozen=True, slots=True)
class Planet:
    """One planet: its slot `p1` to `p7`, the players' label for it, and the values of its centres in printed order."""

    id: str
    label: str
    centres: tuple[int, ...]
    symbol: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """Seven planets in the order of their slots.

    *example* says that the values are the invented ones of the example board.
    """

    planets: tuple[Planet, ...]
    example: bool = False

    def planet(self, id: str) -> Planet:
        """Return the planet of slot *id* (`p1` to `p7`)."""
        return self.planets[PLANETS.index(id)]


EXAMPLE = Board(
    tuple(Planet(id, label, centres) for id, (_, label, centres) in zip(PLANETS, _EXAMPLE, strict=True)), example=True
)
"""The board of this program. Its values are invented; pages with points say so."""


def board_from(value: object) -> Board:
    """Parse *value* as the board in a record's header. Raises `Malformed`, which names the wrong planet."""
    fields = Fields(value, "board")
    rows = fields.list("planets")
    fields.nothing_else()
    found: dict[str, Planet] = {}
    for index, row in enumerate(rows):
        planet = _planet_from(row, f"board.planets[{index}]")
        if planet.id in found:
            raise Malformed(said("board: planet %(planet)s appears twice", planet=planet.id))
        found[planet.id] = planet
    if len(found) != len(PLANETS):
        missing = ", ".join(id for id in PLANETS if id not in found)
        raise Malformed(said("board: missing planets: %(planets)s", planets=missing))
    planets = tuple(found[id] for id in PLANETS)
    return Board(planets, example=_same_values(planets))


def shown_label(label: str) -> str:
    """Return a planet's *label* for a page. Labels of this program can be translated, labels of the players can't."""
    return _SHIPPED.get(label, label)


def recorded_label(label: str) -> str:
    """Return a planet's *label* as it is in a record. This is the inverse of `shown_label`."""
    return _RECORDED.get(label, str(label))


def board_json(board: Board) -> Mapping[str, object]:
    """Return *board* in the format of a record's header. This is the inverse of `board_from`."""
    return {"planets": [_planet_json(planet) for planet in board.planets]}


def _planet_from(value: object, where: str) -> Planet:
    fields = Fields(value, where)
    id = fields.word("id", PLANETS)
    label = shown_label(fields.text("label"))
    centres = tuple(fields.whole_numbers("centres", LEAST_VALUE, GREATEST_VALUE))
    symbol = fields.text("symbol", default="")
    colour = fields.text("colour", default="")
    fields.nothing_else()
    if len(centres) != CENTRES:
        raise Malformed(
            said("%(where)s.centres must have three values, not %(count)s", where=where, count=len(centres))
        )
    return Planet(id, label, centres, symbol, colour)


def _planet_json(planet: Planet) -> dict[str, object]:
    row: dict[str, object] = {"id": planet.id, "label": recorded_label(planet.label), "centres": list(planet.centres)}
    if planet.symbol:
        row["symbol"] = planet.symbol
    if planet.colour:
        row["colour"] = planet.colour
    return row


def _same_values(planets: tuple[Planet, ...]) -> bool:
    """Return whether these are the invented values, which means that nobody has entered a real board."""
    return all(planet.centres == example.centres for planet, example in zip(planets, EXAMPLE.planets, strict=True))


class PrintedValues:
    """The values printed on the centres. They differ between copies, so the board is stored with the copy."""

    def of(self, header: Line) -> Line | None:
        """Return the board in *header*, or None if it has none, so that the example board is used."""
        board: Line | None = header.get("board")
        return board

    def invented(self, header: Line) -> bool:
        """Return whether the values of the board in *header* are invented."""
        board = self.of(header)
        return board is None or board_from(board).example

    def checked(self, value: object) -> Line:
        """Return *value* in the format of a header, or raise `Malformed`, which names the wrong planet."""
        return board_json(board_from(value))

    def learnt(self, board: Line | None, line: Line) -> Line | None:
        """Return *board* unchanged, since all its values are known before a game."""
        return board


BOARD = PrintedValues()
