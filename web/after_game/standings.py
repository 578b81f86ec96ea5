"""The final order of players, their points, and the sources of these points."""

from __future__ import annotations

from companion.kernel.values import dataclass
from web.after_game.over import Over
from web.components.players import Face, listed
from web.http.i18n import _, ngettext


@dataclass(frozen=True)
class GameStanding:
    """A player at the end.

    *share* is the length of the bar in percent of the longest bar; *parts* are the points by source.

    *left* says that the player left before the end.
    """

    place: int
    face: Face
    total: int
    won: bool
    share: float
    parts: tuple[int, ...] = ()
    left: bool = False


def standings(over: Over) -> tuple[GameStanding, ...]:
    """Return all players: the winners first, then the others by points. Empty without points or winners."""
    won = () if over.result is None else over.result.winners
    if not over.totals and not won:
        return ()
    totals = over.totals or dict.fromkeys(over.colours, 0)
    ranks = {colour: (colour in won, totals[colour]) for colour in over.colours if colour in totals}
    order = sorted(ranks, key=lambda colour: ranks[colour], reverse=True)
    places = [ranks[colour] for colour in order]
    longest = max([1, *totals.values()])
    parts = over.after.came_from(over.seen.state)
    return tuple(
        GameStanding(
            places.index(ranks[colour]) + 1,
            over.faces[colour],
            totals[colour],
            colour in won,
            round(100 * max(totals[colour], 0) / longest, 1),
            parts.get(colour, ()),
            colour in over.left,
        )
        for colour in order
    )


def tallied(over: Over) -> tuple[GameStanding, ...]:
    """Return the players of a game without points by the first thing that the game counts, highest first.

    Otherwise the result is empty.
    """
    if over.totals or not over.after.counted:
        return ()
    counts = {colour: each[0] for colour, each in over.after.counts(over.seen.state).items() if colour in over.faces}
    longest = max([1, *counts.values()])
    order = sorted(counts, key=lambda colour: -counts[colour])
    shares = {colour: round(100 * count / longest, 1) for colour, count in counts.items()}
    return tuple(
        GameStanding(place, over.faces[colour], counts[colour], False, shares[colour], left=colour in over.left)
        for place, colour in enumerate(order, 1)
    )


def leaders(over: Over) -> tuple[str, ...]:
    """Return the winners, or who was ahead when the game was stopped. Empty if all players are equal."""
    if over.result is not None:
        return tuple(over.result.winners)
    first = tuple(colour for colour, total in over.totals.items() if total == max(over.totals.values()))
    return first if len(first) < len(over.totals) else ()


def headline(over: Over) -> str:
    """Return a headline that says who won, or who was ahead when the game was stopped."""
    first = leaders(over)
    names = listed(over.faces[colour].name for colour in first)
    if over.result is None:
        ahead = ngettext("%(names)s was ahead", "%(names)s were ahead", len(first), names=names)
        return ahead if first else _("Game ended early")
    if len(first) == 1:
        return _("%(name)s wins", name=names)
    return _("%(names)s share the win", names=names) if first else _("Game over")
