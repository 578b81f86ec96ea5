"""Split a result into luck, which is the sum of all events of chance, and skill, which is the rest.

The luck of one event is the value of the position after it, minus the mean value over all its possible outcomes. The
expected luck is therefore 0, however good or bad the evaluator is. A better evaluator leaves less chance in the skill.
Chance that is not recorded, such as dealt cards, counts as skill.

Sources: the luck-adjusted result of backgammon programs; Zare, "Hedging toward skill" (2000).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from math import fsum
from typing import Any

from companion.kernel.values import dataclass
from companion.model.capabilities import LuckModel
from companion.model.game import AnyGame

Shares = Mapping[str, float]
"""A value for each seat, by colour."""


@dataclass(frozen=True)
class Stroke:
    """One event of chance: its line, its ledger *row*, and how much better than average it was for each seat."""

    row: int
    line: Mapping[str, Any]
    luck: Shares

    @property
    def size(self) -> float:
        """The largest absolute luck of any seat."""
        return max(map(abs, self.luck.values()), default=0.0)


@dataclass(frozen=True)
class Fortune:
    """Luck and skill of one seat in a game.

    *initial* is its value at the start and *final* its result: *luck* + *skill* = *final* - *initial*.
    """

    initial: float
    final: float
    luck: float

    @property
    def skill(self) -> float:
        """The part of the result that was not luck. It includes chance that is not recorded, such as dealt cards."""
        return self.final - self.initial - self.luck

    @property
    def adjusted(self) -> float:
        """The result minus the luck."""
        return self.final - self.luck


@dataclass(frozen=True)
class LuckReport:
    """The luck and skill of every seat, and the events of chance, oldest first."""

    seats: Mapping[str, Fortune]
    strokes: tuple[Stroke, ...]

    def without(self, left: Collection[str]) -> LuckReport:
        """Return the report without the seats that *left* early."""
        return replace(self, seats={seat: fortune for seat, fortune in self.seats.items() if seat not in left})

    def turning_points(self, most: int = 5) -> tuple[Stroke, ...]:
        """Return the events with the largest effect, largest first."""
        return tuple(sorted(self.strokes, key=lambda stroke: -stroke.size)[:most])


def reckoned(game: AnyGame, start: Any, moves: Iterable[tuple[int, Mapping[str, Any], Any, Any]]) -> LuckReport | None:
    """Return the luck report of a game, given its state at the *start*, or None if the game has no evaluator.

    *moves* are the lines that were not undone: (row, line, state before, state after), oldest first.
    """
    model = game.luck
    if model is None:
        return None
    strokes, last = [], start
    for row, line, before, after in moves:
        last = after
        expected = _expected(game, model, before, line)
        if expected is not None:
            worth = model.worth(after)
            strokes.append(Stroke(row, line, {seat: worth[seat] - mean for seat, mean in expected.items()}))
    initial, final = model.worth(start), model.worth(last)
    seats = {
        seat: Fortune(initial[seat], final[seat], fsum(stroke.luck[seat] for stroke in strokes)) for seat in initial
    }
    return LuckReport(seats, tuple(strokes))


def _expected(game: AnyGame, model: LuckModel[Any], before: Any, line: Mapping[str, Any]) -> Shares | None:
    """Return for each seat the mean value over all outcomes that were possible instead of *line*.

    The result is None if *line* involves no chance.
    """
    outcomes = model.outcomes(before, line)
    if not outcomes:
        return None
    worths = [(chance, model.worth(_played(game, before, other))) for chance, other in outcomes]
    return {seat: fsum(chance * worth[seat] for chance, worth in worths) for seat in worths[0][1]}


def _played(game: AnyGame, state: Any, line: Mapping[str, Any]) -> Any:
    return reduce(game.evolve, game.decide(state, game.parse(line)), state)


def ahead(points: Mapping[str, float]) -> dict[str, float]:
    """Return for each seat its points minus the mean of the other seats. The result of a single seat is 0."""
    total, others = sum(points.values()), max(len(points) - 1, 1)
    return {seat: own - (total - own) / others for seat, own in points.items()}
