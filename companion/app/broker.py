"""Connect once to the broker of a club or a home before its address is stored or removed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.app.exit_codes import NO_PAHO, BadUse, Failed

if TYPE_CHECKING:
    from companion.club.connection import BrokerAddress, ConnectionView, Message

TRY_S = 15.0
"""How long to wait for the broker."""


def try_broker(broker: BrokerAddress, name: str) -> None:
    """Connect once, or raise `Failed` with the reason."""
    found = _once(broker, name)
    if found is None:
        raise Failed(f"{broker.place} doesn't answer: check the network and the address.")
    if not found.connected:
        raise Failed(found.trouble)


def published(broker: BrokerAddress, name: str, message: Message) -> bool:
    """Connect once and send *message*. Return whether the broker was reached."""
    found = _once(broker, name, message)
    return found is not None and found.connected


def _once(broker: BrokerAddress, name: str, *messages: Message) -> ConnectionView | None:
    """Connect once and send *messages*. Return the resulting state of the connection, or None if nothing answered."""
    from companion.club.connection import Connection
    from companion.kernel.supervisor import Supervisor

    need_paho()
    connection, decided = Connection(broker, name, greeting=lambda: messages), threading.Event()
    found: list[ConnectionView] = []

    def look(view: ConnectionView) -> None:
        found.append(view)
        decided.set()

    connection.subscribe(look)
    end = connection.start(Supervisor())
    decided.wait(TRY_S)
    end()
    return found[0] if found else None


def need_paho() -> None:
    """Raise `BadUse` if the package for brokers is missing."""
    try:
        import paho.mqtt.client  # noqa: F401
    except ImportError:
        raise BadUse(NO_PAHO) from None
