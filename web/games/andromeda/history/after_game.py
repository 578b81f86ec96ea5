"""A finished game: the sources of points, what decided it, and luck with the ring."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.andromeda.odds import success
from companion.games.andromeda.state import State
from companion.games.andromeda.view import Score, rank, score, sees_credits
from companion.kernel.i18n import said
from companion.model.game import Result, Viewer
from web.components.players import faces, listed
from web.games.andromeda.setup.new_game import NEW_GAME
from web.http.i18n import _, decimals, ngettext, translated
from web.request.game_pages import AfterGame, Compared, Decision, GameLuck, SeatLuck

AHEAD = (
    said("Centres made the difference."),
    said("Stations on Earth made the difference."),
    said("Technology made the difference."),
    said("Bonus credits made the difference."),
)
"""Sentences about the source of points that decided the game, in the order of a score's parts."""
LEAST_SPAN = 2.0
"""The axis of luck covers at least this many centres on each side, so that half a centre looks small."""


def came_from(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return each player's points for centres, stations on Earth and technology, and for credits if they are public."""
    return {colour: _parts(state, colour) for colour in state.colours}


def _parts(state: State, colour: str) -> tuple[int, ...]:
    points = score(state, colour)
    bonus = points.bonus if sees_credits(state, colour, Viewer()) else 0
    return points.centres, points.earth, points.technology, bonus


def decided(state: State, result: Result) -> Decision:
    """Return how a tie on points was broken, or by how much a single winner is ahead and why."""
    won = result.winners
    level = _level(state, won) if won else ()
    if len(level) > 1:
        return _tie(state, won, level)
    return Decision(_lead(state, won[0]) if len(won) == 1 else str(translated(result.why)))


def _level(state: State, won: tuple[str, ...]) -> tuple[str, ...]:
    """Return all players with as many points as the winners, the winners first."""
    best = score(state, won[0]).total
    return (*won, *(c for c in state.colours if c not in won and score(state, c).total == best))


def _lead(state: State, winner: str) -> str:
    others = sorted((c for c in state.colours if c != winner), key=lambda c: rank(state, c), reverse=True)
    first, second = score(state, winner), score(state, others[0])
    known = faces(state.setting.seats)
    parts = [mine - theirs for mine, theirs in zip(_parts_of(first), _parts_of(second), strict=True)]
    ahead = ngettext(
        "%(num)s point ahead of %(name)s.",
        "%(num)s points ahead of %(name)s.",
        first.total - second.total,
        name=listed(known[c].name for c in others if score(state, c).total == second.total),
    )
    return f"{ahead} {translated(AHEAD[parts.index(max(parts))])}"


def _parts_of(points: Score) -> tuple[int, ...]:
    return points.centres, points.earth, points.technology, points.bonus


def _tie(state: State, won: tuple[str, ...], level: tuple[str, ...]) -> Decision:
    known = faces(state.setting.seats)
    total = score(state, won[0]).total
    both = (
        _("Both have %(total)s points.", total=total)
        if len(level) == 2
        else _("All have %(total)s points.", total=total)
    )
    others = listed(known[c].name for c in level if c not in won)
    names = listed(known[c].name for c in (won if others else level))
    heading = _("Why %(winner)s beat %(others)s", winner=names, others=others)
    lines, words = _compared(state, won, level)
    return Decision(f"{both} {words}", heading if others else _("%(names)s are tied", names=names), level, lines)


def _compared(state: State, won: tuple[str, ...], level: tuple[str, ...]) -> tuple[tuple[Compared, ...], str]:
    ranks = {colour: rank(state, colour) for colour in level}
    best = rank(state, won[0])
    by_technology = any(ranks[c][1] < best[1] for c in level)
    by_ship = any(ranks[c][1] == best[1] and ranks[c][2] < best[2] for c in level)
    needs_ship = by_ship or sum(ranks[c][1] == best[1] for c in level) > 1
    lines = (
        Compared(_("Points"), tuple((ranks[c][0], False) for c in level)),
        Compared(_("Technology level"), tuple((ranks[c][1], by_technology and c in won) for c in level)),
        Compared(
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


def luck(state: State, left: Collection[str] = ()) -> GameLuck | None:
    """Return the number of centres of all players except those in *left*, against the number expected by chance.

    None if nobody made an attempt.
    """
    if not state.tried:
        return None
    seats, spreads = [], []
    for colour in state.colours:
        own = [attempt for attempt in state.tried if attempt.player == colour]
        chances = [float(success(attempt.stations, attempt.own, attempt.draws)) for attempt in own]
        got, expected = sum(attempt.took > 0 for attempt in own), sum(chances)
        spreads.append(sum(share * (1 - share) for share in chances) ** 0.5)
        if colour not in left:
            seats.append(SeatLuck(colour, str(got), decimals(expected), got - expected))
    usual = _("%(num)s centres either way is ordinary luck.", num=decimals(sum(spreads) / len(spreads)))
    return GameLuck(_("Luck: centres, of expected"), tuple(seats), usual, LEAST_SPAN)


def lasted(state: State) -> str:
    """Return the number of rounds in words."""
    return ngettext("%(num)s round", "%(num)s rounds", state.round)


AFTER = AfterGame(
    points="",
    sources=(said("Centres"), said("Stations on Earth"), said("Technology"), said("Credits")),
    came_from=came_from,
    by_round=said("Points after each round"),
    decided=decided,
    luck=luck,
    lasted=lasted,
    again=NEW_GAME.filled,
)
