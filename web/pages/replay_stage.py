"""The content of a replay at one step: the board as everybody saw it, the move, the points, and links to steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.kernel.values import replace
from companion.model.snapshot import Snapshot, Status
from companion.session.hidden import SeenTimeline
from companion.session.moves import RecordedMove
from companion.session.timeline import Position, Route, StepKind
from web.components.players import Face, faces
from web.components.replay_steps import ReplayWay, part_of, seen_at, seen_last, ways
from web.pages.history import rows
from web.pages.screen import any_game, usual
from web.pages.timeline_rows import TimelineRow
from web.request.context import pages_of
from web.request.game_pages import BigScreen, Scene, ScreenPages


@dataclass(frozen=True)
class ReplayStage:
    """The content of a replay at one step."""

    position: Position
    row: TimelineRow | None
    big: BigScreen
    faces: Mapping[str, Face]
    movers: tuple[str, ...]
    part: str
    ways: tuple[ReplayWay, ...]


def names_of(timeline: SeenTimeline) -> tuple[str, ...]:
    """Return the players' names in seat order."""
    return tuple(str(player["name"]) for player in timeline.header["players"])


def stage_of(timeline: SeenTimeline, route: Route, at: int) -> ReplayStage:
    """Return the content of a game's replay at step *at*."""
    position, pages = timeline.at(at), pages_of(timeline.game.name)
    seen = seen_at(timeline, position)
    own = None if pages is None else pages.screen
    return ReplayStage(
        position,
        row_of(timeline, position),
        any_game(seen, timeline.game) if own is None else _shown(own, seen),
        faces(timeline.game.seats(position.state)),
        _movers(timeline, position.state),
        part_of(timeline, position.before),
        ways(timeline, route, at),
    )


def _shown(own: ScreenPages, seen: Snapshot) -> BigScreen:
    """Return the game's big screen. At the end it includes the board, which the winners would otherwise replace."""
    parts = own.replayed or usual(own, overlay=False)
    big = own.show(seen, parts)
    if seen.status is not Status.FINISHED:
        return big
    panels: list[Scene] = []
    for part in parts:
        panels += (panel for panel in own.show(seen, (part,)).panels if panel not in panels)
    return replace(big, panels=tuple(panels))


def _movers(timeline: SeenTimeline, state: Any) -> tuple[str, ...]:
    """Return the seats that the table waited for. It is empty if it waited for all or the game is over."""
    game = timeline.game
    movers = () if game.result(state) is not None else tuple(game.waited_for(state))
    return () if len(movers) == len(game.seats(state)) else movers


def row_of(timeline: SeenTimeline, position: Position) -> TimelineRow | None:
    """Return the move at *position* as a timeline row, None at the start."""
    move = move_at(position)
    return None if move is None else rows([move], seen_last(timeline))[0]


def move_at(position: Position) -> RecordedMove | None:
    """Return the move at *position*, None at the start. An undo is the move that it takes back."""
    if position.line is None:
        return None
    back = position.kind is StepKind.UNDO
    return RecordedMove(
        position.line, position.state if back else position.before, position.before if back else position.state
    )
