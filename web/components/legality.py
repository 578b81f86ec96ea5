"""Checks for the pages of every game: whether a line is legal now, and if not, why."""

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
    """What a viewer may know about a line: the *reason* why it is illegal, or "" if it is legal.

    *sure* is false if the answer depends on a hidden hand.
    """

    reason: str
    sure: bool = True

    @property
    def legal(self) -> bool:
        """Whether the line is certainly legal."""
        return self.sure and not self.reason


def taken(snapshot: Snapshot, line: Mapping[str, Any]) -> str:
    """Return the reason why the table would refuse *line* now, or an empty string if it would accept it."""
    return why_not(snapshot, line, snapshot.whole)


def why_not(snapshot: Snapshot, line: Mapping[str, Any], state: Any | None = None) -> str:
    """Return the reason why the rules refuse *line* now, or an empty string if it is legal.

    *state* replaces the state in *snapshot*, for pages that must judge with less or more information.
    """
    assert snapshot.game is not None, "lines are judged by a game"
    try:
        snapshot.game.decide(snapshot.state if state is None else state, snapshot.game.parse(line))
    except (Refused, Malformed) as reason:
        return str(translated(reason.reason))
    return ""


def open_to_all(snapshot: Snapshot, viewer: Viewer, line: Mapping[str, Any]) -> JudgedLine:
    """Return the rules' answer to *line*, for a game without hidden cards."""
    return JudgedLine(why_not(snapshot, line))
