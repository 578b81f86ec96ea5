"""The page of a finished game: the points by source, the reason for the win, and luck with the ring."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt

from companion.games.andromeda.odds import success
from companion.games.andromeda.scoring import Score, centres_held, rank, score
from companion.games.andromeda.state import State, label_of
from web.components.players import Face, faces, listed
from web.games.andromeda.components.layout import bar
from web.games.andromeda.setup.new_game import NEW_GAME
from web.http.i18n import _, decimals, lazy, ngettext, translated
from web.request.game_pages import Look, Scene

# Luck with the ring: the number of centres that were won, compared with the number expected by chance.

MIDDLE = 50.0
WIDEST = 46.0
LEAST_SPAN = 2.0
"""The axis covers at least this many centres on each side, so that a difference of half a centre looks small."""


@dataclass(frozen=True)
class AttemptLuck:
    """The attempts of one player: the number of centres won and expected, and the position on the axis in percent."""

    face: Face
    tried: int
    got: int
    expected: str
    at: float
    left: float
    width: float


def luck(state: State, left: Collection[str] = ()) -> tuple[AttemptLuck, ...]:
    """Return the luck of all players except those in *left*, in seat order. Empty if nobody made an attempt."""
    if not state.tried:
        return ()
    known = faces(state.setting.seats)
    sums = {colour: _sums(state, colour) for colour in state.colours if colour not in left}
    span = max(LEAST_SPAN, *(abs(got - expected) for _, got, expected, _ in sums.values()))
    return tuple(_luck(known[colour], *sums[colour][:3], span) for colour in sums)


def luck_note(state: State) -> str:
    """Return a sentence about the usual effect of chance on a player's number of centres: one standard deviation."""
    spreads = [_sums(state, colour)[3] for colour in state.colours]
    usual = sum(spreads) / len(spreads)
    return _("Luck alone often shifts this by %(num)s centres.", num=decimals(usual))


def _sums(state: State, colour: str) -> tuple[int, int, float, float]:
    """Return four numbers: attempts, centres won, centres expected, and the standard deviation of the latter."""
    own = [attempt for attempt in state.tried if attempt.player == colour]
    chances = [float(success(attempt.stations, attempt.own, attempt.draws)) for attempt in own]
    got = sum(attempt.took > 0 for attempt in own)
    return len(own), got, sum(chances), sqrt(sum(share * (1 - share) for share in chances))


def _luck(face: Face, tried: int, got: int, expected: float, span: float) -> AttemptLuck:
    reach = (got - expected) / span * WIDEST
    at = round(MIDDLE + reach, 1)
    return AttemptLuck(face, tried, got, decimals(expected), at, min(at, MIDDLE), round(abs(reach), 1))


@dataclass(frozen=True)
class FinalPart:
    """One segment of a player's bar."""

    kind: int
    points: int
    label: str


@dataclass(frozen=True)
class AndromedaStanding:
    """A player at the end.

    *share* is the length of the bar in percent of the longest bar; *held* are the centres, highest first.

    *points* are all four parts, including those with 0 points.
    """

    place: int
    face: Face
    parts: tuple[FinalPart, ...]
    total: int
    won: bool
    share: float
    held: tuple[tuple[str, int], ...] = ()
    points: tuple[int, ...] = ()


@dataclass(frozen=True)
class Duel:
    """One criterion that may break a tie, with its value for each of the tied players."""

    label: str
    values: tuple[tuple[int, bool], ...]
    needed: bool


@dataclass(frozen=True)
class Tie:
    """How a tie on points was broken, or that it was not broken."""

    question: str
    words: str
    faces: tuple[Face, ...]
    lines: tuple[Duel, ...]


LABELS = (lazy("centres"), lazy("stations on Earth"), lazy("technology"), lazy("credits in hand"))
AHEAD = (
    lazy("Centres made the difference."),
    lazy("Stations on Earth made the difference."),
    lazy("Technology made the difference."),
    lazy("Bonus credits made the difference."),
)
"""Sentences about the source of points that decided the game, in the order of a score's parts."""


def final_scene(look: Look) -> Scene:
    """Return the page of a finished game."""
    state: State = look.state
    known = faces(state.setting.seats)
    assert look.snapshot.game is not None, "a result belongs to a game"
    result = look.snapshot.game.result(state)
    won = result.winners if result else ()
    names = listed(known[colour].name for colour in won)
    heading = bar(
        state,
        _("%(name)s wins", name=names) if len(won) == 1 else _("Shared win"),
        face=known[won[0]] if len(won) == 1 else None,
        left_words=_in_short(state, won),
    )
    more = {
        "standings": standings(state, won),
        "tie": tie(state, won),
        "luck": luck(state, look.snapshot.absent),
        "luck_note": luck_note(state) if state.tried else "",
        "why": lead(state, won) or (result.why if result else ""),
        "rounds": ngettext("%(num)s round", "%(num)s rounds", state.round),
        "played_ms": look.snapshot.game_ms,
        "over": True,
        "again": NEW_GAME.again(look.snapshot.header),
    }
    return Scene("andromeda/final.html", more, heading)


