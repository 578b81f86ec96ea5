"""The luck model: the possible draws, and the value of a position for each player.

The value of a position is a weighted sum of three public terms: the points on the board; the average gain of an open
attempt; and, for each planet with a free centre, the player's share of the stations there times the value of the best
free centre. The three weights are fitted to games of simulated players, so that the result contains as little chance as
possible after luck is subtracted (docs/luck.md). They are below one, because each gain leaves less to be gained later.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.odds import success
from companion.games.andromeda.scoring import score
from companion.games.andromeda.state import State, best_free_centre, stations_on
from companion.kernel.fields import Line
from companion.luck.reckoning import ahead

POINT, ATTEMPT, PROMISE = 0.85, 0.77, 0.5


class DrawLuck:
    """Luck with the ring. Luck with cards is not measured, since hands are not recorded, and is counted as play."""

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return each draw that was possible instead of *line*, with its chance. It is empty if *line* is not a draw.

        If two stations left at once and only one counts, that one is the only draw. If both go back, there is no draw.
        """
        attempt = state.attempt
        counts = line["do"] == "draw" or (line["do"] == "double_exit" and "out" in line)
        if attempt is None or not counts:
            return ()
        under = stations_on(state, attempt.planet)
        total = sum(under.values())
        return tuple((count / total, {"do": "draw", "colour": colour}) for colour, count in under.items() if count)

    def worth(self, state: State) -> Mapping[str, float]:
        """Return the expected final lead of each player over the mean of the others, in points.

        Only public information is used. Once the game is over, it is the real lead, with bonus credits.
        """
        if state.finished:
            return ahead({colour: float(score(state, colour).total) for colour in state.colours})
        return ahead({colour: _prospects(state, colour) for colour in state.colours})


def _prospects(state: State, colour: str) -> float:
    points = score(state, colour)
    return POINT * (points.total - points.bonus) + ATTEMPT * _attempt(state, colour) + PROMISE * _promise(state, colour)


def _attempt(state: State, colour: str) -> float:
    attempt = state.attempt
    if attempt is None or attempt.player != colour:
        return 0.0
    under = stations_on(state, attempt.planet)
    return float(success(sum(under.values()), under[colour], attempt.draws_left)) * _best_value(state, attempt.planet)


def _promise(state: State, colour: str) -> float:
    planets = [planet.id for planet in state.setting.board.planets]
    there = {planet: stations_on(state, planet) for planet in planets}
    return sum(
        _best_value(state, planet) * under[colour] / sum(under.values())
        for planet, under in there.items()
        if under[colour]
    )


def _best_value(state: State, planet: str) -> int:
    slot = best_free_centre(state, planet)
    return 0 if slot is None else state.setting.board.planet(planet).centres[slot]


LUCK = DrawLuck()
