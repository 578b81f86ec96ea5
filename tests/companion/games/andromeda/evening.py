"""A game of Andromeda for tests: every method adds a line to the record, and the real rules are applied."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

from companion.games.andromeda import PLANETS, Phase, State
from companion.games.andromeda.state import Player
from companion.kernel.fields import Line
from tests.companion.games.told import Told

COLOURS = ("red", "blue", "green", "yellow", "black")
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli")
ONE_EACH = dict.fromkeys(PLANETS[:6], 1)
SHOWN = {3: ONE_EACH, 4: {**dict.fromkeys(PLANETS, 1), "p1": 2, "p2": 2}, 5: ONE_EACH}
"""Set-up cards that every player usually gets in these tests, by number of players."""


class Deeds(ABC):
    """A method for each line of a record; subclasses decide what happens with the line."""

    @abstractmethod
    def do(self, do: str, **fields: Any) -> Any:
        """Do one line."""

    def set_up(self, player: str, **cards: int) -> Any:
        """Place a player's set-up cards."""
        return self.do("setup", player=player, cards=cards)

    def deal(self) -> Any:
        """Fill all hands."""
        return self.do("deal")

    def to_planet(self, player: str, planet: str) -> Any:
        """Transport two stations from Earth."""
        return self.do("transport", player=player, move="to_planet", planet=planet)

    def to_earth(self, player: str, planet: str) -> Any:
        """Transport every station on a planet home."""
        return self.do("transport", player=player, move="to_earth", planet=planet)

    def no_transport(self, player: str) -> Any:
        """Pass in the transport phase."""
        return self.do("transport", player=player, move="pass")

    def lay(self, player: str, card: str | None = None) -> Any:
        """Lay a card for trading; None stands for an unnamed card."""
        return self.do("lay", player=player, card=card)

    def excuse(self, player: str) -> Any:
        """Show a hand without a legal card."""
        return self.do("excuse", player=player)

    def swap(self, player: str, partner: str) -> Any:
        """Swap whole sets."""
        return self.do("swap", player=player, **{"with": partner})

    def keep(self, player: str) -> Any:
        """Take the new cards into the hand."""
        return self.do("keep", player=player)

    def leave(self, player: str) -> Any:
        """Leave the new cards on the table."""
        return self.do("leave", player=player)

    def take_back(self, player: str) -> Any:
        """Take the player's own set back."""
        return self.do("take_back", player=player)

    def end_trading(self) -> Any:
        """End unrecorded trading."""
        return self.do("end_trading")

    def exchange(self, player: str, cards: int = 1) -> Any:
        """Exchange cards with the supply."""
        return self.do("exchange", player=player, cards=cards)

    def move(self, player: str, planet: str, cards: int, stations: int = 0, **more: Any) -> Any:
        """Play a set to move stations."""
        return self.do("move", player=player, planet=planet, cards=cards, stations=stations, **more)

    def establish(self, player: str, planet: str, cards: int, **more: Any) -> Any:
        """Play a set to try for a centre by drawing with the ring."""
        return self.do("establish", player=player, planet=planet, cards=cards, **more)

    def draw(self, colour: str) -> Any:
        """Let one station out of the ring."""
        return self.do("draw", colour=colour)

    def double_exit(self, one: str, other: str, **out: str) -> Any:
        """Let two stations out of the ring at once."""
        return self.do("double_exit", colours=[one, other], **out)

    def stop_drawing(self, player: str) -> Any:
        """Give up the remaining draws."""
        return self.do("stop_drawing", player=player)

    def ship(self, player: str, planet: str, cards: int, **more: Any) -> Any:
        """Play a set for the ship."""
        return self.do("ship", player=player, planet=planet, cards=cards, **more)

    def technology(self, player: str, planet: str, cards: int, **more: Any) -> Any:
        """Play a set for technology."""
        return self.do("technology", player=player, planet=planet, cards=cards, **more)

    def end_turn(self, player: str) -> Any:
        """End the turn."""
        return self.do("end_turn", player=player)

    def correct(self, player: str, **what: Any) -> Any:
        """Correct the state manually."""
        return self.do("correct", player=player, reason="as it lies on the table", **what)

    def put(self, player: str, source: str, target: str, count: int = 1) -> Any:
        """Correct the places of stations."""
        return self.correct(player, move={"from": source, "to": target, "count": count})

    def undo(self) -> Any:
        """Take back the last line."""
        return self.do("undo")


