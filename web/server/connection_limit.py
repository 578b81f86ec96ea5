"""Limits the number of open connections, for each address and in total, and chooses which one to close for a new one.

A connection without a response in progress can be closed: the client opens another one for its next request. So before
a new connection is refused, the longest-waiting one of the address with the most such connections is closed. If some
have never sent a complete request, they go first.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from companion.kernel.shown import shows
from web.http.request_parsing import at_the_machine

MOST = 500  # half of the usual number of file descriptors, see `web.server.service`
EACH = 120  # per address; several people may share one, behind a proxy or a program on this machine
ROOM = 100  # of MOST; reserved for addresses with few connections and for this machine
FEW = 8  # a browser opens six


class Spared(Protocol):
    """The interface of a connection that `ConnectionLimit` uses."""

    @property
    def address(self) -> str:
        """The client's address."""

    @property
    def asked(self) -> bool:
        """Whether a complete request has ever arrived."""

    @property
    def waiting(self) -> bool:
        """Whether no response is in progress."""

    def drop(self) -> None:
        """Close the connection immediately."""


@shows("_open", "_held", "most")
class ConnectionLimit:
    """The open connections, oldest first. Use it only in the event loop's thread."""

    def __init__(self, most: int = MOST, each: int = EACH, room: int = ROOM, few: int = FEW) -> None:
        """Allow *most* connections in total and *each* for one address.

        The last *room* of them are reserved for addresses with fewer than *few* connections, and for this machine.
        """
        self.most = most
        self._each = min(each, most)
        self._room = room
        self._few = few
        self._open: dict[Spared, None] = {}
        self._held: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return the number of open connections."""
        return len(self._open)

    def admit(self, connection: Spared) -> bool:
        """Add *connection*, closing a waiting one if necessary; return False if there is no room."""
        address = connection.address
        fits = self._make_room(self._held[address] < self._each, address) and self._make_room(self._free_for(address))
        if fits:
            self._open[connection] = None
            self._held[address] += 1
        return fits

    def forget(self, connection: Spared) -> None:
        """Remove *connection*. It may have been removed already."""
        if connection not in self._open:
            return
        del self._open[connection]
        self._held[connection.address] -= 1
        if not self._held[connection.address]:
            del self._held[connection.address]

    def _free_for(self, address: str) -> bool:
        first = self._held[address] < self._few or at_the_machine(address)
        return len(self._open) < self.most - (0 if first else self._room)

    def _make_room(self, fits: bool, address: str | None = None) -> bool:
        """Return whether there is room for one more connection. *fits* is the answer before any connection is closed.

        If it doesn't fit, close a waiting connection at *address* (None means at any address) if there is one.
        """
        if fits:
            return True
        spared = self._spared(address)
        if spared is None:
            return False
        self.forget(spared)
        spared.drop()
        return True

    def _spared(self, address: str | None) -> Spared | None:
        waiting = [one for one in self._open if one.waiting and address in (None, one.address)]
        if not waiting:
            return None
        greedy = Counter(one.address for one in waiting).most_common(1)[0][0]
        # `min` returns the first minimum: the oldest connection that sent no request, or else the oldest of all.
        return min((one for one in waiting if one.address == greedy), key=lambda one: one.asked)
