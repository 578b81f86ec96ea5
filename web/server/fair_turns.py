"""The queue of requests: first the host's commands, then requests of players, then others. Clients take turns.

Pages are rendered by a few threads. A client is a seat or a device, identified by its cookie, or else an address. A
client occupies at most one thread, so a device that sends a hundred requests delays only itself. One thread is reserved
for the host's commands.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from enum import IntEnum
from typing import Generic, TypeVar

from companion.kernel.shown import shows

MOST_WAITING = 40  # the limit of waiting requests of one client that doesn't play; a browser sends six at a time
T = TypeVar("T")


class Crowded(Exception):
    """This client has too many waiting requests."""


class Rank(IntEnum):
    """Priority of requests, most urgent first."""

    COMMAND = 0  # the host's commands
    OWN = 1  # other requests of the host and the seats
    OTHERS = 2


@shows("_over")
class Turn:
    """Permission to answer one request. It must be given back; giving it back twice does no harm."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over: Callable[[], None] | None = over

    def give_back(self) -> None:
        """Let the next request be answered."""
        if self._over is not None:
            over, self._over = self._over, None
            over()


def _anybody(client: str) -> bool:
    return True


@shows("_waiting")
class RoundRobin(Generic[T]):
    """Waiting items by client. Clients take turns, so that one with many items doesn't delay the others."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def count(self, client: str) -> int:
        """Return how many items of *client* wait."""
        return len(self._waiting.get(client, ()))

    def at(self, client: str) -> deque[T]:
        """Return the queue of *client*, so that the caller can append to it."""
        return self._waiting.setdefault(client, deque())

    def pop(self, may: Callable[[str], bool] = _anybody) -> tuple[str, T] | None:
        """Remove the first item of the next client for which *may* is true; return the client and the item, or None."""
        client = next(filter(may, self._waiting), None)
        if client is None:
            return None
        queue = self._waiting.pop(client)
        comes = queue.popleft()
        if queue:
            self._waiting[client] = queue  # behind all other clients
        return client, comes


@shows("_holding", "_waiting", "_most")
class Turns:
    """Up to *at_once* simultaneous turns; *reserved* of them are reserved for commands.

    Use it in the event loop's thread only.
    """

    def __init__(self, at_once: int, reserved: int = 0, most_waiting: int = MOST_WAITING) -> None:
        self._free = at_once
        self._reserved = reserved
        self._most = most_waiting
        self._holding: set[tuple[bool, str]] = set()
        self._waiting = {rank: RoundRobin[asyncio.Future[None]]() for rank in Rank}

    async def take(self, client: str, rank: Rank = Rank.OTHERS) -> Turn:
        """Wait for a turn for *client* and return it, or raise `Crowded`.

        A host's command waits only for earlier commands of the same device, not for the pages that the device
        requested.
        """
        if self._may(client, rank):
            return self._taken(client, rank)
        waiting = self._waiting[rank]
        if waiting.count(client) >= self._most and rank is Rank.OTHERS:
            raise Crowded
        comes: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.at(client).append(comes)
        try:
            await comes
        except asyncio.CancelledError:
            # The client may have disconnected in the moment in which it got the turn: pass the turn on.
            if comes.done() and not comes.cancelled():
                self._over(client, rank)
            raise
        return Turn(lambda: self._over(client, rank))

    def _may(self, client: str, rank: Rank) -> bool:
        command = rank is Rank.COMMAND
        return self._free > (0 if command else self._reserved) and (command, client) not in self._holding

    def _taken(self, client: str, rank: Rank) -> Turn:
        self._free -= 1
        self._holding.add((rank is Rank.COMMAND, client))
        return Turn(lambda: self._over(client, rank))

    def _over(self, client: str, rank: Rank) -> None:
        """End a turn, and give free turns to waiting clients."""
        self._free += 1
        self._holding.discard((rank is Rank.COMMAND, client))
        for each in Rank:
            self._let_in(each)

    def _let_in(self, rank: Rank) -> None:
        while (found := self._waiting[rank].pop(lambda client: self._may(client, rank))) is not None:
            client, comes = found
            if not comes.done():
                self._taken(client, rank)
                comes.set_result(None)