def _in_short(state: State, won: tuple[str, ...]) -> str:
    """Return what broke a tie on points, or "" if there was no tie or the win is shared."""
    if not won:
        return ""
    total = score(state, won[0]).total
    level = _level(state, won)
    if len(level) == len(won):
        return ""
    technology = state.players[won[0]].technology
    by_ship = any(state.players[c].technology == technology for c in level if c not in won)
    return _("%(total)s, by ship", total=total) if by_ship else _("%(total)s, by technology", total=total)


def _level(state: State, won: tuple[str, ...]) -> tuple[str, ...]:
    """Return all players with as many points as the winners, the winners first."""
    best = score(state, won[0]).total
    return (*won, *(c for c in state.colours if c not in won and score(state, c).total == best))


def standings(state: State, won: tuple[str, ...]) -> tuple[AndromedaStanding, ...]:
    """Return all players, best first. Equal players have the same place."""
    known = faces(state.setting.seats)
    order = sorted(state.colours, key=lambda colour: rank(state, colour), reverse=True)
    longest = max(score(state, colour).total for colour in order) or 1
    ranks = [rank(state, colour) for colour in order]
    return tuple(
        AndromedaStanding(
            ranks.index(rank(state, colour)) + 1,
            known[colour],
            _parts(score(state, colour)),
            score(state, colour).total,
            colour in won,
            round(100 * score(state, colour).total / longest, 1),
            _held(state, colour),
            _counts(score(state, colour)),
        )
        for colour in order
    )


def _held(state: State, colour: str) -> tuple[tuple[str, int], ...]:
    held = ((label_of(state, planet), value) for planet, value in centres_held(state, colour))
    return tuple(sorted(held, key=lambda centre: -centre[1]))


def lead(state: State, won: tuple[str, ...]) -> str:
    """Return a sentence about how far ahead a single winner is and why, or "" if another player has as many points."""
    order = sorted(state.colours, key=lambda colour: rank(state, colour), reverse=True)
    if len(won) != 1 or len(_level(state, won)) > 1:
        return ""
    first, second = score(state, won[0]), score(state, order[1])
    known = faces(state.setting.seats)
    parts = [mine - theirs for mine, theirs in zip(_counts(first), _counts(second), strict=True)]
    ahead = ngettext(
        "%(num)s point ahead of %(name)s.",
        "%(num)s points ahead of %(name)s.",
        first.total - second.total,
        name=listed(known[c].name for c in order[1:] if score(state, c).total == second.total),
    )
    return f"{ahead} {translated(AHEAD[parts.index(max(parts))])}"


def _counts(points: Score) -> tuple[int, ...]:
    return points.centres, points.earth, points.technology, points.bonus


def _parts(points: Score) -> tuple[FinalPart, ...]:
    return tuple(FinalPart(at, count, LABELS[at]) for at, count in enumerate(_counts(points)) if count)


def tie(state: State, won: tuple[str, ...]) -> Tie | None:
    """Return how a tie on points was broken, or None if there was no tie."""
    level = _level(state, won) if won else ()
    if len(level) < 2:
        return None
    known = faces(state.setting.seats)
    names = listed(known[colour].name for colour in level)
    total = score(state, won[0]).total
    lines, words = _decided(state, won, level)
    both = (
        _("Both have %(total)s points.", total=total)
        if len(level) == 2
        else _("All have %(total)s points.", total=total)
    )
    others = [known[c].name for c in level if c not in won]
    winner = listed(known[c].name for c in won)
    question = _("Why %(winner)s beat %(others)s", winner=winner, others=listed(others))
    question = question if others else _("%(names)s are tied", names=names)
    return Tie(question, f"{both} {words}", tuple(known[c] for c in level), lines)


def _decided(state: State, won: tuple[str, ...], level: tuple[str, ...]) -> tuple[tuple[Duel, ...], str]:
    ranks = {colour: rank(state, colour) for colour in level}
    best = rank(state, won[0])
    by_technology = any(ranks[c][1] < best[1] for c in level)
    by_ship = any(ranks[c][1] == best[1] and ranks[c][2] < best[2] for c in level)
    needs_ship = by_ship or sum(ranks[c][1] == best[1] for c in level) > 1
    lines = (
        Duel(_("Points"), tuple((ranks[c][0], False) for c in level), True),
        Duel(_("Technology level"), tuple((ranks[c][1], by_technology and c in won) for c in level), True),
        Duel(
            _("Ship level") if needs_ship else _("Ship level (not needed)"),
            tuple((ranks[c][2], by_ship and c in won) for c in level),
            needs_ship,
        ),
    )
    return lines, _sentence(state, won, by_technology, by_ship)


def _sentence(state: State, won: tuple[str, ...], by_technology: bool, by_ship: bool) -> str:
    known = faces(state.setting.seats)
    names = listed(known[colour].name for colour in won)
    if len(won) > 1:
        return _("Technology and ship are level too: they share the win.")
    if by_ship and by_technology:
        return _("Ties go to technology, then to the bigger ship: %(name)s's.", name=names)
    if by_ship:
        return _("Technology is level too. The bigger ship wins: %(name)s's.", name=names)
    return _("The higher technology wins: %(name)s's.", name=names)
