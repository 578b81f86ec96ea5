"""A game of Die Kosmische Hanse for tests: every method adds a line to the record; the real rules are applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from companion.games.hanse import State
from companion.games.hanse.state import Player
from companion.kernel.fields import Line
from tests.companion.games.told import Told

GOODS = {
    "p1": "p22 p23 p32 p43 p62",
    "p2": "p13 p32 p33 p52 p63",
    "p3": "p12 p22 p43 p53 p62",
    "p4": "p12 p13 p22 p52 p63",
    "p5": "p13 p23 p32 p42 p43",
    "p6": "p22 p33 p42 p53 p52",
}
"""The goods of a usual game: each card has its planet, then its value."""


def side(text: str) -> dict[str, Any]:
    """Return the side for *text*: `p22` is for the second planet and worth 2."""
    return {"to": text[:2], "value": int(text[2:])}


def sides(text: str) -> list[dict[str, Any]]:
    """Return the sides in *text*, separated by blanks."""
    return [side(each) for each in text.split()]


def cards(text: str) -> list[dict[str, Any]]:
    """Return the goods cards in *text*: `p22<p43` shows `p22` and has `p43` on its back."""
    found = []
    for each in text.split():
        seen, _, back = each.partition("<")
        found.append({**side(seen), "back": side(back) if back else None})
    return found


class Voyage(Told[State]):
    """A game in progress."""

    def __init__(self, options: Line | None = None, younger: str = "red") -> None:
        """Start a game before its set-up."""
        seats = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}]
        header: dict[str, Any] = {"record": "table-record", "version": 1, "game": "hanse", "players": seats}
        header |= {"younger": younger, **({"options": options} if options else {})}
        super().__init__(header)

    def broken(self) -> tuple[str, ...]:
        """Return the broken invariants, except invariants of goods cards, which corrections may add and remove."""
        return tuple(fault for fault in super().broken() if "goods cards are in the game" not in fault)

    def __call__(self, player: str, do: str, **fields: Any) -> Self:
        """Play one line for *player*."""
        return self.do(do, player=player, **fields)

    def refused(self, player: str | None, do: str, **fields: Any) -> str:
        """Return the sentence with which the rules refuse a line, after checking that nothing changed."""
        return self.refusal(do, **({} if player is None else {"player": player}), **fields)

    @property
    def players(self) -> Mapping[str, Player]:
        """The players by colour."""
        return self.game.players

    @property
    def turn(self) -> dict[str, Any]:
        """The turn's remaining budget."""
        return self.view["turn"]

    def set_out(self) -> Self:
        """Put the usual goods on every planet."""
        for planet, goods in GOODS.items():
            self.do("goods", planet=planet, cards=sides(goods))
        return self

    def begun(self, planet: str = "p3") -> Self:
        """Play up to Ana's first turn, with both ships on *planet*."""
        return self.set_out()("red", "choose", take="first")("blue", "start", planet=planet)

    def correct(self, player: str = "red", **what: Any) -> Self:
        """Correct the state manually."""
        return self(player, "correct", reason="as it is on the table", **what)

    def at(self, place: str, player: str = "red") -> Self:
        """Put a ship at *place* by a correction."""
        return self.correct(player, place=place)

    def owning(self, player: str = "red", **technologies: int) -> Self:
        """Give *player* these open technologies by a correction."""
        return self.correct(player, technologies=technologies)

    def carrying(self, goods: str, container: int = 0, player: str = "red") -> Self:
        """Put *goods* into a container by a correction."""
        return self.correct(player, container={"index": container, "cards": cards(goods)})

    def bare(self, *planets: str) -> Self:
        """Remove all goods from *planets*, or from all planets, by a correction."""
        return self.correct(goods={planet: [] for planet in planets or GOODS})

    def rolled(self, *dice: int) -> Self:
        """Let Ana roll."""
        return self("red", "roll", dice=list(dice))

    def fly(self, *places: str) -> Self:
        """Let Ana fly from place to place."""
        for place in places:
            self("red", "fly", to=place)
        return self

    def played(self, card: str, **choices: Any) -> Self:
        """Let Ana play an intervention, and Ben allow it."""
        return self("red", "intervene", card=card, **choices)("blue", "allow")
