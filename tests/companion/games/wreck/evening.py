"""A game of the wreck for tests: every method adds a line to the record, and the real rules are applied."""

from __future__ import annotations

from typing import Any, Self

from companion.games.wreck import Phase, State
from companion.games.wreck.control import controller
from companion.games.wreck.dice import SYMBOLS, symbols_of
from companion.games.wreck.state import Player, own
from companion.kernel.fields import Line
from tests.companion.games.told import Told

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Ana", "Ben", "Cem", "Dora")
LAYOUTS = {2: 7, 3: 9, 4: 9}
CROSS = [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, -1], [2, 0], [-2, 0]]
SPECIES: Line = {"name": "Example", "aboard": 3, "trained": 4}
ALTAR = {"name": "Altar", "per_kp": 2}
TECHNOLOGIES = [{"id": id, "name": ""} for id in ("teleporter", "vaccine", "t3", "t4")]
USUAL = {2: (2, 1, 1, 1, 1, 1), 3: (2, 2, 2, 2, 1, 1), 4: (3, 2, 2, 2, 2, 2)}
"""The usual roll by number of players, as a count of each symbol."""
MISSION = {"name": "Example mission", "kp": 2, "sacrifice": 1}


def header(players: int = 2, options: Line | None = None, red: Line = SPECIES) -> dict[str, Any]:
    """Return a header for *players*: three researchers aboard and four trained each, with the tiles in a cross."""
    rows: list[dict[str, Any]]
    rows = [{"colour": each, "name": name, "species": SPECIES} for each, name in zip(COLOURS, NAMES, strict=True)]
    rows[0]["species"] = red
    made = {"first": "red", "options": options or {}, "players": rows[:players], "layout": CROSS[: LAYOUTS[players]]}
    return {"record": "table-record", "version": 1, "game": "wreck", **made, "technologies": TECHNOLOGIES}


class Evening(Told[State]):
    """A game; each method plays lines and returns the game itself."""

    def __init__(self, players: int = 2, options: Line | None = None, red: Line = SPECIES, **others: Any) -> None:
        super().__init__({**header(players, options, red), **others})

    @classmethod
    def with_a_place(cls) -> Self:
        """Return a game of two players in which red's species has a place of its own."""
        return cls(red={**SPECIES, "place": ALTAR})

    @property
    def players(self) -> dict[str, Player]:
        """The players by colour."""
        return dict(self.game.players)

    def room(self, name: str) -> dict[str, Any]:
        """Return an open room's part of the final state."""
        return next(each for each in self.view["rooms"] if each["room"] == name)

    def refused(self, do: str, **fields: Any) -> str:
        """Return the sentence with which the rules refuse a line."""
        return self.refusal(do, **fields)

    # several lines at once

    def rolled(self, dice: tuple[int, ...] | None = None) -> Self:
        """Open a mission without entering its card, and roll."""
        if self.game.open_due:
            self.do("open", card=None)
        shown = symbols_of(dice or USUAL[len(self.game.colours)])
        return self.do("roll", player=self.game.starter, dice=list(shown))

    def in_turns(self) -> Self:
        """Play up to the first turn: everybody takes their own offer of one die, so order cards follow the seats."""
        if self.game.phase is not Phase.OFFERS:
            self.rolled()
        while self.game.phase is Phase.OFFERS:
            offerer = self.game.offerer
            self.do("offer", player=offerer, dice=[symbols_of(self.game.pool)[0]])
            while self.game.offer is not None and not self.game.offer.forced:
                self.do("decline", player=self.game.offer.asked)
            self.do("accept", player=offerer, die=None)
        return self

    def turn_of(self, colour: str) -> Self:
        """End turns until it is *colour*'s turn."""
        while self.game.turn != colour:
            self.holding(self.game.turn).do("end_turn", player=self.game.turn)
        return self

    def round_over(self) -> Self:
        """Play the rest of this round with as few actions as the rules allow."""
        if self.game.phase is not Phase.TURNS:
            self.in_turns()
        while self.game.phase is Phase.TURNS:
            self.holding(self.game.turn).do("end_turn", player=self.game.turn)
        return self

    # set up a situation by corrections

    def effect(self, *effects: Line) -> Self:
        """Apply *effects* by a correction."""
        return self.do("correct", player=self.game.colours[0], reason="so it is here", effects=list(effects))

    def holding(self, colour: str, **dice: int) -> Self:
        """Give *colour* exactly these dice, taking dice from other players if there are not enough."""
        held, wanted = self.players[colour].dice, tuple(dice.get(symbol, 0) for symbol in SYMBOLS)
        gone = [
            (colour, symbol)
            for symbol, have, want in zip(SYMBOLS, held, wanted, strict=True)
            for _ in range(have - want)
        ]
        others = [
            (each, die) for each in self.game.colours if each != colour for die in symbols_of(self.players[each].dice)
        ]
        free = self.game.setting.dice - sum(sum(player.dice) for player in self.players.values()) + len(gone)
        more = [symbol for symbol, have, want in zip(SYMBOLS, held, wanted, strict=True) for _ in range(want - have)]
        gone += others[: max(0, len(more) - free)]
        changes = [{"what": "die", "colour": each, "from": symbol, "to": None} for each, symbol in gone]
        changes += [{"what": "die", "colour": colour, "from": None, "to": symbol} for symbol in more]
        return self.effect(*changes) if changes else self

    def opened(self, *rooms: str) -> Self:
        """Open the next closed tiles with these rooms."""
        closed = [each["cell"] for each in self.view["rooms"] if each["room"] is None]
        found = zip(closed, rooms, strict=False)
        return self.effect(*({"what": "explore", "cell": cell, "room": room} for cell, room in found))

    def standing(self, room: str, **counts: int) -> Self:
        """Put exactly these researchers in *room*, and the others into the supply."""
        for colour in self.game.colours:
            more = counts.get(colour, 0) - own(self.game, colour, room)
            places = ("supply", room) if more > 0 else (room, "supply")
            if more:
                self.effect(_moved(colour, *places, abs(more)))
        return self

    def controller(self, room: str) -> str | None:
        """Return the player who controls *room*."""
        return controller(self.game, room)


def _moved(colour: str, source: str, target: str, count: int) -> Line:
    return {"what": "researchers", "colour": colour, "from": source, "to": target, "count": count}
