"""How luck is told from play: what dice and tiles might have shown, and what a position is worth to each.

The evaluator is a sum of three things that everybody sees: KP, shares of the rooms that are open, and the contamination
that is still to come, which takes researchers from whoever has them aboard. Its weights lie near what a fit to a few
dozen games of made-up players gives, coarsely (docs/luck.md). All dice are offered round the table, so a roll is hardly
anybody's luck; missions are hidden, and count under the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

from companion.games.wreck.dice import CONTAMINATION, MOST_CONTAMINATION, SYMBOLS, showing
from companion.games.wreck.rooms import NOT_FOR_TWO, ROOMS
from companion.games.wreck.scoring import scores
from companion.games.wreck.state import State, aboard
from companion.kernel.validation import Line
from companion.luck.ahead import ahead

POINT, SHARE, CONTAMINATED = 1.2, 1.0, 0.4
PLAIN = "move"
"""The evaluator does not tell other symbols apart."""
PAIR = 2


class TileLuck:
    """Luck with the tiles that are turned over, and with the contamination among the dice."""

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return what a roll or an explored tile might have shown; nothing for any other line.

        A die shows each symbol alike, since nobody here knows the real ones; a tile is any of the rooms not open yet.
        """
        match line["do"]:
            case "roll":
                return tuple((chance, {**line, **roll}) for chance, roll in _rolls(state.setting.dice))
            case "explore":
                rooms = _closed(state)
                return tuple((1 / len(rooms), {**line, "room": room}) for room in rooms)
            case _:
                return ()

    def worth(self, state: State) -> Mapping[str, float]:
        """Return by how many KP each is expected to end ahead of the others' mean; once it is over, the result."""
        points = {colour: float(score.total) for colour, score in scores(state).items()}
        if state.finished:
            return ahead(points)
        return ahead({colour: _prospects(state, colour, own) for colour, own in points.items()})


def _rolls(dice: int) -> list[tuple[float, Line]]:
    """Return how much contamination may stay, with its chance; beyond the most that stays all are one."""
    share = 1 / len(SYMBOLS)
    few = [comb(dice, n) * share**n * (1 - share) ** (dice - n) for n in range(MOST_CONTAMINATION)]
    chances = (*few, 1 - sum(few))
    return [
        (chance, {"dice": [CONTAMINATION] * n + [PLAIN] * (dice - n), "rerolls": []})
        for n, chance in enumerate(chances)
    ]


def _closed(state: State) -> list[str]:
    skipped = NOT_FOR_TWO if len(state.colours) == PAIR else ()
    return [room for room in ROOMS if room not in state.tiles and room not in skipped]


def _prospects(state: State, colour: str, points: float) -> float:
    return POINT * points + SHARE * _shares(state, colour) - CONTAMINATED * _threat(state, colour)


def _shares(state: State, colour: str) -> float:
    """Return the KP of all open rooms, each by the share of the researchers there that are one's own."""
    at = state.setting.at[colour]
    return sum(ROOMS[room].kp * counts[at] / sum(counts) for room, counts in state.researchers.items() if counts[at])


def _threat(state: State, colour: str) -> float:
    """Return the contamination before somebody who has researchers to lose, and their part of what lies in the pool."""
    player = state.players[colour]
    coming = player.contamination + showing(state.pool, CONTAMINATION) / len(state.colours)
    return coming if aboard(state, colour) and not player.vaccines else 0.0


LUCK = TileLuck()
