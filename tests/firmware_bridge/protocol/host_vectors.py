"""Runs the protocol's test vectors for the host's side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from firmware_bridge.protocol.connection import Connection, Greeted, OrderAnswered, Received, VersionRefused
from firmware_bridge.protocol.messages import DeviceCounters, DeviceStatus, Event
from firmware_bridge.protocol.queues import QueuedCommand

Step = Mapping[str, Any]


def outcome(vector: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the host's events, output and waiting time for each step of *vector*, without empty ones."""
    names = iter(vector["names"])
    host = Connection(names.__next__)
    events: dict[int, Event] = {}
    return [_told(host, step, events) for step in vector["steps"]]


def _told(host: Connection, step: Step, events: dict[int, Event]) -> dict[str, Any]:
    now = step["at"] / 1e6
    if step.get("connected"):
        host.connected(now)
    heard = host.receive(step.get("hear", "").encode("latin-1"), now)
    for each in heard:
        if isinstance(each, Event):
            events[each.number] = each
    for number in step.get("record", ()):
        host.recorded(events[number])
    host.order(*(QueuedCommand(word, tuple(map(tuple, pairs))) for word, pairs in step.get("ask", ())))
    result = {"heard": [each for one in heard for each in _named(one)], "write": host.outgoing(now).decode()}
    result["due"] = round(host.due(now) * 1e6)
    return {key: value for key, value in result.items() if value not in ("", [])}


def _named(heard: Received) -> Iterator[list[Any]]:
    match heard:
        case Greeted(hello, fresh, gone):
            yield ["greeted", hello.boot, fresh, gone]
        case VersionRefused(version):
            yield ["refused", version]
        case Event():
            yield ["event", heard.number, heard.word, dict(heard.fields)]
        case OrderAnswered(order, why):
            yield ["answered", order.word, why]
        case DeviceStatus():
            yield ["standing", heard.last, heard.token]
        case DeviceCounters():
            yield ["tally", heard.lost, heard.bad, heard.again, dict(heard.filtered)]
