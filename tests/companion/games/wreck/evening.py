"""An evening at the table in the table's words: every deed is a line of a record, played by the real rules."""

from __future__ import annotations

from typing import Any, Self

from companion.games.wreck import Phase, State
from companion.games.wreck.control import controller
from companion.games.wreck.dice import SYMBOLS, symbols_of
from companion.games.wreck.state import Player, own
from companion.kernel.validation import Line
from tests.companion.games.told import Told

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Ana", "Ben", "Cem", "Dora")
LAYOUTS = {2: 7, 3: 9, 4: 9}
CROSS = [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, -1], [2, 0], [-2, 0]]
SPECIES: Line = {"name": "Example", "aboard": 3, "trained": 4}
ALTAR = {"name": "Altar", "per_kp": 2}
TECHNOLOGIES = [{"id": id, "name": ""} for id in ("teleporter", "vaccine", "t3", "t4")]
USUAL = {2: (2, 1, 1, 1, 1, 1), 3: (2, 2, 2, 2, 1, 1), 4: (3, 2, 2, 2, 2, 2)}
"""The roll of a usual evening, a count for each symbol."""
MISSION = {"name": "Example mission", "kp": 2, "sacrifice": 1}


def header(players: int = 2, options: Line | None = None, red: Line = SPECIES) -> dict[str, Any]:
    """Return a header for so many: three researchers aboard each, four trained, the tiles in a cross."""
    rows: list[dict[str, Any]]
    rows = [{"colour": each, "name": name, "species": SPECIES} for each, name in zip(COLOURS, NAMES, strict=True)]
    rows[0]["species"] = red
    made = {"first": "red", "options": options or {}, "players": rows[:players], "layout": CROSS[: LAYOUTS[players]]}
    return {"record": "table-record", "version": 1, "game": "wreck", **made, "technologies": TECHNOLOGIES}


class Evening(Told[State]):
    """One game; each deed plays a line and hands itself on."""

    def __init__(self, players: int = 2, options: Line | None = None, red: Line = SPECIES, **others: Any) -> None:
        super().__init__({**header(players, options, red), **others})

    @classmethod
    def with_a_place(cls) -> Self:
        """Return an evening of two in which red's species has a place of its own."""
        return cls(red={**SPECIES, "place": ALTAR})

    @property
    def players(self) -> dict[str, Player]:
        """The players by colour."""
        return dict(self.game.players)

    def room(self, name: str) -> dict[str, Any]:
        """Return what the final state says of an open room."""
        return next(each for each in self.view["rooms"] if each["room"] == name)

    def refused(self, do: str, **fields: Any) -> str:
        """Return the sentence by which the rules refuse a line."""
        return self.refusal(do, **fields)

    # strides

    def rolled(self, dice: tuple[int, ...] | None = None) -> Self:
        """Open a mission that nobody enters, and roll."""
        if self.game.open_due:
            self.do("open", card=None)
        shown = symbols_of(dice or USUAL[len(self.game.colours)])
        return self.do("roll", player=self.game.starter, dice=list(shown))

    def in_turns(self) -> Self:
        """Go on to the first turn: everybody takes their own offer of one die, so that cards go round in seat order."""
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
        """End turns until it is that of *colour*."""
        while self.game.turn != colour:
            self.holding(self.game.turn).do("end_turn", player=self.game.turn)
        return self

    def round_over(self) -> Self:
        """Play what is left of this round as idly as the rules allow."""
        if self.game.phase is not Phase.TURNS:
            self.in_turns()
        while self.game.phase is Phase.TURNS:
            self.holding(self.game.turn).do("end_turn", player=self.game.turn)
        return self

    # how things stand

    def effect(self, *effects: Line) -> Self:
        """See to it that things stand so."""
        return self.do("correct", player=self.game.colours[0], reason="so it is here", effects=list(effects))

    def holding(self, colour: str, **dice: int) -> Self:
        """See to it that *colour* holds exactly these dice; others give up theirs where they are wanted."""
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
        """See to it that the next closed tiles show these rooms."""
        closed = [each["cell"] for each in self.view["rooms"] if each["room"] is None]
        found = zip(closed, rooms, strict=False)
        return self.effect(*({"what": "explore", "cell": cell, "room": room} for cell, room in found))

    def standing(self, room: str, **counts: int) -> Self:
        """See to it that exactly these researchers are in *room*; the others are in the supply."""
        for colour in self.game.colours:
            more = counts.get(colour, 0) - own(self.game, colour, room)
            places = ("supply", room) if more > 0 else (room, "supply")
            if more:
                self.effect(_moved(colour, *places, abs(more)))
        return self

    def controller(self, room: str) -> str | None:
        """Return who controls *room*."""
        return controller(self.game, room)


def _moved(colour: str, source: str, target: str, count: int) -> Line:
    return {"what": "researchers", "colour": colour, "from": source, "to": target, "count": count}
