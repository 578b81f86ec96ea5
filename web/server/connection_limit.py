"""Decides who may hold a connection: a cap for each address and for all, and whose place is given to a newcomer.

A connection on which nothing is being answered can be spared: its owner
opens another when there is something to ask. So the one that has waited
longest at the greediest address makes room, before anybody is refused. One
whose request is still coming is spared like that too, after those on which
nothing came.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from companion.kernel.shown import shows
from web.http.visitor_address import at_the_machine

MOST = 500  # half of the descriptors that a process usually has, see `web.server.service`
EACH = 120  # everybody may come through one address: a proxy, or a program on this machine
ROOM = 100  # of the most: kept for addresses with few connections, and for this machine
FEW = 8  # a browser opens six


class Spared(Protocol):
    """What is asked of a connection."""

    @property
    def address(self) -> str:
        """Whose it is."""

    @property
    def asked(self) -> bool:
        """Whether a whole request ever came on it."""

    @property
    def waiting(self) -> bool:
        """Whether nothing is being answered on it."""

    def drop(self) -> None:
        """Close it at once."""


@shows("_open", "_held", "most")
class ConnectionLimit:
    """The connections that are open, the oldest first; not safe from other threads than the loop's."""

    def __init__(self, most: int = MOST, each: int = EACH, room: int = ROOM, few: int = FEW) -> None:
        """Allow *most* together and *each* an address; the last *room* are for those with up to *few*."""
        self.most = most
        self._each = min(each, most)
        self._room = room
        self._few = few
        self._open: dict[Spared, None] = {}
        self._held: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def admit(self, connection: Spared) -> bool:
        """Take *connection* in, if need be for one that waits; False when there is no place for it."""
        address = connection.address
        fits = self._make_room(self._held[address] < self._each, address) and self._make_room(self._free_for(address))
        if fits:
            self._open[connection] = None
            self._held[address] += 1
        return fits

    def forget(self, connection: Spared) -> None:
        """Give the place of *connection* back; it may have been given away already."""
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
        """Return whether one more fits, after dropping who can be spared, at *address* or anywhere."""
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
        # The first of the least: the oldest that never asked, else the oldest.
        return min((one for one in waiting if one.address == greedy), key=lambda one: one.asked)
