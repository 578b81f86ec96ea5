"""The parts that headers of all games have in common: the players, and the fields of the record itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.names import name_fault, odd_character
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.model.game import Seat

SHARED = frozenset({"record", "version", "game", "at", "via", "note", "sealed", "id", "started", "ended"})
"""Header fields that `companion.records` checks, not the game."""
LONGEST_TEXT = 200
"""The maximum length of a text in an imported header, in characters."""
_SEEDS = (-(2**63), 2**63)
YES_OR_NO = (("off", said("No")), ("on", said("Yes")))
"""The answers of a ruling that is usually off."""


@dataclass(frozen=True)
class Ruling:
    """An option of the rules. It has a name in the header, a question, and answers, the usual one first.

    If *flag* is true, the header has a boolean instead of a word, and the answers are `on` and `off`.
    """

    name: str
    asks: Said
    ways: tuple[tuple[str, Said], ...] = YES_OR_NO
    flag: bool = False

    @property
    def usual(self) -> str:
        """The word of the usual answer."""
        return self.ways[0][0]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all answers."""
        return tuple(word for word, _ in self.ways)

    @property
    def sentences(self) -> bool:
        """Whether the answers are sentences, not just yes and no."""
        return self.ways is not YES_OR_NO

    def written(self, word: str) -> str | bool:
        """Return the header's value for the answer *word*; `word_of` is the inverse."""
        return word == "on" if self.flag else word


def word_of(value: str | bool) -> str:
    """Return the answer that a header stores as *value*."""
    return value if isinstance(value, str) else "on" if value else "off"


def yes_or_no(name: str, asks: Said) -> Ruling:
    """Return a ruling that is answered with no or yes; no is the usual answer."""
    return Ruling(name, asks, flag=True)


@dataclass(frozen=True)
class HeaderFields:
    """The fields that a game adds to its headers: the possible numbers of players, the first player, and the rulings.

    *first* is the name of the field for the first player, empty if the game has none.
    """

    game: str
    counts: tuple[int, ...]
    first: str = ""
    rulings: tuple[Ruling, ...] = ()


def own_fields(header: Line) -> Fields:
    """Return the fields of *header* that belong to the game."""
    return Fields({name: value for name, value in header.items() if name not in SHARED})


def pass_over_seed(fields: Fields) -> None:
    """Check the optional `seed` of a header. It isn't used: a replay needs no seed."""
    if fields.has("seed"):
        fields.whole("seed", *_SEEDS)


def seat_from(fields: Fields) -> Seat:
    """Return the seat with the colour and name in *fields*, or raise `Malformed`."""
    return Seat(fields.text("colour"), fields.text("name"))


def check_texts(header: Line) -> None:
    """Raise `Malformed` if an imported *header* has a text that can't be shown.

    This checks the names of colours, places and cards.

    Players' names are not checked here but by `check_names`, and a note may have any text.
    """
    for name, value in header.items():
        if name == "players":
            for at, player in enumerate(value):
                _check_text(f"players[{at}]", {field: each for field, each in player.items() if field != "name"})
        elif name != "note":
            _check_text(name, value)


def _check_text(where: str, value: object) -> None:
    match value:
        case str() if (odd := odd_character(value)) is not None:
            raise Malformed(said("%(field)s can't have the character %(character)s", field=where, character=odd))
        case str() if len(value) > LONGEST_TEXT:
            raise Malformed(said("%(where)s: a text has up to %(most)s letters", where=where, most=LONGEST_TEXT))
        case Mapping():
            for name, each in value.items():
                _check_text(where, name)
                _check_text(f"{where}.{name}", each)
        case list() | tuple():
            for at, each in enumerate(value):
                _check_text(f"{where}[{at}]", each)
        case _:
            return


def check_names(seats: Iterable[Seat]) -> None:
    """Raise `Malformed` if a player's name isn't allowed (`companion.kernel.names`).

    This is for new headers. When headers are read from a ledger, their names are not checked.
    """
    for at, seat in enumerate(seats):
        if (fault := name_fault(seat.name)) is not None:
            raise Malformed(said("%(where)s: %(why)s", where=f"players[{at}].name", why=fault))


def rows(fields: Fields, name: str) -> tuple[Fields, ...]:
    """Return the JSON objects in the list *name*, each as `Fields`."""
    return tuple(Fields(row, f"{fields.where(name)}[{at}]") for at, row in enumerate(fields.list(name)))


def seats_from(fields: Fields) -> tuple[Seat, ...]:
    """Return the players of a header, clockwise. Each may have a colour and a name, and no other field."""
    found = []
    for row in rows(fields, "players"):
        found.append(seat_from(row))
        row.nothing_else()
    return tuple(found)


def colours_of(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Return the colours of *seats*, or raise `Malformed` if two are the same."""
    colours = tuple(seat.colour for seat in seats)
    if len(set(colours)) != len(colours):
        raise Malformed(said("players: each player needs their own colour"))
    return colours
