"""A draw table as JSON and as text, its result, and the actor of a line. Nothing about a draw table is hidden."""

from __future__ import annotations

from typing import Any

from companion.games.draws import tower
from companion.games.draws.cubes import Counts, joint
from companion.games.draws.state import NOBODY, State, name_of, outside, stuck
from companion.kernel.fields import Line
from companion.kernel.said import said_n
from companion.model.capabilities import Wanted
from companion.model.game import Result, Viewer

PLACE = "ring"


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the state as JSON. Counts list every colour in the order of *state*, even those with 0 cubes."""
    return {
        "game": "draws",
        "inside": joint([state.inside], state.colours),
        "outside": outside(state),
        "draws": state.draws,
        "drawn": joint(state.drew.values(), state.colours),
        "players": {seat: _of(state, seat) for seat in state.seats},
        "table": _of(state, NOBODY),
        "tower": tower.view(state),
        "taker": state.taker or None,
        "back": state.back,
        "finished": state.finished,
    }


def _of(state: State, seat: str) -> dict[str, Any]:
    drawn, holds = (joint([counts.get(seat, {})], state.colours) for counts in (state.drew, state.holds))
    return {"drawn": drawn, "holds": holds}


def waited_for(state: State) -> tuple[str, ...]:
    """Return all players, since at an open table anyone may draw. After the end, return none."""
    return () if state.finished else state.seats


def actor(state: State, line: Line) -> str | None:
    """Return the seat that acts with *line*, or None for the whole table.

    That is the player in the line. A draw without a player belongs to the player who has the ring.
    """
    if line.get("do") in ("correct", "finish", "undo"):
        return None
    player = line.get("player", state.taker if line.get("do") == "draw" else None)
    return player if isinstance(player, str) and player else None


def wanted(state: State) -> Wanted | None:
    """Return the draw that the ring should expect: any of the cubes inside.

    Return None if nothing is inside, or after the end.
    """
    under = {colour: count for colour, count in state.inside.items() if count}
    if state.finished or not under:
        return None
    return Wanted(state.taker, PLACE, under, sum(under.values()))


def result(state: State) -> Result | None:
    """Return the result, or None before the end. A draw table has no winners."""
    if not state.finished:
        return None
    why = said_n("Closed after %(num)s draw.", "Closed after %(num)s draws.", state.draws)
    return Result((), {}, why)


def standing(state: State) -> tuple[str, ...]:
    """Return lines for a terminal: the cubes inside, those that each player has drawn, and those stuck in the tower."""
    lines = [f"Open draw table, {state.draws} draws", f"  inside: {_counted(state.inside)}"]
    for seat in (*state.seats, NOBODY):
        if seat or state.drew.get(seat):
            whose = f"{name_of(state, seat)} ({seat})" if seat else "the table"
            drew, holds = _counted(state.drew.get(seat, {})), _counted(state.holds.get(seat, {}))
            lines.append(f"  {whose}: drew {drew}; holds {holds}")
    if tower.view(state) is not None:
        lines.append(f"  stuck in the tower: {_counted(stuck(state))}")
    ended = result(state)
    return (*lines, "Open" if ended is None else str(ended.why))


def _counted(counts: Counts) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in counts.items() if count) or "nothing"
