"""Luck and skill of a game: what chance gave and took at each event of it, and the rest.

Before chance decides, a position is worth what it will be worth on average afterwards; luck is how much better it
turned out. So luck adds up to nought on average, however good the evaluator is; a better one only leaves less chance
in the rest. What is not on record as chance (which cards were dealt) belongs to the rest too.

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
"""Something of each seat, by colour."""


@dataclass(frozen=True)
class Stroke:
    """One event of chance: the line in ledger row *row*, and how much better than on average it was for each seat."""

    row: int
    line: Mapping[str, Any]
    luck: Shares

    @property
    def size(self) -> float:
        """How much it moved, for whomever it moved most."""
        return max(map(abs, self.luck.values()), default=0.0)


@dataclass(frozen=True)
class Fortune:
    """A seat's game: what it was worth at the start, how it ended, and what of the difference was luck.

    *luck* + *skill* = *final* - *initial*.
    """

    initial: float
    final: float
    luck: float

    @property
    def skill(self) -> float:
        """What was not luck: play, and what no record knows, such as the cards one was dealt."""
        return self.final - self.initial - self.luck

    @property
    def adjusted(self) -> float:
        """The result without the luck."""
        return self.final - self.luck


@dataclass(frozen=True)
class LuckReport:
    """Every seat's fortune, and the strokes of chance, oldest first."""

    seats: Mapping[str, Fortune]
    strokes: tuple[Stroke, ...]

    def without(self, left: Collection[str]) -> LuckReport:
        """Return the report of those who played to the end: nobody's luck is told who has *left*."""
        return replace(self, seats={seat: fortune for seat, fortune in self.seats.items() if seat not in left})

    def turning_points(self, most: int = 5) -> tuple[Stroke, ...]:
        """Return the largest strokes, the largest first."""
        return tuple(sorted(self.strokes, key=lambda stroke: -stroke.size)[:most])


def reckoned(game: AnyGame, start: Any, moves: Iterable[tuple[int, Mapping[str, Any], Any, Any]]) -> LuckReport | None:
    """Return the luck of a game from its state at the *start* on; None for a game that knows no luck.

    *moves* are its lines that stand: (row, line, state before, state after), oldest first.
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
    """Return what each seat's game was worth on average before chance decided *line*; None where it decided nothing."""
    outcomes = model.outcomes(before, line)
    if not outcomes:
        return None
    worths = [(chance, model.worth(_played(game, before, other))) for chance, other in outcomes]
    return {seat: fsum(chance * worth[seat] for chance, worth in worths) for seat in worths[0][1]}


def _played(game: AnyGame, state: Any, line: Mapping[str, Any]) -> Any:
    return reduce(game.evolve, game.decide(state, game.parse(line)), state)
