"""The luck model: the possible results of dice and tiles, and the value of a position for each player.

The value of a position is the sum of three public terms: KP; shares of the KP of all open rooms; and contamination
still to come, for players with researchers aboard. The weights are rounded from a fit to a few dozen games of simulated
players (docs/luck.md). A roll is hardly the luck of one player, since all dice are offered to everybody. Missions are
hidden, so luck with missions is counted as play.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

from companion.games.wreck.dice import CONTAMINATION, MOST_CONTAMINATION, SYMBOLS, showing
from companion.games.wreck.rooms import ROOMS
from companion.games.wreck.scoring import scores
from companion.games.wreck.state import State, aboard, closed_rooms
from companion.kernel.fields import Line
from companion.luck.reckoning import ahead

POINT, SHARE, CONTAMINATED = 1.2, 1.0, 0.4
PLAIN = "move"
"""Represents every symbol except contamination, because these symbols do not change the value of a position."""


class TileLuck:
    """Luck with the tiles that are turned over, and with the contamination on the dice."""

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return the possible results of a roll or an explored tile, with their chances, or () for other lines.

        All symbols of a die count as equally likely, since the real dice are not known. A tile may be any room that is
        not open yet.
        """
        match line["do"]:
            case "roll":
                return tuple((chance, {**line, **roll}) for chance, roll in _rolls(state.setting.dice))
            case "explore":
                rooms = closed_rooms(state)
                return tuple((1 / len(rooms), {**line, "room": room}) for room in rooms)
            case _:
                return ()

    def worth(self, state: State) -> Mapping[str, float]:
        """Return the expected final lead of each player over the mean of the others, in KP.

        After the game it is the real lead.
        """
        points = {colour: float(score.total) for colour, score in scores(state).items()}
        if state.finished:
            return ahead(points)
        return ahead({colour: _prospects(state, colour, own) for colour, own in points.items()})


def _rolls(dice: int) -> list[tuple[float, Line]]:
    """Return a roll for each number of contamination dice, with its chance.

    The last roll also represents all higher numbers of dice.
    """
    share = 1 / len(SYMBOLS)
    few = [comb(dice, n) * share**n * (1 - share) ** (dice - n) for n in range(MOST_CONTAMINATION)]
    chances = (*few, 1 - sum(few))
    return [
        (chance, {"dice": [CONTAMINATION] * n + [PLAIN] * (dice - n), "rerolls": []})
        for n, chance in enumerate(chances)
    ]


def _prospects(state: State, colour: str, points: float) -> float:
    return POINT * points + SHARE * _shares(state, colour) - CONTAMINATED * _threat(state, colour)


def _shares(state: State, colour: str) -> float:
    """Return the KP of all open rooms, each multiplied by the player's share of the researchers in it."""
    at = state.setting.at[colour]
    return sum(ROOMS[room].kp * counts[at] / sum(counts) for room, counts in state.researchers.items() if counts[at])


def _threat(state: State, colour: str) -> float:
    """Return the player's contamination dice plus an equal share of the pool's, or 0 if they can't lose researchers."""
    player = state.players[colour]
    coming = player.contamination + showing(state.pool, CONTAMINATION) / len(state.colours)
    return coming if aboard(state, colour) and not player.vaccines else 0.0


LUCK = TileLuck()
