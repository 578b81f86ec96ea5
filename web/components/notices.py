"""What the ring said lately, as the pages of every game show it."""

from __future__ import annotations

from companion.model.snapshot import Notice, Snapshot


def newest_notice(snapshot: Snapshot) -> Notice | None:
    """Return what the ring said since the newest line; once the game has gone on it is history."""
    since = snapshot.recent[0].id if snapshot.recent else 0
    return next((notice for notice in snapshot.notices[:1] if not notice.id or notice.id > since), None)
