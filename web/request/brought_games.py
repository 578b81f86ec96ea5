"""Games that came as a file to be looked at: kept in memory for a while, on record nowhere."""

from __future__ import annotations

import secrets
from threading import Lock

from companion.session.timeline import Timeline

MOST = 4


class BroughtGames:
    """The last few timelines that somebody has brought, each by a key that cannot be guessed."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: dict[str, Timeline] = {}
        self._lock = Lock()

    def bring(self, timeline: Timeline) -> str:
        """Keep *timeline* and return its key; the one that nobody has looked at for longest makes room."""
        key = f"f{secrets.token_hex(8)}"
        with self._lock:
            self._kept[key] = timeline
            for oldest in list(self._kept)[: -self._most]:
                del self._kept[oldest]
        return key

    def find(self, key: str) -> Timeline | None:
        """Return the timeline of *key*, None where it made room for others, or the house was closed since."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found
        return found
