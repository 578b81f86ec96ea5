"""Whose request is answered next: the host's commands before all others, then those who play, each client in its turn.

The pages are made by a few threads. A client is a seat or a device by its
cookie, otherwise an address. It holds one thread at most, so that a device
that sends a hundred requests at once waits for its own. One thread is left
free for the host's commands.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from enum import IntEnum
from typing import Generic, TypeVar

from companion.kernel.shown import shows

MOST_WAITING = 40  # of a stranger's place: a browser sends six at once
T = TypeVar("T")


class Crowded(Exception):
    """So many requests of this client are waiting that there is no room for another."""


class Rank(IntEnum):
    """Who is answered before whom."""

    COMMAND = 0  # what the host does at the table
    OWN = 1  # all else that the host and the seats ask for
    OTHERS = 2


@shows("_over")
class Turn:
    """The right to be answered, until it is given back; that may be done twice."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over: Callable[[], None] | None = over

    def give_back(self) -> None:
        """Let the next one be answered."""
        if self._over is not None:
            over, self._over = self._over, None
            over()


def _anybody(client: str) -> bool:
    return True


@shows("_waiting")
class RoundRobin(Generic[T]):
    """What waits, by client: each client has the next turn once, however much of theirs waits for longer."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def count(self, client: str) -> int:
        """Return how much of *client* waits."""
        return len(self._waiting.get(client, ()))

    def at(self, client: str) -> deque[T]:
        """Return the queue of *client*, to be added to."""
        return self._waiting.setdefault(client, deque())

    def pop(self, may: Callable[[str], bool] = _anybody) -> tuple[str, T] | None:
        """Return the client whose turn it is, of those that *may* have one, and what it waits with; None of nobody."""
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
    """So many *at_once*, of which some are *kept_free* for commands; for the thread of the loop only."""

    def __init__(self, at_once: int, kept_free: int = 0, most_waiting: int = MOST_WAITING) -> None:
        self._free = at_once
        self._kept_free = kept_free
        self._most = most_waiting
        self._holding: set[tuple[bool, str]] = set()
        self._waiting = {rank: RoundRobin[asyncio.Future[None]]() for rank in Rank}

    async def take(self, client: str, rank: Rank = Rank.OTHERS) -> Turn:
        """Return a turn for *client* when it has come, or raise `Crowded`.

        A command of the host waits for no page of the same device, only for the command before it.
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
            # It may have come at the moment in which its owner left.
            if comes.done() and not comes.cancelled():
                self._over(client, rank)
            raise
        return Turn(lambda: self._over(client, rank))

    def _may(self, client: str, rank: Rank) -> bool:
        command = rank is Rank.COMMAND
        return self._free > (0 if command else self._kept_free) and (command, client) not in self._holding

    def _taken(self, client: str, rank: Rank) -> Turn:
        self._free -= 1
        self._holding.add((rank is Rank.COMMAND, client))
        return Turn(lambda: self._over(client, rank))

    def _over(self, client: str, rank: Rank) -> None:
        """Take a turn back, and give turns to clients that wait, as long as there are any."""
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
