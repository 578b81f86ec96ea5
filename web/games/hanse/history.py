"""The history of a game in chapters of ten turns, each move in a sentence; after the end, what decided it."""

from __future__ import annotations

from companion.games.hanse.places import PLANETS, planet_of
from companion.games.hanse.rules import TELLINGS
from companion.games.hanse.state import State, turn_of
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.game import Result
from companion.session.moves import RecordedMove
from web.games.hanse.setup import NEW_GAME
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import AfterGame, Compared, Decision, TimelineMoment

TURNS = 10


def chapter(state: State) -> str:
    """Return the heading of the chapter of *state*: a range of ten turns, or the set-up."""
    if state.turn is None:
        return _("Set-up")
    first = (state.turn.number - 1) // TURNS * TURNS + 1
    return _("Turns %(first)s to %(last)s", first=first, last=first + TURNS - 1)


def moment(move: RecordedMove, header: Line) -> TimelineMoment:
    """Return *move* as a sentence with pictures."""
    line, before = move.line.line, move.before
    return TimelineMoment(
        sentence=translated(TELLINGS.sentence(line, header)),
        seat=str(line.get("player") or ""),
        section=_("Turn %(num)s", num=before.turn.number) if before.turn else "",
        pictures=_pictures(line, before),
        onward=line["do"] in ("fly", "load"),
        correction=line["do"] == "correct",
    )


def _pictures(line: Line, before: State) -> tuple[str, ...]:
    """Return pictures of the planets where the move happened and where it leads."""
    here = before.players[line["player"]].place if line.get("player") in before.players else None
    match line["do"]:
        case "fly" | "load":
            places: tuple[str | None, ...] = (here, line["to"])
        case "unload" | "buy" | "flip":
            places = (here,)
        case str():
            places = (line.get("planet"), line.get("to"))
        case _:
            return ()
    found = [planet_of(place) for place in places if place is not None]
    return tuple(f"hx-{planet}" for planet in found if planet in PLANETS)


def decided(state: State, result: Result) -> Decision:
    """Return why the game ended and who was ahead, with Megagalax and technology cards of both players."""
    players = state.players
    lines = (
        Compared(_("Megagalax"), tuple((players[c].megagalax, c in result.winners) for c in state.colours)),
        Compared(_("Technology cards"), tuple((players[c].technology_cards, False) for c in state.colours)),
    )
    how = _("The last two goods cards left the game.") if state.ended_by == "goods" else ""
    return Decision(f"{translated(result.why)} {how}".strip(), colours=state.colours, lines=lines)


def lasted(state: State) -> str:
    """Return the number of turns in words."""
    return ngettext("%(num)s turn", "%(num)s turns", turn_of(state).number)


AFTER = AfterGame(points=said("Megagalax"), decided=decided, lasted=lasted, again=NEW_GAME.filled)
