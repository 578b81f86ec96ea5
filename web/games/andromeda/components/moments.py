"""The moments that are shown over the whole page: the result of a draw, a full planet, the last round, the winner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.scoring import rank, score, winners
from companion.games.andromeda.state import (
    FULL_PLANETS_TO_END,
    Attempt,
    State,
    best_free_centre,
    centres_of,
    clockwise_from,
    full_planets,
    label_of,
    stations_on,
)
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, TranscriptLine
from web.components.players import Face, faces, listed
from web.components.result_stage import ResultGain, ResultMoment
from web.games.andromeda.components.board import PlanetLook, planet_look
from web.games.andromeda.components.last_move import centre_taken, newest_draw, newest_line
from web.http.i18n import _, ngettext, translated

SURPLUS = "surplus"


@dataclass(frozen=True)
class PlanetFull:
    """The last centre of a planet was just taken. *slots* are its centres; the last in the tuple is the new one.

    *full* of *until* planets are full now.
    """

    at: int
    at_ms: int
    words: str
    small: str
    planet: PlanetLook
    slots: tuple[tuple[int, Face], ...]
    full: int
    until: int = FULL_PLANETS_TO_END
    kind: str = "full"
    cue: str = ""


@dataclass(frozen=True)
class LastRound:
    """The last round has just begun.

    *planets* are the full ones, *still* are the players who still have a turn in it.
    """

    at: int
    at_ms: int
    words: str
    small: str
    planets: tuple[PlanetLook, ...]
    still: tuple[Face, ...]
    kind: str = "last"
    cue: str = ""


@dataclass(frozen=True)
class FinalColumn:
    """A player's points at the end: without credits and with them, and both as shares of the highest score."""

    face: Face
    plain: int
    total: int
    plain_share: float
    share: float


@dataclass(frozen=True)
class GameWon:
    """The game has just ended. *columns* are the points of all players in seat order, *winners* the winners.

    The texts *opening* and *turned* are shown before the columns grow; *turned* only if credits were hidden.
    """

    at: int
    at_ms: int
    words: str
    small: str
    opening: str
    turned: str
    columns: tuple[FinalColumn, ...]
    winners: tuple[Face, ...]
    kind: str = "winner"
    cue: str = "centre"


Moment = ResultMoment | PlanetFull | LastRound | GameWon


def moments(snapshot: Snapshot) -> tuple[Moment, ...]:
    """Return the moments that the page shows in this order: a result, its consequences, and the winner at the end.

    Together they take eight seconds at most, so at the end of the game a planet that has become full isn't shown.
    """
    result, end = _result(snapshot), _game_won(snapshot)
    first = () if result is None else (result,)
    if end is not None:
        return (*first, end)
    return (*first, *_led_to(snapshot.state, result)) if result is not None and result.kind == "won" else first


def _led_to(state: State, result: ResultMoment) -> Iterator[PlanetFull | LastRound]:
    """Yield the moments of a full planet and of the last round, if the centre that was won caused them."""
    attempt: Attempt = state.attempt or state.tried[-1]
    if best_free_centre(state, attempt.planet) is not None:
        return
    full, place = full_planets(state), label_of(state, attempt.planet)
    words = _("%(planet)s is full", planet=place)
    look = planet_look(state.setting.board.planet(attempt.planet))
    yield PlanetFull(result.at, result.at_ms, words, _until_last(full), look, _slots(state, attempt), full)
    if full == FULL_PLANETS_TO_END:
        third = _("%(planet)s is the third full planet", planet=place)
        planets = tuple(planet_look(state.setting.board.planet(one)) for one in PLANETS if _is_full(state, one))
        yield LastRound(result.at, result.at_ms, _("Last round"), third, planets, _still_to_play(state))


def _until_last(full: int) -> str:
    """Return a message that says how many more full planets begin the last round, or "" if it has begun."""
    return (
        ngettext(
            "%(num)s more full planet, then the last round",
            "%(num)s more full planets, then the last round",
            FULL_PLANETS_TO_END - full,
        )
        if full < FULL_PLANETS_TO_END
        else ""
    )


def _is_full(state: State, planet: str) -> bool:
    return best_free_centre(state, planet) is None


def _slots(state: State, attempt: Attempt) -> tuple[tuple[int, Face], ...]:
    """Return the value and owner of each centre of the attempt's planet. The new one is last."""
    known, new = faces(state.setting.seats), centre_taken(state, attempt)
    values = state.setting.board.planet(attempt.planet).centres
    held = enumerate(zip(values, centres_of(state, attempt.planet), strict=True))
    found = [(f"{attempt.planet}/{at}" == new, value, owner) for at, (value, owner) in held if owner is not None]
    return tuple((value, known[owner]) for _new, value, owner in sorted(found, key=lambda one: one[0]))


def _still_to_play(state: State) -> tuple[Face, ...]:
    """Return the players from the one in turn to the last of the round."""
    order = clockwise_from(state, state.starter)
    return tuple(faces(state.setting.seats)[colour] for colour in order[order.index(state.turn) :])


