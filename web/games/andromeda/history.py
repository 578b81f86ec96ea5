"""The history of a game by rounds, a sentence for each move; after the end, what decided it, and all points."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.odds import success
from companion.games.andromeda.scoring import Score, rank, score
from companion.games.andromeda.state import Attempt, Phase, State, name_of
from companion.games.andromeda.tellings import TELLINGS
from companion.games.andromeda.trading_sentences import laid
from companion.games.andromeda.view import sees_credits
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.game import Result, Viewer
from companion.session.moves import RecordedMove
from web.components.players import faces, listed
from web.games.andromeda.components.board import planet_look
from web.games.andromeda.components.last_move import EARTH
from web.games.andromeda.setup.new_game import NEW_GAME
from web.http.i18n import _, decimals, ngettext, translated
from web.request.game_pages import AfterGame, Compared, Decision, GameLuck, SeatLuck, TimelineMoment

SECTIONS = {
    Phase.SETUP: "",
    Phase.CARDS: said("Cards"),
    Phase.TRANSPORT: said("Transport"),
    Phase.TRADING: said("Trading"),
    Phase.ACTIONS: said("Actions"),
    Phase.FINISHED: "",
}


def chapter(state: State) -> str:
    """Return the heading of the chapter: the round that *state* is in, or the set-up."""
    return _("Set-up") if state.phase is Phase.SETUP else _("Round %(num)s", num=state.round)


def points(state: State) -> Mapping[str, int]:
    """Return each player's public points in seat order."""
    found = {}
    for colour in state.colours:
        counted = score(state, colour)
        found[colour] = counted.total - (0 if sees_credits(state, colour, Viewer()) else counted.bonus)
    return found


def moment(move: RecordedMove, header: Line) -> TimelineMoment:
    """Return *move* as a sentence with pictures."""
    line, before = move.line.line, move.before
    return TimelineMoment(
        sentence=_sentence(move, header),
        seat="" if _counts(move) else str(line.get("player") or line.get("colour") or ""),
        section=translated(SECTIONS[before.phase]),
        aside=_aside(move),
        pictures=_pictures(move),
        tokens=_tokens(line),
        onward=line["do"] in ("draw", "transport", "swap", "correct"),
        correction=line["do"] == "correct",
        card=translated(laid(line, header)) if line["do"] == "lay" else "",
        alike=_("keep the transport card") if line.get("move") == "pass" else "",
        answers=line["do"] in ("keep", "leave"),
    )


def _sentence(move: RecordedMove, header: Line) -> str:
    line = move.line.line
    if _counts(move):
        return _("The credits are counted")
    if line["do"] != "draw":
        return str(translated(TELLINGS.sentence(line, header)))
    name, attempt = name_of(move.before, line["colour"]), _attempt(move.after)
    if attempt.took and attempt.drawn[-1:] == (line["colour"],):
        return _("%(name)s's station comes out and takes the %(value)s", name=name, value=attempt.took)
    return _("%(name)s's station comes out and flies home", name=name)


def _attempt(state: State) -> Attempt:
    """Return the attempt that a draw belongs to, whether it is still open or ended with that draw."""
    return state.attempt or state.tried[-1]


def _aside(move: RecordedMove) -> str:
    line, before = move.line.line, move.before
    match line["do"]:
        case "establish":
            return _draws(_attempt(move.after), name_of(before, line["player"]))
        case "correct":
            return _was(before, line)
        case "end_turn" if _ends(move):
            return ""
        case _ if _ends(move):
            return _("and the credits are counted")
        case _:
            return ""


def _counts(move: RecordedMove) -> bool:
    """Tell whether *move* only ends the game. The history shows such a move as the counting of credits."""
    return move.line.line["do"] == "end_turn" and _ends(move)


def _ends(move: RecordedMove) -> bool:
    """Tell whether *move* was the last move of the game."""
    return move.after.phase is Phase.FINISHED and move.before.phase is not Phase.FINISHED


def _draws(attempt: Attempt, name: str) -> str:
    if attempt.own == attempt.stations == 1:
        return ngettext(
            "%(num)s draw; the only station is %(name)s's",
            "%(num)s draws; the only station is %(name)s's",
            attempt.draws,
            name=name,
        )
    if attempt.own == attempt.stations:
        return ngettext(
            "%(num)s draw; all stations are %(name)s's",
            "%(num)s draws; all stations are %(name)s's",
            attempt.draws,
            name=name,
        )
    return ngettext(
        "%(num)s draw; %(name)s has %(own)s of the %(all)s stations",
        "%(num)s draws; %(name)s has %(own)s of the %(all)s stations",
        attempt.draws,
        own=attempt.own,
        all=attempt.stations,
        name=name,
    )


def _was(before: State, line: Line) -> str:
    """Return the number before a correction, or "" if the correction didn't change a number."""
    was = next((getattr(before.players[line["player"]], of) for of in _AMOUNTS if of in line), None)
    return "" if was is None else _("before: %(num)s", num=was)


_AMOUNTS = ("ship", "technology", "transport", "hand")


def _pictures(move: RecordedMove) -> tuple[str, ...]:
    """Return the pictures of a move: its planets, the cards that were swapped, or its route."""
    line, before = move.line.line, move.before
    where: tuple[object, ...] = (line.get("planet"), line.get("card"))
    if line["do"] == "draw":
        attempt = _attempt(move.after)
        where = (attempt.planet,) if attempt.took else (attempt.planet, EARTH)
    elif line["do"] == "transport" and line["move"] != "pass":
        where = (EARTH, line["planet"]) if line["move"] == "to_planet" else (line["planet"], EARTH)
    elif line["do"] == "swap" and before.trading is not None:
        where = before.trading.sets[line["player"]]
    elif isinstance(line.get("move"), Mapping):
        where = (line["move"]["from"].partition("/")[0], line["move"]["to"].partition("/")[0])
    return tuple(_mark(before, str(each)) for each in where if each in (*PLANETS, EARTH))


def _mark(state: State, planet: str) -> str:
    return "pl-earth" if planet == EARTH else f"pl-{planet_look(state.setting.board.planet(planet)).symbol}"


def _tokens(line: Line) -> tuple[str, ...]:
    if line["do"] == "double_exit":
        return tuple(line["colours"])
    return (str(line["with"]),) if line["do"] == "swap" else ()


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
    return lines, _reason_sentence(state, won, by_technology, by_ship)


def _reason_sentence(state: State, won: tuple[str, ...], by_technology: bool, by_ship: bool) -> str:
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

    Return None if nobody made an attempt.
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
