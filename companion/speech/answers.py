"""Spoken answers for any game: the score, the seats that must act, and their possible actions."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.said import Said, listed, said, word
from companion.model.facts import SCORE
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, Status
from companion.model.speech import TURN
from companion.speech.moves import turn
from companion.speech.questions import question

Answer = tuple[Said, ...]


def turn_answer(seen: Snapshot, seat: str | None) -> Answer:
    """Return sentences that say which seats must act, and how. If *seat* must act, it comes first."""
    game = seen.game
    if game is None:
        return (said("The table is empty."),)
    ended = game.result(seen.state)
    if ended is not None:
        return (word(ended.why),)
    halted = _halted(seen)
    mine = (said("It's your turn."),) if seat in game.waited_for(seen.state) and not halted else ()
    return (*halted, *mine, *_by_the_ring(seen), *_by_the_game(game, seen, seat), *_ready(seen, game))


def _halted(seen: Snapshot) -> Answer:
    stopped = {Status.PAUSED: said("The game is paused."), Status.ABANDONED: said("The game was ended early.")}
    return (stopped[seen.status],) if seen.status in stopped else ()


def _by_the_ring(seen: Snapshot) -> Answer:
    """Return the unanswered question of the ring."""
    if not seen.questions or seen.game is None:
        return ()
    names = {each.colour: each.name for each in seen.game.seats(seen.state)}
    return tuple(one.text for one in question(seen.questions[0], names, None))


def _by_the_game(game: AnyGame, seen: Snapshot, seat: str | None) -> Answer:
    if game.facts is not None:
        return game.facts.answer(seen.state, TURN, seat)
    texts = tuple(one.text for one in turn(game, seen.state))
    names = {each.colour: each.name for each in game.seats(seen.state)}
    waited = [names[colour] for colour in game.waited_for(seen.state)]
    return texts or ((said("The table waits for %(names)s.", names=listed(waited)),) if waited else ())


def _ready(seen: Snapshot, game: AnyGame) -> Answer:
    """Return sentences that say which players are ready, in a step that all players do at once."""
    ready = () if seen.timing is None else seen.timing.ready
    names = [each.name for each in game.seats(seen.state) if each.colour in ready]
    return (said("Ready: %(names)s.", names=listed(names)),) if names else ()


def score_answer(seen: Snapshot, points: Mapping[str, int], seat: str | None) -> Answer:
    """Return sentences with all *points* in seat order, and how far *seat* is behind or ahead.

    Without *seat*, the last sentence says who leads.
    """
    game = seen.game
    if game is None:
        return (said("The points are counted at the end."),)
    besides = () if game.facts is None else game.facts.answer(seen.state, SCORE, seat)
    if not points:
        return besides or (said("The points are counted at the end."),)
    names = {each.colour: each.name for each in game.seats(seen.state)}
    each = [Said("%(name)s %(count)s", {"name": names[colour], "count": count}) for colour, count in points.items()]
    return (Said("%(points)s.", {"points": listed(each)}), *_gap(names, points, seat), *besides)


def _gap(names: Mapping[str, str], points: Mapping[str, int], seat: str | None) -> Answer:
    best = max(points.values())
    leaders = [colour for colour, count in points.items() if count == best]
    if seat is not None and points.get(seat, best) < best:
        return (said("You're %(num)s behind %(name)s.", num=best - points[seat], name=names[leaders[0]]),)
    if len(leaders) == len(points):
        return (said("All are level."),)
    if len(leaders) > 1:
        return (said("In the lead: %(names)s.", names=listed([names[colour] for colour in leaders])),)
    ahead = best - max((count for colour, count in points.items() if colour != leaders[0]), default=0)
    if seat == leaders[0]:
        return (said("You lead by %(num)s.", num=ahead),)
    return (said("%(name)s leads by %(num)s.", name=names[leaders[0]], num=ahead),)
