"""The page of a practice game, for every game: an explanation of the newest step, and the controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.autoplay.demo import PACES_S, DemoStatus
from companion.kernel.fields import Line
from web.components.players import Face, faces
from web.http.i18n import translated

Sentence = Callable[[Line, Line], str]
Explain = Callable[[Line, Line, Any, Any], tuple[str, str]]


@dataclass(frozen=True)
class PracticeStep:
    """The newest step in words: what happened, what it means, and the name of the rules card about it."""

    face: Face | None
    happened: str
    means: str
    card: str


def practice(shown: DemoStatus, where: str, sentence: Sentence, explain: Explain) -> dict[str, Any]:
    """Return the context of `practice_game.html`.

    *explain* returns the meaning of a line and the name of its rules card.
    """
    table = shown.practice
    result = table.game.result(table.state)
    return {
        "ended": "" if result is None else translated(result.why),
        "fastest": shown.pace == len(PACES_S) - 1,
        "game": table.game.name,
        "shown": shown,
        "slowest": shown.pace == 0,
        "snapshot": table.snapshot,
        "step": _step(shown, sentence, explain) if table.recent else None,
        "where": where,
    }


def _step(shown: DemoStatus, sentence: Sentence, explain: Explain) -> PracticeStep:
    table = shown.practice
    line = table.recent[0].line
    seat = str(line.get("player") or line.get("colour", ""))
    means, card = explain(line, table.header, table.before, table.state)
    face = faces(table.game.seats(table.state)).get(seat)
    return PracticeStep(face, translated(sentence(line, table.header)), translated(means), card)
