"""The species, technologies and missions that players typed in from their copy. They are offered in the next game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.wreck.cards import VACCINE, card_from, card_json, species_from, species_json
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line

MOST = {"species": 20, "technologies": 20, "missions": 60}
"""The largest number of stored cards of each kind, more than a box contains. The oldest are dropped first."""


class Box:
    """The cards of one copy that players have typed in."""

    def of(self, header: Line) -> Line | None:
        """Return None: the cards in a header are added to the known cards by `learnt`, as for any other line."""
        return None

    def invented(self, header: Line) -> bool:
        """Return False: this program invents no values that give points."""
        return False

    def checked(self, value: object) -> Line:
        """Return *value* as it is stored with a copy, or raise `Malformed`."""
        fields = Fields(value, "board")
        species = [species_json(species_from(each, "board.species")) for each in fields.list("species", [])]
        technologies = fields.texts("technologies") if fields.has("technologies") else ()
        missions = [card_json(card_from(each, "board.missions")) for each in fields.list("missions", [])]
        fields.nothing_else()
        return _kept(species, technologies, [each for each in missions if each is not None])

    def learnt(self, board: Line | None, line: Line) -> Line | None:
        """Return *board* with the cards in *line* (which may be a header) added. Cards without a name are ignored."""
        known = self.checked(board or {})
        species = [row["species"] for row in line.get("players", ()) if row.get("species", {}).get("name")]
        named = [each["name"] for each in line.get("technologies", ()) if each.get("id") not in ("teleporter", VACCINE)]
        card = line.get("card")
        missions = [card] if isinstance(card, dict) and card.get("name") else []
        try:
            more = self.checked({"species": species, "technologies": list(filter(None, named)), "missions": missions})
        except Malformed:
            return board
        merged = {name: _merged(known.get(name, ()), more.get(name, ()), most) for name, most in MOST.items()}
        return _kept(merged["species"], merged["technologies"], merged["missions"]) or board


BOX = Box()


def _merged(known: Iterable[Any], more: Iterable[Any], most: int) -> list[Any]:
    """Return the last *most* cards of *known* and *more*.

    If several cards have the same name, only the newest is included.
    """
    by_name = {_name(each): each for each in known}
    for each in more:
        by_name.pop(_name(each), None)
        by_name[_name(each)] = each
    return list(by_name.values())[-most:]


def _name(each: Any) -> str:
    return each if isinstance(each, str) else str(each["name"])


def _kept(species: Iterable[Line], technologies: Iterable[str], missions: Iterable[Line]) -> Line:
    made = {"species": list(species), "technologies": list(technologies), "missions": list(missions)}
    return {name: values for name, values in made.items() if values}
