"""Analyse all logged draws of a ring: for players' own cubes, for each player, and for each colour.

Draws that had to be left out are counted. An estimate says how many more draws would detect a noticeable bias.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import ceil, exp, inf, log

from companion.fairness.draws import CubeSource, GameDraws, LoggedDraw, Passed
from companion.fairness.evidence import Cell, Evidence, log_weight, mean_and_variance
from companion.fairness.multiple_testing import discoveries
from companion.fairness.sequential_test import ALPHA, SPREAD, Bounds, bounds, e_value
from companion.fairness.tally import Tally
from companion.kernel.shown import shows
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class FairnessFinding:
    """The answer to one question about a ring: there were *hits* in *draws*, and at even odds *expected* hits.

    *odds* is the estimate of the odds w (None without informative draws), *within* its confidence sequence, and
    *e_value* the evidence against even odds. *believed* means that it is significant after the correction for the
    number of questions about this ring. After *needed* more draws, odds of 1.25 would be detected in about half of all
    rings. *pieces* are the draws in groups, oldest first.
    """

    draws: int
    hits: int
    expected: float
    odds: float | None
    within: Bounds
    e_value: float
    needed: int
    believed: bool = False
    pieces: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class RingReport:
    """The results for one ring: for players' own cubes against others' cubes, for each player, and for each colour.

    If draws belong to no player, *own* has no draws. *skipped* counts the draws that are not evidence, by reason:
    `taken back`, `several at once`, `unknown contents`, `one way only`. *by_hand* counts the draws in which the ring
    was not sure and a person entered the colour. *passed* counts cubes that left the ring and were not a draw, by
    `Passed.why`.
    """

    source: CubeSource
    ring: str
    draws: int
    skipped: Mapping[str, int]
    by_hand: int
    own: FairnessFinding
    by_player: Mapping[str, FairnessFinding]
    by_colour: Mapping[str, FairnessFinding]
    passed: Mapping[str, int]

    @property
    def counted(self) -> int:
        """The number of draws that are evidence. Draws with a certain result are not counted."""
        return self.draws - sum(self.skipped.values())

    def asked(self, question: tuple[str, str]) -> FairnessFinding | None:
        """Return the answer to *question*, or None.

        *question* is a pair: a kind (`own`, `player`, `colour`), and the name or colour.
        """
        kind, name = question
        return self.own if kind == "own" else {"player": self.by_player, "colour": self.by_colour}[kind].get(name)


@shows("_draws", "_by_player", "_by_colour")
class RingTally:
    """Adds up the draws of one ring for all questions."""

    def __init__(self, source: CubeSource, ring: str) -> None:
        self.source, self.ring = source, ring
        self._draws = self._by_hand = 0
        self._skipped, self._passed = Counter[str](), Counter[str]()
        self._own = Tally()
        self._by_player: dict[str, Tally] = {}
        self._by_colour: dict[str, Tally] = {}

    def add(self, draw: LoggedDraw) -> None:
        """Add a draw. A draw that is not evidence is only counted, by its reason."""
        self._draws += 1
        if why := _why_not(draw):
            self._skipped[why] += 1
        if not draw.counts:
            return
        self._by_hand += draw.let_out.by_hand
        if draw.seat:
            own = draw.of_colour(draw.seat)
            self._own.add(own)
            self._by_player.setdefault(draw.who, Tally()).add(own)
        for colour in draw.under:
            self._by_colour.setdefault(colour, Tally()).add(draw.of_colour(colour))

    def passed(self, cube: Passed) -> None:
        """Count a cube that left the ring and was not a draw."""
        self._passed[cube.why] += 1

    @property
    def draws(self) -> int:
        """The number of draws."""
        return self._draws

    def report(self) -> RingReport:
        """Return the results for the draws added so far."""
        asked = {("player", name): finding(tally) for name, tally in self._by_player.items()}
        asked |= {("colour", colour): finding(tally) for colour, tally in self._by_colour.items()}
        answers = _stood_up(asked)
        return RingReport(
            *(self.source, self.ring, self._draws, dict(self._skipped), self._by_hand),
            finding(self._own),
            {name: answers["player", name] for name in self._by_player},
            {colour: answers["colour", colour] for colour in self._by_colour},
            dict(self._passed),
        )

    def copy(self) -> RingTally:
        """Return an independent copy."""
        twin = RingTally(self.source, self.ring)
        twin._draws, twin._by_hand = self._draws, self._by_hand
        twin._skipped, twin._passed = Counter(self._skipped), Counter(self._passed)
        twin._own = self._own.copy()
        twin._by_player = {name: tally.copy() for name, tally in self._by_player.items()}
        twin._by_colour = {colour: tally.copy() for colour, tally in self._by_colour.items()}
        return twin


@shows("_rings")
class Survey:
    """Adds up the draws of all rings, game by game. Simulated rings, bags and typed draws have tallies of their own."""

    def __init__(self) -> None:
        self._rings: dict[tuple[CubeSource, str], RingTally] = {}

    def add(self, game: GameDraws) -> None:
        """Add the draws of a game, and its cubes that were not draws."""
        for draw in game.draws:
            self._of(draw.let_out.source, draw.let_out.ring).add(draw)
        for cube in game.passed:
            self._of(cube.source, cube.ring).passed(cube)

    def reports(self) -> tuple[RingReport, ...]:
        """Return a report for every ring: real ones first, then by number of draws."""
        order = list(CubeSource)
        ranked = sorted(self._rings.values(), key=lambda ring: (order.index(ring.source), -ring.draws))
        return tuple(ring.report() for ring in ranked)

    def copy(self) -> Survey:
        """Return an independent copy."""
        twin = Survey()
        twin._rings = {ring: tally.copy() for ring, tally in self._rings.items()}
        return twin

    def _of(self, source: CubeSource, ring: str) -> RingTally:
        return self._rings.setdefault((source, ring), RingTally(source, ring))


def reports(draws: Iterable[LoggedDraw]) -> tuple[RingReport, ...]:
    """Return a report for every ring in *draws*, in the order of `Survey.reports`."""
    survey = Survey()
    survey.add(GameDraws(tuple(draws)))
    return survey.reports()


def finding(tally: Tally) -> FairnessFinding:
    """Return the answer of *tally* to its question.

    *believed* is not set yet, because it depends on all other answers.
    """
    evidence = tally.evidence
    likeliest = evidence.likeliest()
    odds = exp(likeliest) if evidence.made and likeliest < inf else inf if evidence.made else None
    return FairnessFinding(
        *(evidence.draws, evidence.hits, evidence.expected(), odds, bounds(evidence)),
        *(e_value(evidence), still_needed(evidence)),
        pieces=tally.pieces,
    )


def _stood_up(findings: Mapping[tuple[str, str], FairnessFinding]) -> dict[tuple[str, str], FairnessFinding]:
    """Return all answers about a ring. *believed* is set in the significant ones."""
    found = discoveries({asked: each.e_value for asked, each in findings.items()})
    return {asked: replace(each, believed=asked in found) for asked, each in findings.items()}


def _why_not(draw: LoggedDraw) -> str:
    if draw.undone is not None:
        return "taken back"
    if draw.several:
        return "several at once"
    if not draw.counts:
        return "unknown contents"
    one_way = sum(map(bool, draw.under.values())) == 1 or len(draw.out) == sum(draw.under.values())
    return "one way only" if one_way else ""


NOTICEABLE = 1.25
"""The bias to detect: a cube comes out five times for every four times expected."""
_USUAL = Evidence(made={(2, 8, 1): 1})
"""A typical draw of one cube: two of the eight cubes are the player's own. It is used while there are no draws."""


def still_needed(evidence: Evidence, odds: float = NOTICEABLE, alpha: float = ALPHA) -> int:
    """Return how many more draws are needed to detect *odds* in about half of all rings that have these odds.

    Future draws are assumed to be like the draws so far. On average each draw adds the gain (see `_gain`) to ln of the
    e-process. From the sum, ln(1 + n i s^2) / 2 is subtracted, because the e-process also considers all other odds.
    Here n is the number of draws, i the information of each draw, and s the prior's standard deviation. This is
    Laplace's approximation.
    """
    like = evidence if evidence.draws else _USUAL
    theta = log(odds)
    gain = sum(count * _gain(cell, theta) for cell, count in like.made.items()) / like.draws
    information = like.information(theta) / like.draws
    needed = 1.0
    for _ in range(50):
        spread = log(1 + needed * information * SPREAD**2) / 2
        needed = (log(1 / alpha) + spread + (theta / SPREAD) ** 2 / 2) / gain
    return max(0, ceil(needed) - evidence.draws)


def _gain(cell: Cell, theta: float) -> float:
    """Return the mean growth of the log-likelihood ratio per draw if ln w is *theta*."""
    return theta * mean_and_variance(cell, theta)[0] - log_weight(cell, theta)
