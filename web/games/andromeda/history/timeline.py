"""The history of a game by rounds: each move in a sentence, with its planets and stations."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import Attempt, Phase, State, name_of
from companion.games.andromeda.tellings import TELLINGS, laid
from companion.games.andromeda.view import score, sees_credits
from companion.kernel.fields import Line
from companion.kernel.i18n import said
from companion.model.game import Viewer
from companion.session.moves import RecordedMove
from web.games.andromeda.components.board import planet_look
from web.games.andromeda.components.last_move import EARTH
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import TimelineMoment

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
    """Tell whether *move* only ends the game. Such a move is shown as the counting of credits."""
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
