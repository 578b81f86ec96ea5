"""The tally: how many cubes of each colour each player has drawn, and how many of these are outside."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.draws.cubes import Counts, joint
from companion.games.draws.state import NOBODY, State
from web.components.players import Face, faces
from web.games.draws.layout import bar
from web.http.i18n import _
from web.request.game_pages import Look, Scene


@dataclass(frozen=True)
class TallyRow:
    """One row of the table: its player or title, the numbers by colour, and their sum."""

    face: Face | None
    title: str
    counts: tuple[int, ...]
    total: int
    sums: bool = False


def tally_scene(look: Look) -> Scene:
    """Return the page of the tally."""
    state: State = look.state
    heading = bar(look.snapshot, _("Who drew what"), back="/table")
    return Scene("draws/tally.html", {"rows": rows(state)}, heading)


def rows(state: State) -> tuple[TallyRow, ...]:
    """Return a row for each player, one for draws without a player, and the totals."""
    known = faces(state.setting.seats)
    found = [_row(state, face, face.name, state.drew.get(seat, {})) for seat, face in known.items()]
    if not known or state.drew.get(NOBODY):
        found.append(_row(state, None, _("The table"), state.drew.get(NOBODY, {})))
    if len(found) > 1:
        found.append(_row(state, None, _("Drawn"), joint(state.drew.values(), state.colours), True))
    found.append(_row(state, None, _("Outside"), state.outside, True))
    found.append(_row(state, None, _("Left inside"), state.inside, True))
    return tuple(found)


def closing_rows(state: State) -> tuple[TallyRow, ...]:
    """Return a row for each place of cubes: each player, the tower, and what must be left inside."""
    known = faces(state.setting.seats)
    found = [_row(state, face, face.name, state.holds.get(seat, {})) for seat, face in known.items()]
    if not known or state.holds.get(NOBODY):
        found.append(_row(state, None, _("The table") if known else _("Outside"), state.holds.get(NOBODY, {})))
    if any(state.stuck.values()):
        found.append(_row(state, None, _("Stuck in the tower"), state.stuck))
    found.append(_row(state, None, _("Left inside"), state.inside, True))
    return tuple(found)


def _row(state: State, face: Face | None, title: str, counts: Counts, sums: bool = False) -> TallyRow:
    numbers = tuple(counts.get(colour, 0) for colour in state.colours)
    return TallyRow(face, title, numbers, sum(numbers), sums)
