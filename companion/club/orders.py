"""Orders from a club or a home to a table: messages on the table's topic `do`, each executed once.

A club may call its tables. A home may give the orders that the table's host allows. All others are ignored.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection
from contextlib import suppress

from companion.club.connection import Message
from companion.club.topics import DO, topic
from companion.kernel.errors import Refused
from companion.kernel.shown import shows
from companion.model.snapshot import Who
from companion.session.commands import Pause
from companion.session.table import Table

PAUSE, CALL = "pause", "call"
ORDERS = (PAUSE, CALL)
EXPIRES_S = 10
"""The broker drops an order that it could not deliver to the table for this many seconds."""
_IDS = 64
"""The number of orders that are remembered, so that a duplicate has no effect."""
_LONGEST_ID = 64


def order(address: str, word: str, key: str) -> Message:
    """Return the message with the order *word* for a table. *key* differs for each order."""
    return Message(topic(address, DO), order_body(word, key), expires_s=EXPIRES_S)


def order_body(word: str, key: str) -> bytes:
    """Return the payload of an order.

    >>> order_body("call", "7")
    b'{"do": "call", "id": "7"}'
    """
    return json.dumps({"do": word, "id": key}).encode()


@shows("allowed")
class Orders:
    """Executes the *allowed* orders at *table*, on behalf of the device *via*."""

    def __init__(self, table: Table, allowed: Collection[str], via: str) -> None:
        self.allowed = allowed
        self._table, self._who = table, Who("host", via)
        self._done = deque[str](maxlen=_IDS)

    def take(self, payload: bytes) -> None:
        """Execute the order in *payload*, but only once for each ID."""
        with suppress(ValueError, RecursionError, Refused):
            asked = json.loads(payload)
            word, key = (asked.get("do"), asked.get("id")) if isinstance(asked, dict) else (None, None)
            if not isinstance(word, str) or not isinstance(key, str) or len(key) > _LONGEST_ID:
                return
            if word not in self.allowed or key in self._done:
                return
            self._done.append(key)
            if word == PAUSE:
                self._table.execute(Pause(), self._who)
            elif word == CALL:
                self._table.call()
