"""The page of a practice game: the board, the last move, and the meaning of the move in one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from companion.autoplay.demo import DemoStatus
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.explanations import earned
from companion.games.andromeda.state import (
    KINDS,
    State,
)
from companion.games.andromeda.tellings import TELLINGS
from companion.kernel.fields import Line
from companion.kernel.i18n import joined
from web.components.players import Face, faces
from web.components.practice import practice
from web.games.andromeda.actions.turn import last_draws
from web.games.andromeda.components.board import picture
from web.games.andromeda.components.layout import bar, where
from web.games.andromeda.setup.demo import RECORD
from web.request.game_pages import Scene

SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"), ("yellow", "Dora"))


@dataclass(frozen=True)
class Laid:
    """One player's cards on the table in a trading phase: planets by slot, credits by kind."""

    face: Face
    planets: tuple[str, ...]
    credits: tuple[str, ...]


def practice_header() -> Line:
    """Return the header of a practice game for four simulated players on the example board."""
    return {**RECORD, "players": [{"colour": colour, "name": name} for colour, name in SEATS], "first": "red"}


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice game."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    words, phase = where(state)
    own = {"draws": last_draws(state), "laid": _laid(state), "phase": phase, "picture": picture(snapshot)}
    told = practice(shown, words, TELLINGS.sentence, explained)
    return Scene("andromeda/practice.html", own | told, bar(state, ""))


def explained(line: Line, header: Line, before: State, after: State) -> tuple[str, str]:
    """Return the meaning of *line*, given the states *before* and *after* it, and the name of its rules card."""
    means, card = TELLINGS.explained(line, header, before, after)
    credit = earned(str(line.get("player", "")), before, after)
    return joined(means, credit) if credit else means, card


def _laid(state: State) -> tuple[Laid, ...]:
    """Return the sets on the table, all face up, since nothing is secret in a practice game."""
    if state.trading is None:
        return ()
    known, sets = faces(state.setting.seats), state.trading.sets
    return tuple(
        Laid(known[colour], tuple(c for c in cards if c in PLANETS), tuple(c for c in cards if c in KINDS))
        for colour, cards in sets.items()
    )
