"""Players as pages show them: a colour with its shape, a name, and a unique letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase

from companion.model.game import Seat
from web.http.formatting import listed, named

__all__ = ["Face", "faces", "listed", "piece"]


@dataclass(frozen=True)
class Face:
    """A player on a page."""

    colour: str
    name: str
    letter: str

    @property
    def whole(self) -> str:
        """Name and colour, for screen readers."""
        return f"{self.name}, {named(self.colour)}"


def faces(seats: Iterable[Seat]) -> Mapping[str, Face]:
    """Return a `Face` for each seat, by colour and in seat order. All letters are different."""
    return _faces(tuple(seats))


@lru_cache(maxsize=64)  # a page asks for the same seats up to 18 times
def _faces(seats: tuple[Seat, ...]) -> Mapping[str, Face]:
    taken: dict[str, Face] = {}
    letters: set[str] = set()
    for seat in seats:
        letter = _letter(seat.name, letters)
        letters.add(letter)
        taken[seat.colour] = Face(seat.colour, seat.name, letter)
    return taken


SHAPED = ("red", "yellow", "green", "blue", "black", "white", "orange", "purple", "brown", "grey", "pink", "wood")
"""The colours with a shape of their own. Any other colour is shown by its first letter."""


def piece(colour: str) -> Face:
    """Return the `Face` of a piece that belongs to no player, such as a cube from a bag."""
    word = named(colour)
    return Face(colour, word, "" if colour in SHAPED else word[:1].upper())


def _letter(name: str, taken: set[str]) -> str:
    """Return the first letter of *name* that isn't taken yet, so that a second Ben gets another letter."""
    own = [sign for sign in name.upper() if sign.isalnum()]
    return next((sign for sign in (*own, *ascii_uppercase) if sign not in taken), "?")
