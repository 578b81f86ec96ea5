"""Whose request is answered next: those of whoever plays before all others, and each place in its turn.

The pages are made by a few threads. Without this, a device that sends a
hundred requests at once would have the table wait for all of them.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

MOST_WAITING = 40  # of a stranger's place: a browser sends six at once


class Crowded(Exception):
    """So many requests of this place are waiting that there is no room for another."""


class Turn:
    """The right to be answered, until it is given back; that may be done twice."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over: Callable[[], None] | None = over

    def give_back(self) -> None:
        """Let the next one be answered."""
        if self._over is not None:
            over, self._over = self._over, None
            over()


class RoundRobin:
    """Requests that wait, by place: each place has the next turn once, whoever of them waits for longer."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def at(self, place: str) -> deque[asyncio.Future[None]]:
        """Return the queue of *place*."""
        return self._waiting.setdefault(place, deque())

    def pop(self) -> asyncio.Future[None] | None:
        """Return whose turn it is, None where nobody waits."""
        if not self._waiting:
            return None
        place, queue = self._waiting.popitem(last=False)
        comes = queue.popleft()
        if queue:
            self._waiting[place] = queue  # behind all other places
        return comes


class Turns:
    """So many *at_once*; for the thread of the loop only."""

    def __init__(self, at_once: int, most_waiting: int = MOST_WAITING) -> None:
        self._free = at_once
        self._most = most_waiting
        self._first = RoundRobin()
        self._others = RoundRobin()

    async def take(self, place: str, is_first: Callable[[], bool]) -> Turn:
        """Return a turn for *place* when it has come, or raise `Crowded`; *is_first* is asked where it has to wait."""
        if self._free:
            self._free -= 1
            return Turn(self._over)
        first = is_first()
        queue = (self._first if first else self._others).at(place)
        if len(queue) >= self._most and not first:
            raise Crowded
        comes: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(comes)
        try:
            await comes
        except asyncio.CancelledError:
            # It may have come at the moment in which its owner left.
            if comes.done() and not comes.cancelled():
                self._over()
            raise
        return Turn(self._over)

    def _over(self) -> None:
        """Hand the turn on, to whoever still waits for one."""
        while (comes := self._first.pop() or self._others.pop()) is not None:
            if not comes.done():
                comes.set_result(None)
                return
        self._free += 1
