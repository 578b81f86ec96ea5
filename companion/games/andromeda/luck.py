"""How luck is separated from play: what might have been drawn, and what a position is worth to each player.

A position's value is the sum of three things that everybody can see: the points on the board; the average gain of an
open attempt; and, for each planet with a free centre, one's share of its stations times the value of its best free
centre. The three weights are fitted to games of simulated players, so that as little chance as possible is left in the
result after luck is subtracted (docs/luck.md). They are below one, because everything gained leaves less to be gained.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.odds import success
from companion.games.andromeda.scoring import score
from companion.games.andromeda.state import State, best_free_centre, stations_on
from companion.kernel.validation import Line
from companion.luck.ahead import ahead

POINT, ATTEMPT, PROMISE = 0.85, 0.77, 0.5


class DrawLuck:
    """Luck with the ring. Which cards a player holds is on no record, so card luck is part of the rest."""

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return each draw that was possible instead of *line*, with its chance; empty if *line* is no draw.

        If two stations left at once and one of them counts, that is a single draw. If both go back, nothing was drawn.
        """
        attempt = state.attempt
        counts = line["do"] == "draw" or (line["do"] == "double_exit" and "out" in line)
        if attempt is None or not counts:
            return ()
        under = stations_on(state, attempt.planet)
        total = sum(under.values())
        return tuple((count / total, {"do": "draw", "colour": colour}) for colour, count in under.items() if count)

    def worth(self, state: State) -> Mapping[str, float]:
        """Return by how many points each player is expected to finish ahead of the others' mean.

        It uses only what everybody can see. Once the game is over it is the result itself, bonus credits included.
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
