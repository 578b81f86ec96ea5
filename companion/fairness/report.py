"""What all logged draws of a ring say of it: by whose cubes, by player, by colour, and what was left out of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp, inf

from companion.fairness.draws import LoggedDraw, Source, colour_draws, own_draws
from companion.fairness.evidence import Evidence, Pull
from companion.fairness.multiple import discoveries
from companion.fairness.outlook import still_needed
from companion.fairness.sequence import Bounds, bounds, course, e_value
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Finding:
    """An answer to one question: *hits* of *draws* came where *expected* would have by even odds.

    *odds* is the likeliest w (None without a draw that tells), *within* its confidence sequence, *e_value* the evidence
    against even odds; *believed*: it stands up among all that was asked of this ring. *needed* draws more would show
    odds of 1.25 in about half of all rings.
    """

    draws: int
    hits: int
    expected: float
    odds: float | None
    within: Bounds
    e_value: float
    needed: int
    believed: bool = False


@dataclass(frozen=True)
class RingReport:
    """All draws of one ring: *own* cubes against others', by player's name, by colour; and *course*, that of *own*.

    Where nobody draws for themselves, *own* has no draws. *course* holds (draws, ln of the e-value). *left_out* counts
    by its reason what is no evidence: `taken back`, `several at once`, `unknown contents`, `one way only`.
    *by_hand* draws of those that count were told by a person, because the ring was not sure.
    """

    source: Source
    ring: str
    draws: int
    left_out: Mapping[str, int]
    by_hand: int
    own: Finding
    by_player: Mapping[str, Finding]
    by_colour: Mapping[str, Finding]
    course: tuple[tuple[int, float], ...]


def reports(draws: Iterable[LoggedDraw]) -> tuple[RingReport, ...]:
    """Return a report for every ring among *draws*, the real ones first, those with most draws before others.

    Simulated rings and draws that were typed in stand by themselves: they say nothing of a ring on the table.
    """
    by_ring: dict[tuple[Source, str], list[LoggedDraw]] = {}
    for draw in draws:
        by_ring.setdefault((draw.let_out.source, draw.let_out.ring), []).append(draw)
    order = list(Source)
    ranked = sorted(by_ring, key=lambda ring: (order.index(ring[0]), -len(by_ring[ring])))
    return tuple(_report(*ring, by_ring[ring]) for ring in ranked)


def finding(pulls: Iterable[Pull]) -> Finding:
    """Return what *pulls* answer to one question, by itself."""
    evidence = Evidence.of(pulls)
    likeliest = evidence.likeliest()
    odds = exp(likeliest) if evidence.draws and likeliest < inf else inf if evidence.draws else None
    return Finding(
        *(evidence.draws, evidence.hits, evidence.expected(), odds, bounds(evidence)),
        *(e_value(evidence), still_needed(evidence)),
    )


def _report(source: Source, ring: str, draws: Sequence[LoggedDraw]) -> RingReport:
    counting = [draw for draw in draws if draw.counts]
    own = list(own_draws(counting))
    players = dict.fromkeys(draw.who for draw in counting if draw.seat)
    colours = dict.fromkeys(colour for draw in counting for colour in draw.under)
    asked = {("player", name): finding(own_draws(each for each in counting if each.who == name)) for name in players}
    asked |= {("colour", colour): finding(colour_draws(counting, colour)) for colour in colours}
    answers = _stood_up(asked)
    return RingReport(
        *(source, ring, len(draws), _left_out(draws), sum(draw.let_out.by_hand for draw in counting)),
        finding(own),
        {name: answers["player", name] for name in players},
        {colour: answers["colour", colour] for colour in colours},
        tuple(course(own)),
    )


def _stood_up(findings: Mapping[tuple[str, str], Finding]) -> dict[tuple[str, str], Finding]:
    """Return the answers to all that was asked of a ring, those marked that stand up among the others."""
    found = discoveries({asked: each.e_value for asked, each in findings.items()})
    return {asked: replace(each, believed=asked in found) for asked, each in findings.items()}


def _left_out(draws: Iterable[LoggedDraw]) -> dict[str, int]:
    reasons = Counter(_why_not(draw) for draw in draws)
    return {reason: count for reason, count in reasons.items() if reason}


def _why_not(draw: LoggedDraw) -> str:
    if draw.undone is not None:
        return "taken back"
    if len(draw.out) != 1:
        return "several at once"
    if not draw.counts:
        return "unknown contents"
    return "one way only" if sum(map(bool, draw.under.values())) == 1 else ""
