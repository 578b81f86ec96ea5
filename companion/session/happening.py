"""What has just happened at the table, as it was committed: for whoever says it aloud."""

from __future__ import annotations

from companion.events.table_events import EventEntry
from companion.kernel.values import dataclass
from companion.session.state import TableState


@dataclass(frozen=True)
class Happening:
    """One transaction: how the table stood *before* (None: without a game), what was put on record, and *after*."""

    before: TableState | None
    entries: tuple[EventEntry, ...]
    after: TableState

    @property
    def version(self) -> int:
        """The version that it led to."""
        return self.after.version
