"""What a club or a home may have done at a table: messages on its topic `do`, each done once.

A club may call its tables. A home may do what the table's host allows. Everything else is ignored.
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
"""The broker drops an order that the table could not get for so long."""
_IDS = 64
"""How many orders are remembered, so that a double does nothing."""
_LONGEST_ID = 64


def order(address: str, word: str, key: str) -> Message:
    """Return the message with which a club or a home orders *word* at a table. *key* differs for each order."""
    return Message(topic(address, DO), order_body(word, key), expires_s=EXPIRES_S)


def order_body(word: str, key: str) -> bytes:
    """Return the content of an order.

    >>> order_body("call", "7")
    b'{"do": "call", "id": "7"}'
    """
    return json.dumps({"do": word, "id": key}).encode()


@shows("allowed")
class Orders:
    """Carries out the orders that are *allowed* at *table*, in the name of the device *via*."""

    def __init__(self, table: Table, allowed: Collection[str], via: str) -> None:
        self.allowed = allowed
        self._table, self._who = table, Who("host", via)
        self._done = deque[str](maxlen=_IDS)

    def take(self, payload: bytes) -> None:
        """Do what *payload* orders, once for each id."""
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
