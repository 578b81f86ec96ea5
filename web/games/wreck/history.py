"""The history of a game by rounds, each move in a sentence; after the end, what decided it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.dice import SYMBOLS
from companion.games.wreck.rooms import ROOMS
from companion.games.wreck.scoring import scores
from companion.games.wreck.state import Phase, State
from companion.games.wreck.tellings import TELLINGS
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.session.moves import RecordedMove
from web.games.wreck.new_game import NEW_GAME
from web.games.wreck.play.effects import effect_in_words
from web.http.formatting import listed
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import AfterGame, TimelineMoment

SECTIONS = {
    Phase.SETUP: "",
    Phase.OFFERS: said("Offers"),
    Phase.TURNS: said("Turns"),
    Phase.CLEANUP: said("Clean-up"),
    Phase.FINISHED: "",
}
MOST_PICTURES = 4


def chapter(state: State) -> str:
    """Return the heading of the chapter: the round that *state* is in, or the set-up."""
    return _("Set-up") if state.phase is Phase.SETUP else _("Round %(num)s", num=state.round)


def points(state: State) -> Mapping[str, int]:
    """Return each player's KP in seat order."""
    return {colour: score.total for colour, score in scores(state).items()}


def moment(move: RecordedMove, header: Line) -> TimelineMoment:
    """Return *move* as a sentence with pictures."""
    line = move.line.line
    return TimelineMoment(
        sentence=translated(TELLINGS.sentence(line, header)),
        seat=str(line.get("player") or ""),
        section=translated(SECTIONS[move.before.phase]),
        aside=_aside(line, header),
        pictures=_pictures(line),
        tokens=_tokens(line),
        onward=line["do"] in ("move", "quarters", "explore", "hangar"),
        correction=line["do"] == "correct",
    )


def _aside(line: Line, header: Line) -> str:
    return listed(effect_in_words(each, header) for each in line.get("effects", ()))


def _pictures(line: Line) -> tuple[str, ...]:
    """Return the pictures of the rooms and dice in the move."""
    steps = [room for step in line.get("steps", ()) for room in step]
    named = [line.get("from"), line.get("room"), *line.get("remove", ()), *steps]
    named += [line.get("to")] if isinstance(line.get("to"), str) else [*line.get("to", ())]
    rooms = [f"pic-wr-{each}" for each in dict.fromkeys(named) if each in ROOMS]
    dice = [*line.get("dice", ())] if line["do"] == "offer" else [line.get("die")]
    return tuple([*(f"pic-wd-{die}" for die in dice if die in SYMBOLS), *rooms][:MOST_PICTURES])


def _tokens(line: Line) -> tuple[str, ...]:
    swap = [colour for colour, _room in line.get("swap", ())]
    return tuple(swap or ([str(line["colour"])] if "colour" in line else []))


def came_from(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return each player's KP from rooms, missions and cards."""
    return {colour: (each.rooms, each.missions, each.cards) for colour, each in scores(state).items()}


def lasted(state: State) -> str:
    """Return the number of rounds in words."""
    return ngettext("%(num)s round", "%(num)s rounds", state.round)


AFTER = AfterGame(
    points=said("control points"),
    sources=(said("Rooms"), said("Missions"), said("Cards")),
    came_from=came_from,
    by_round=said("Control points after each round"),
    lasted=lasted,
    again=NEW_GAME.filled,
)
