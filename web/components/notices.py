"""What the ring said lately, as the pages of every game show it."""

from __future__ import annotations

from companion.model.snapshot import ANOTHER_RING, Notice, Snapshot


def newest_notice(snapshot: Snapshot) -> Notice | None:
    """Return what the ring said since the newest line; once the game has gone on it is history.

    What is said for as long as the house runs is shown while the ring says nothing, and that the ring is another one
    for its two minutes, however fast the game goes on.
    """
    since = snapshot.recent[0].id if snapshot.recent else 0
    fresh = [notice for notice in snapshot.notices if notice.id > since or notice.kind == ANOTHER_RING]
    return next(iter(fresh or [notice for notice in snapshot.notices if not notice.id]), None)
