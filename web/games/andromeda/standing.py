"""The end: points by where they come from, why it was this one, and how kind the ring was."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from companion.game import Viewer
from companion.games.andromeda.scoring import Score, rank, score
from companion.games.andromeda.state import State
from companion.sight import Sight
from web.gamepages import Scene
from web.games.andromeda.around import bar, surroundings
from web.games.andromeda.faces import Face, counted, faces, listed
from web.games.andromeda.luck import luck, luck_note
from web.games.andromeda.setting_a_table import filled_from


@dataclass(frozen=True)
class Part:
    """One stretch of a player's bar."""

    kind: int
    points: int
    label: str


@dataclass(frozen=True)
class Standing:
    """One player at the end; *share* is the bar's width in percent of the longest."""

    place: int
    face: Face
    parts: tuple[Part, ...]
    total: int
    won: bool
    share: float


@dataclass(frozen=True)
class Duel:
    """One line of what decided a tie: a value for each of those who were level."""

    label: str
    values: tuple[tuple[int, bool], ...]
    needed: bool


@dataclass(frozen=True)
class Tie:
    """How a tie on points was decided, or that it was not."""

    question: str
    words: str
    faces: tuple[Face, ...]
    lines: tuple[Duel, ...]


LABELS = ("centres", "stations on Earth", "technology", "credits in hand")


def final_scene(sight: Sight, viewer: Viewer, may_act: bool) -> Scene:
    """Return the page of a finished game."""
    state: State = sight.state
    known = faces(state.setting.seats)
    assert sight.game is not None, "a result belongs to a game"
    result = sight.game.result(state)
    won = result.winners if result else ()
    names = listed(known[colour].name for colour in won)
    heading = bar(
        state,
        f"{names} {'wins' if len(won) == 1 else 'share the win'}",
        face=known[won[0]] if len(won) == 1 else None,
        left_words=_in_short(state, won),
    )
    more = {
        "standings": standings(state, won),
        "tie": tie(state, won),
        "luck": luck(state),
        "luck_note": luck_note(state) if state.tried else "",
        "why": result.why if result else "",
        "again": "/new?" + urlencode(filled_from(sight.header)) if sight.header else "/new",
    }
    return Scene("andromeda/final.html", surroundings(sight, viewer, heading, may_act) | more)


def _in_short(state: State, won: tuple[str, ...]) -> str:
    if not won:
        return ""
    total = score(state, won[0]).total
    level = _level(state, won)
    if len(level) == len(won):
        return counted(total, "point")
    technology = state.players[won[0]].technology
    by_ship = any(state.players[c].technology == technology for c in level if c not in won)
    return f"{total}, by {'ship' if by_ship else 'technology'}"


def _level(state: State, won: tuple[str, ...]) -> tuple[str, ...]:
    """Return everybody with as many points as the winners, the winners first."""
    best = score(state, won[0]).total
    return (*won, *(c for c in state.colours if c not in won and score(state, c).total == best))


def standings(state: State, won: tuple[str, ...]) -> tuple[Standing, ...]:
    """Return all players, best first; equals share a place."""
    known = faces(state.setting.seats)
    order = sorted(state.colours, key=lambda colour: rank(state, colour), reverse=True)
    longest = max(score(state, colour).total for colour in order) or 1
    ranks = [rank(state, colour) for colour in order]
    return tuple(
        Standing(
            ranks.index(rank(state, colour)) + 1,
            known[colour],
            _parts(score(state, colour)),
            score(state, colour).total,
            colour in won,
            round(100 * score(state, colour).total / longest, 1),
        )
        for colour in order
    )


def _parts(points: Score) -> tuple[Part, ...]:
    counts = (points.centres, points.earth, points.technology, points.bonus)
    return tuple(Part(at, count, LABELS[at]) for at, count in enumerate(counts) if count)


def tie(state: State, won: tuple[str, ...]) -> Tie | None:
    """Return how those who were level on points were told apart, None when nobody was level."""
    level = _level(state, won) if won else ()
    if len(level) < 2:
        return None
    known = faces(state.setting.seats)
    names = listed(known[colour].name for colour in level)
    total = score(state, won[0]).total
    lines, words = _decided(state, won, level)
    both = "Both" if len(level) == 2 else "All of them"
    others = [known[c].name for c in level if c not in won]
    question = f"Why {listed(known[c].name for c in won)} and not {listed(others)}?" if others else f"{names} are level"
    return Tie(question, f"{both} have {counted(total, 'point')}. {words}", tuple(known[c] for c in level), lines)


def _decided(state: State, won: tuple[str, ...], level: tuple[str, ...]) -> tuple[tuple[Duel, ...], str]:
    ranks = {colour: rank(state, colour) for colour in level}
    best = rank(state, won[0])
    by_technology = any(ranks[c][1] < best[1] for c in level)
    by_ship = any(ranks[c][1] == best[1] and ranks[c][2] < best[2] for c in level)
    needs_ship = by_ship or sum(ranks[c][1] == best[1] for c in level) > 1
    lines = (
        Duel("Points", tuple((ranks[c][0], False) for c in level), True),
        Duel("Technology level", tuple((ranks[c][1], by_technology and c in won) for c in level), True),
        Duel(
            "Ship level" + ("" if needs_ship else ", not needed"),
            tuple((ranks[c][2], by_ship and c in won) for c in level),
            needs_ship,
        ),
    )
    return lines, _sentence(state, won, by_technology, by_ship)


def _sentence(state: State, won: tuple[str, ...], by_technology: bool, by_ship: bool) -> str:
    known = faces(state.setting.seats)
    names = listed(known[colour].name for colour in won)
    if len(won) > 1:
        return "Technology and ship are equal too, so they share the win."
    if by_ship and by_technology:
        return f"Then the higher technology counts, and after that the bigger ship, and that is {names}'s."
    if by_ship:
        return f"Technology is equal too. Then the bigger ship wins, and that is {names}'s."
    return f"Then the higher technology wins, and that is {names}'s."
