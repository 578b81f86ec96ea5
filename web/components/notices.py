"""The ring's newest notice on the pages of play."""

from __future__ import annotations

from companion.model.snapshot import ANOTHER_RING, CALLED, LIGHT, Notice, Snapshot

LONGER = (ANOTHER_RING, LIGHT)


def newest_notice(snapshot: Snapshot) -> Notice | None:
    """Return the newest notice since the last line. Older notices are outdated.

    There are two exceptions. The notices that another ring is connected, and that the light has changed, are shown for
    two minutes, even if new lines follow. A permanent notice is shown while there is no other notice. A call of the
    club is on every page anyway.
    """
    since = snapshot.recent[0].id if snapshot.recent else 0
    fresh = [notice for notice in snapshot.notices if notice.id > since or notice.kind in LONGER]
    lasting = [notice for notice in snapshot.notices if not notice.id and notice.kind != CALLED]
    return next(iter(fresh or lasting), None)