class Evening(Told[State], Deeds):
    """A game in progress."""

    def __init__(
        self, players: int = 4, options: Line | None = None, first: str = "red", values: Mapping[str, Any] | None = None
    ) -> None:
        """Start a game; *values* has the centre values of the planets where they are not nine, seven and five."""
        seats = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, NAMES, strict=True)][:players]
        header = {"record": "table-record", "version": 1, "game": "andromeda", "players": seats, "first": first}
        header |= {"options": options} if options else {}
        header |= {"board": board(values)} if values else {}
        super().__init__(header)

    @property
    def refused(self) -> Refusals:
        """The same methods for lines that must be refused; each returns the text of the refusal."""
        return Refusals(self)

    @property
    def players(self) -> Mapping[str, Player]:
        """The players by colour."""
        return self.game.players

    def on(self, planet: str) -> dict[str, int]:
        """Return the number of stations on *planet* by colour, without colours that have none."""
        return {colour: player.on(planet) for colour, player in self.players.items() if player.on(planet)}

    # several lines at once

    def all_set_up(self) -> Self:
        """Place everybody's usual set-up cards."""
        for colour in self.game.colours:
            self.set_up(colour, **SHOWN[len(self.game.colours)])
        return self

    def all_pass(self) -> Self:
        """Pass in the transport phase until it is over."""
        while self.game.phase is Phase.TRANSPORT:
            self.no_transport(self.game.turn)
        return self

    def all_lay(self, *cards: str | None) -> Self:
        """Let the starting player lay *cards*, each answered by the other players with unnamed cards."""
        for card in cards:
            self.lay(self.game.starter, card)
            for colour in self.view["to_act"]:
                if colour != self.game.starter:
                    self.lay(colour)
        return self

    def all_trade(self) -> Self:
        """Trade unnamed cards: one swap, then all other players take back their own sets."""
        partner = next(colour for colour in self.game.colours if colour != self.game.starter)
        self.all_lay(None, None).swap(self.game.starter, partner).keep(partner)
        while self.game.phase is Phase.TRADING:
            self.take_back(self.view["to_act"][0])
        return self

    def all_end_turns(self) -> Self:
        """End turns until the round is over."""
        while self.game.phase is Phase.ACTIONS:
            self.end_turn(self.game.turn)
        return self

    def round_over(self) -> Self:
        """Play the rest of this round with as few actions as the rules allow."""
        if self.game.phase is Phase.CARDS:
            self.deal()
        self.all_pass()
        if self.game.phase is Phase.TRADING:
            self.all_trade()
        return self.all_end_turns()

    def in_actions(self) -> Self:
        """Play up to the action phase of the first round."""
        return self.in_trading().all_trade()

    def in_trading(self) -> Self:
        """Play up to the trading phase of the first round."""
        return self.all_set_up().deal().all_pass()

    # set up a situation by corrections

    def standing(self, planet: str, **counts: int) -> Self:
        """Put exactly these stations on *planet*, and all others on Earth."""
        for colour in self.game.colours:
            more = counts.get(colour, 0) - self.players[colour].on(planet)
            if more:
                self.put(colour, *(("earth", planet) if more > 0 else (planet, "earth")), abs(more))
        return self

    def owning(self, player: str, *centres: str) -> Self:
        """Give *player* these centres, with stations from Earth, or from planets if Earth is empty."""
        for centre in centres:
            source = next((id for id in PLANETS if self.players[player].on(id)), "earth")
            self.put(player, "earth" if self.players[player].earth else source, centre)
        return self

    def holding(self, player: str, hand: int | None = None, **credits: int) -> Self:
        """Give *player* these credits, and *hand* cards in all."""
        if credits:
            self.correct(player, bonus=credits)
        return self if hand is None else self.correct(player, hand=hand)

    def at_level(self, player: str, **levels: int) -> Self:
        """Set *player*'s `ship`, `technology` or `transport` to these levels."""
        for of, level in levels.items():
            self.correct(player, **{of: level})
        return self


class Refusals(Deeds):
    """Lines that the rules must refuse with one short sentence without code words, changing nothing."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening

    def do(self, do: str, **fields: Any) -> str:
        """Return the sentence with which the rules refuse the line."""
        return self._evening.refusal(do, **fields)


def board(values: Mapping[str, Any]) -> Line:
    """Return a board whose centres are worth nine, seven and five, except for those in *values*."""
    planets = [{"id": id, "label": f"Planet {id[1]}", "centres": list(values.get(id, (9, 7, 5)))} for id in PLANETS]
    return {"planets": planets}
