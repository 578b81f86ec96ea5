"""The set that is being picked. It is stored in the query of the page's URL, and makes the line that plays the set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.andromeda.actions import stations_moved
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.draws import draws_for
from companion.games.andromeda.state import EARNED_BY, KINDS, LARGEST_SET, State
from web.components.addresses import number, to, words

MOST_JOKERS = LARGEST_SET - 1


@dataclass(frozen=True)
class Pick:
    """The cards that have been picked for a set so far."""

    action: str
    seat: str
    planet: str = ""
    cards: int = 0
    jokers: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of cards, jokers included."""
        return self.cards + len(self.jokers)

    @property
    def earned(self) -> str:
        """The kind of credit that a set of this size without jokers earns, or ""."""
        return "" if self.jokers else EARNED_BY.get(self.cards, "")

    def line(self, **more: Any) -> dict[str, Any]:
        """Return the line that plays the set, with the fields *more* added."""
        base = {"do": self.action, "player": self.seat, "planet": self.planet, "cards": self.cards}
        return base | ({"jokers": list(self.jokers)} if self.jokers else {}) | more

    def address(self, **changes: Any) -> str:
        """Return the URL of the same pick with *changes*."""
        after = replace(self, **changes)
        query = {"planet": after.planet, "cards": after.cards or "", "jokers": ",".join(after.jokers)}
        return to(f"act/{after.action}", **query)


def pick_from(state: State, action: str, query: Mapping[str, str]) -> Pick:
    """Parse the pick in *query*, ignoring values that are not valid."""
    planet = query.get("planet", "")
    jokers = words(query, "jokers", KINDS, MOST_JOKERS)
    cards = number(query, "cards", 1, LARGEST_SET) or 0
    return Pick(action, state.turn, planet if planet in PLANETS else "", cards, jokers)


def does_of(state: State, pick: Pick) -> int:
    """Return how many draws or stations the set gives; 0 if the set is for a track."""
    if pick.action == "establish":
        return draws_for(state, pick.seat, pick.size)
    if pick.action == "move":
        return stations_moved(state, pick.seat, pick.size)
    return 0
