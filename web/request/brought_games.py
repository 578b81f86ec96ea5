"""Games that came as a file to be looked at: kept in memory for a while, on record nowhere."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from threading import Lock

from companion.kernel.shown import shows
from companion.session.timeline import Timeline

MOST = 4
_KEY = re.compile("f[0-9a-f]{16}")


@shows("_kept", "_folded", "_most")
class BroughtGames:
    """The last few records that somebody has brought, each by a key that cannot be guessed."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: dict[str, bytes] = {}
        self._folded: dict[str, Timeline] = {}
        self._lock = Lock()

    @staticmethod
    def is_key(word: str) -> bool:
        """Tell whether *word* may be the key of a record, and not a game's number or another word."""
        return _KEY.fullmatch(word) is not None

    def bring(self, record: bytes) -> str:
        """Keep a *record* that was looked through and return its key."""
        key = f"f{secrets.token_hex(8)}"
        self.hold(key, record)
        return key

    def hold(self, key: str, record: bytes) -> None:
        """Keep a *record* by its key; the one that nobody has looked at for longest makes room."""
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = record
            for oldest in list(self._kept)[: -self._most]:
                del self._kept[oldest]
                self._folded.pop(oldest, None)

    def find(self, key: str) -> bytes | None:
        """Return the record of *key*, None where it made room for others, or the house was closed since."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found
            return found

    def timeline(self, key: str, fold: Callable[[bytes], Timeline]) -> Timeline | None:
        """Return the record of *key* as *fold* makes a timeline of it, once; None as `find` does."""
        record = self.find(key)
        if record is None:
            return None
        if key not in self._folded:
            self._folded[key] = fold(record)
        return self._folded[key]
