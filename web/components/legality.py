"""Whether a line may be played now, and why not: asked by the pages of every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.kernel.errors import Malformed, Refused
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.http.i18n import translated


@dataclass(frozen=True)
class JudgedLine:
    """What a viewer knows of a line: the *reason* against it, empty for none; *sure* unless a hidden hand decides."""

    reason: str
    sure: bool = True

    @property
    def legal(self) -> bool:
        """Whether the line will be done, whatever is hidden."""
        return self.sure and not self.reason


def taken(snapshot: Snapshot, line: Mapping[str, Any]) -> str:
    """Return the reason that the table itself would give against *line* now, empty when it would be done."""
    return why_not(snapshot, line, snapshot.whole)


def why_not(snapshot: Snapshot, line: Mapping[str, Any], state: Any | None = None) -> str:
    """Return the reason the rules give against *line* now, empty when it is legal.

    *state* stands in for the table's own where a page must judge by less than
    the companion knows.
    """
    assert snapshot.game is not None, "lines are judged by a game"
    try:
        snapshot.game.decide(snapshot.state if state is None else state, snapshot.game.parse(line))
    except (Refused, Malformed) as reason:
        return str(translated(reason.reason))
    return ""


def open_to_all(snapshot: Snapshot, viewer: Viewer, line: Mapping[str, Any]) -> JudgedLine:
    """Return what the rules say to *line* in a game without hidden cards: every viewer may know it."""
    return JudgedLine(why_not(snapshot, line))
