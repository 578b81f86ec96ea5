"""A draw table as JSON and as text, its result, and the actor of a line. Nothing about a draw table is hidden."""

from __future__ import annotations

from typing import Any

from companion.games.draws.cubes import Counts, joint
from companion.games.draws.state import NOBODY, State, name_of, outside, stuck
from companion.kernel.fields import Line
from companion.kernel.said import said_n
from companion.model.capabilities import Fallen, Wanted
from companion.model.game import Result, Viewer

PLACE = "ring"


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the state as JSON. Counts list every colour in the order of *state*, even those with 0 cubes."""
    return {
        "game": "draws",
        "inside": _by_colour(state, state.inside),
        "outside": outside(state),
        "draws": state.draws,
        "drawn": joint(state.drew.values(), state.colours),
        "players": {seat: _of(state, seat) for seat in state.seats},
        "table": _of(state, NOBODY),
        "tower": _tower(state),
        "taker": state.taker or None,
        "back": state.back,
        "finished": state.finished,
    }


def _by_colour(state: State, counts: Counts) -> dict[str, int]:
    return {colour: counts.get(colour, 0) for colour in state.colours}


def _of(state: State, seat: str) -> dict[str, Any]:
    return {
        "drawn": _by_colour(state, state.drew.get(seat, {})),
        "holds": _by_colour(state, state.holds.get(seat, {})),
    }


def _tower(state: State) -> dict[str, Any] | None:
    if not (state.with_tower or state.came_out or any(state.began_stuck.values())):
        return None
    return {
        "thrown": _by_colour(state, state.thrown),
        "out": _by_colour(state, state.came_out),
        "stuck": stuck(state),
    }


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
    if _tower(state) is not None:
        lines.append(f"  stuck in the tower: {_counted(stuck(state))}")
    ended = result(state)
    return (*lines, "Open" if ended is None else str(ended.why))


def _counted(counts: Counts) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in counts.items() if count) or "nothing"


class Hands:
    """The throws into the tower. Draws come from inside and don't count as throws."""

    def fallen(self, before: State, line: Line) -> Fallen | None:
        """Return the newest throw if *line* ends it: by another throw, a corrected count of the tower, or the end."""
        ends = line["do"] in ("throw", "finish") or (line["do"] == "correct" and "tower" in line)
        return self.falling(before) if ends else None

    def falling(self, state: State) -> Fallen | None:
        """Return the newest throw.

        Return None before the first throw, after a correction of the tower's count, and after the end.
        """
        if state.finished or not state.falls or not state.falls[-1].thrown:
            return None
        newest = state.falls[-1]
        out = tuple(colour for colour, count in newest.out.items() for _ in range(count))
        under = {colour: stuck + newest.out.get(colour, 0) for colour, stuck in newest.stuck.items()}
        return Fallen({colour: count for colour, count in under.items() if count}, out)


HANDS = Hands()
