"""The history of a table, in chapters of twenty draws. Each line is a sentence with the cubes that it moved."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.draws.rules import TELLINGS
from companion.games.draws.state import State
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.session.moves import RecordedMove
from web.games.draws.cubes import cube_faces
from web.games.draws.new_game import NEW_GAME
from web.games.draws.tally import closing_rows
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import AfterGame, Scene, TimelineMoment


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return how many cubes each player has drawn."""
    return {seat: (sum(state.drew.get(seat, {}).values()),) for seat in state.seats}


def closed(state: State) -> Scene:
    """Return the table of the cubes that each player holds, and of those that must be left inside."""
    return Scene("draws/screen.html", {"rows": closing_rows(state), "cubes": cube_faces(state.colours), "style": STYLE})


def lasted(state: State) -> str:
    """Return the number of draws in words, and that of the cubes if one draw had several."""
    draws = ngettext("%(num)s draw", "%(num)s draws", state.draws)
    cubes = sum(sum(drew.values()) for drew in state.drew.values())
    if cubes == state.draws:
        return draws
    out = ngettext("%(num)s cube", "%(num)s cubes", cubes)
    return f"{draws}, {out}"


AFTER = AfterGame(
    points="",
    counted=(said("Cubes drawn"),),
    counts=counts,
    lasted=lasted,
    again=NEW_GAME.filled,
    slot=closed,
)

DRAWS = 20
STYLE = "/static/draws/draws.css"
MOST_PIECES = 12


def chapter(state: State) -> str:
    """Return the title of the chapter that *state* belongs to."""
    first = state.draws // DRAWS * DRAWS
    return _("Draws %(first)s to %(last)s", first=first + 1, last=first + DRAWS)


def moment(move: RecordedMove, header: Line) -> TimelineMoment:
    """Return *move* as a sentence with cubes."""
    line, before = move.line.line, move.before
    return TimelineMoment(
        sentence=translated(TELLINGS.sentence(line, header, before)),
        seat=_seat(line, before),
        pieces=_pieces(line),
        opening=line["do"] == "take" and "back" not in line,
        correction=line["do"] == "correct",
    )


def _seat(line: Line, before: State) -> str:
    seat = line.get("player", before.taker if line["do"] == "draw" else "")
    return seat if before.name_of(seat) else ""


def _pieces(line: Line) -> tuple[str, ...]:
    if "colour" in line:
        return (str(line["colour"]),)
    if line["do"] == "correct":
        return ()
    cubes = [colour for colour, count in line.get("cubes", {}).items() for _ in range(count)]
    return tuple(cubes) if len(cubes) <= MOST_PIECES else tuple(line["cubes"])
