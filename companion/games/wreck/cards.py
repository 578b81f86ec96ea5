"""The values that players type in from their cards. This program doesn't know what else is printed on the cards."""

from __future__ import annotations

from companion.kernel.fields import Fields, Line
from companion.kernel.values import dataclass

MOST_KP, MOST_SACRIFICED = 9, 2
RESEARCHERS, TELEPORTERS = 16, 3
TELEPORTER, VACCINE = "teleporter", "vaccine"
TECHNOLOGIES = 4
GENERAL = ("g1", "g2", "g3", "g4", "g5", "g6", "g7")
"""The general missions, in the order in which they are opened."""
PERSONAL = "personal"
MISSION_CARDS = 30


@dataclass(frozen=True)
class Card:
    """A mission: its name, its KP, and how many researchers it costs."""

    name: str
    kp: int
    sacrifice: int


@dataclass(frozen=True)
class Altar:
    """A species' own place for researchers: its name, and the number of researchers there that are worth 1 KP."""

    name: str
    per_kp: int


@dataclass(frozen=True)
class Species:
    """A species: its name, how many researchers start aboard and how many trained, and its own place if it has one."""

    name: str
    aboard: int
    trained: int
    place: Altar | None = None


@dataclass(frozen=True)
class OpenTechnology:
    """One of the open technologies. Its name is empty if nobody has entered the card."""

    id: str
    name: str


def card_from(value: object, where: str) -> Card | None:
    """Parse *value* as a mission, or raise `Malformed`. If nobody has entered the mission, *value* is null.

    >>> card_from({"name": "First contact", "kp": 2, "sacrifice": 1}, "card")
    Card(name='First contact', kp=2, sacrifice=1)
    """
    if value is None:
        return None
    fields = Fields(value, where)
    name = fields.text("name", empty=True)
    card = Card(name, fields.whole("kp", 0, MOST_KP), fields.whole("sacrifice", 0, MOST_SACRIFICED))
    fields.nothing_else()
    return card


def card_json(card: Card | None) -> Line | None:
    """Return *card* in the format of a record. This is the inverse of `card_from`."""
    return None if card is None else {"name": card.name, "kp": card.kp, "sacrifice": card.sacrifice}


def species_from(value: object, where: str) -> Species:
    """Parse *value* as a species, or raise `Malformed`."""
    fields = Fields(value, where)
    name, aboard = fields.text("name", empty=True), fields.whole("aboard", 0, RESEARCHERS)
    trained = fields.whole("trained", 0, RESEARCHERS - aboard)
    place = _altar(fields.take("place"), f"{where}.place") if fields.has("place") else None
    fields.nothing_else()
    return Species(name, aboard, trained, place)


def species_json(species: Species) -> Line:
    """Return *species* in the format of a header. This is the inverse of `species_from`."""
    line: dict[str, object] = {"name": species.name, "aboard": species.aboard, "trained": species.trained}
    if species.place is not None:
        line["place"] = {"name": species.place.name, "per_kp": species.place.per_kp}
    return line


def _altar(value: object, where: str) -> Altar:
    fields = Fields(value, where)
    altar = Altar(fields.text("name", empty=True), fields.whole("per_kp", 1, RESEARCHERS))
    fields.nothing_else()
    return altar
