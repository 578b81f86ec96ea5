"""One step of a replayed game: the state at that step, what happened, and links to other steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.kernel.fields import Line
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, Status
from companion.session.hidden import SeenTimeline
from companion.session.timeline import Position, Route, Timeline, after, before
from web.http.i18n import _
from web.request.context import pages_of


@dataclass(frozen=True)
class ReplayWay:
    """A link from one step to another. *name* is for scripts, *label* is the text of its button, *step* is its target.

    *whole* describes the link for screen readers. *step* is None if there is no such step; the button is then disabled.
    """

    name: str
    label: str
    whole: str
    step: int | None
    forwards: bool = True


def begun(game: AnyGame, header: Line) -> Timeline:
    """Return an empty timeline for *header*. It uses the chapters and points that the game's pages define."""
    pages = pages_of(game.name)
    own = None if pages is None else pages.timeline
    return Timeline(game, header) if own is None else Timeline(game, header, own.chapter, own.points)


def seen_at(timeline: SeenTimeline, position: Position) -> Snapshot:
    """Return a snapshot of the table at *position*, for components that show a table."""
    return _seen(timeline, position.state, position)


def seen_last(timeline: SeenTimeline) -> Snapshot:
    """Return the table after the newest step, as a snapshot."""
    return _seen(timeline, timeline.newest, None)


def part_of(timeline: SeenTimeline, state: Any) -> str:
    """Return the chapter that *state* belongs to, or an empty string if the game has none."""
    pages = pages_of(timeline.game.name)
    return "" if pages is None or pages.timeline is None else pages.timeline.chapter(state)


def ways(timeline: SeenTimeline, route: Route, at: int) -> tuple[ReplayWay, ...]:
    """Return the links from step *at*, in the order of their buttons.

    Kinds of links that the game doesn't have are left out.
    """
    first, last = route.steps[0], route.steps[-1]
    found = [ReplayWay("first", _("Beginning"), _("To the beginning"), first if at > first else None, forwards=False)]
    found += [_to_part(timeline, "part-back", before(route.parts, at), forwards=False)] if route.parts else []
    if route.draws:
        found.append(
            ReplayWay("draw-back", _("Draw"), _("To the draw before"), before(route.draws, at), forwards=False)
        )
    found.append(ReplayWay("back", _("Step"), _("One step back"), before(route.steps, at), forwards=False))
    found.append(ReplayWay("on", _("Step"), _("One step on"), after(route.steps, at)))
    if route.draws:
        found.append(ReplayWay("draw-on", _("Draw"), _("To the next draw"), after(route.draws, at)))
    found += [_to_part(timeline, "part-on", after(route.parts, at), forwards=True)] if route.parts else []
    label = _("To the end") if timeline.game.result(timeline.newest) is not None else _("Back to now")
    found.append(ReplayWay("last", label, _("To the end"), last if at < last else None))
    return tuple(found)


def _to_part(timeline: SeenTimeline, name: str, step: int | None, forwards: bool) -> ReplayWay:
    whole = _("To the next part") if forwards else _("To the start of this part, or the part before")
    label = _("Round") if step is None else part_of(timeline, timeline.at(step).before)
    return ReplayWay(name, label, whole, step, forwards)


def _seen(timeline: SeenTimeline, state: Any, position: Position | None) -> Snapshot:
    line = None if position is None else position.line
    return Snapshot(
        version=0 if line is None else line.id,
        status=Status.LIVE if timeline.game.result(state) is None else Status.FINISHED,
        game=timeline.game,
        header=timeline.header,
        state=state,
        recent=() if position is None else position.recent,
    )
