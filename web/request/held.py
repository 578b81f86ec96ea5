"""Values that clients sent and need again: a refused form until its page is shown, a file until the host confirms it.

They are in memory, and limited in number, bytes and seconds. A client finds its value by an unguessable key in its
signed cookie.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from companion.kernel.shown import shows

HELD_S = 600.0
T = TypeVar("T")


@dataclass(frozen=True)
class _Entry(Generic[T]):
    value: T
    size: int
    until: float


@shows("_entries", "_most", "_most_bytes")
class Held(Generic[T]):
    """A store for up to *most* values, *most_bytes* in total. Each is stored for *seconds*; new ones replace old ones.

    >>> held = Held[str](most=1, most_bytes=10)
    >>> first, second = held.hold("a", 1), held.hold("b", 1)
    >>> held.find(first), held.find(second)
    (None, 'b')
    """

    def __init__(
        self, most: int, most_bytes: int, seconds: float = HELD_S, now: Callable[[], float] = monotonic
    ) -> None:
        self._most, self._most_bytes, self._seconds, self._now = most, most_bytes, seconds, now
        self._entries: dict[str, _Entry[T]] = {}
        self._lock = Lock()

    def hold(self, value: T, size: int) -> str:
        """Store a *value* of *size* bytes and return its key. A value larger than the limit is dropped at once."""
        key = secrets.token_hex(16)
        with self._lock:
            self._entries[key] = _Entry(value, size, self._now() + self._seconds)
            self._make_room()
        return key

    def find(self, key: str | None) -> T | None:
        """Return the value of *key*, or None if it was dropped or has expired."""
        with self._lock:
            self._make_room()
            entry = self._entries.get(key or "")
        return None if entry is None else entry.value

    def drop(self, key: str | None) -> None:
        """Remove the value of *key*, if there is one."""
        with self._lock:
            self._entries.pop(key or "", None)

    def _make_room(self) -> None:
        now, size, count = self._now(), 0, 0
        for key, entry in reversed(list(self._entries.items())):
            size, count = size + entry.size, count + 1
            if entry.until <= now or size > self._most_bytes or count > self._most:
                del self._entries[key]