def _game_won(snapshot: Snapshot) -> GameWon | None:
    """Return the moment of the winner if the newest event ended the game. A correction after the end doesn't count."""
    state, line = snapshot.state, newest_line(snapshot)
    if not state.finished or line is None or line.line.get("do") == "correct":
        return None
    won, known = winners(state), faces(state.setting.seats)
    names, total = listed(known[colour].name for colour in won), score(state, won[0]).total
    words = (
        _("%(name)s wins with %(num)s", name=names, num=total)
        if len(won) == 1
        else _("%(names)s share the win", names=names)
    )
    turned = _("Credits are turned up") if state.options.show_bonus_credits == "end" else ""
    opening = _("The last action is played")
    first = tuple(known[colour] for colour in won)
    return GameWon(line.id, line.at_ms, words, _ahead(state, won), opening, turned, _columns(state), first)


def _columns(state: State) -> tuple[FinalColumn, ...]:
    points = {face: score(state, face.colour) for face in faces(state.setting.seats).values()}
    most = max(one.total for one in points.values()) or 1
    return tuple(
        FinalColumn(face, one.total - one.bonus, one.total, (one.total - one.bonus) / most, one.total / most)
        for face, one in points.items()
    )


def _ahead(state: State, won: tuple[str, ...]) -> str:
    """Return a message that says how far ahead a single winner is, or what broke the tie."""
    if len(won) != 1:
        return ""
    known, best = faces(state.setting.seats), rank(state, won[0])
    ranks = {colour: rank(state, colour) for colour in state.colours if colour != won[0]}
    next_best = max(ranks.values())[0]
    names = listed(known[colour].name for colour, one in ranks.items() if one[0] == next_best)
    if next_best < best[0]:
        ahead = best[0] - next_best
        return ngettext("%(num)s point ahead of %(name)s", "%(num)s points ahead of %(name)s", ahead, name=names)
    if any(one[:2] == best[:2] for one in ranks.values()):
        return _("Level with %(names)s, ahead by ship", names=names)
    return _("Level with %(names)s, ahead by technology", names=names)


def _result(snapshot: Snapshot) -> ResultMoment | None:
    """Return the result to show if a draw or a surplus station is the newest event, otherwise None."""
    notice = snapshot.newest_notice
    if notice is not None and notice.kind == SURPLUS:
        return ResultMoment(
            notice.id, notice.at_ms, "back", _("Put it back"), str(translated(notice.text)), cue="unsure"
        )
    line, state = newest_draw(snapshot), snapshot.state
    attempt: Attempt | None = state.attempt or (state.tried[-1] if state.tried else None)
    if line is None or attempt is None or line.line["do"] == "stop_drawing":
        return None
    if line.line["do"] == "double_exit" and "out" not in line.line:
        return _both_back(state, line)
    return _drawn(snapshot, line, attempt) if attempt.drawn else None


def _both_back(state: State, line: TranscriptLine) -> ResultMoment:
    known = faces(state.setting.seats)
    pieces = tuple(known[colour] for colour in line.line["colours"])
    return ResultMoment(
        line.id, line.at_ms, "back", _("Put both back"), _("Both go back. No draw is used."), pieces, cue="unsure"
    )


def _drawn(snapshot: Snapshot, line: TranscriptLine, attempt: Attempt) -> ResultMoment:
    state: State = snapshot.state
    face = faces(state.setting.seats)[attempt.drawn[-1]]
    gain = ResultGain(attempt.took or 1, _total(snapshot, face))
    if attempt.took:
        place = label_of(state, attempt.planet)
        return ResultMoment(
            line.id, line.at_ms, "won", face.name, place, (face,), attempt.took, gain=gain, cue="centre"
        )
    if state.attempt is not None:
        left = ngettext("%(num)s draw left", "%(num)s draws left", attempt.draws_left)
        return ResultMoment(line.id, line.at_ms, "home", face.name, left, (face,), gain=gain, cue="home")
    return _missed(state, line, attempt, face, gain)


def _missed(state: State, line: TranscriptLine, attempt: Attempt, face: Face, gain: ResultGain) -> ResultMoment:
    """Return the result of an attempt that won no centre. It shows the player whose attempt it was."""
    name, place = faces(state.setting.seats)[attempt.player].name, label_of(state, attempt.planet)
    slot = best_free_centre(state, attempt.planet)
    value = 0 if slot is None else state.setting.board.planet(attempt.planet).centres[slot]
    small = _("The %(value)s at %(planet)s stays free", value=value, planet=place)
    if not any(stations_on(state, attempt.planet).values()):
        small = _("The ring is empty.")
    words = _("No centre for %(name)s", name=name)
    home = _("%(name)s, home to Earth", name=face.name)
    return ResultMoment(line.id, line.at_ms, "miss", words, small, (face,), 0, value, gain, "home", home)


def _total(snapshot: Snapshot, face: Face) -> int:
    """Return the player's public score, without hidden credits."""
    assert snapshot.game is not None, "a score belongs to a game"
    total: int = snapshot.game.view(snapshot.state, Viewer())["players"][face.colour]["score"]["total"]
    return total
