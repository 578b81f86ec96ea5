"""A broker whose address has changed is found by its name in the local network."""

from __future__ import annotations

from queue import Queue
from uuid import uuid4

from companion.club import BrokerAddress, Connection, ConnectionView
from companion.club.mdns_lookup import address_of
from companion.kernel.supervisor import Supervisor
from tests.club.broker import PATIENCE_S, Broker, free_port
from web import Mdns

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.9"


def test_a_name_that_is_announced_is_found() -> None:
    """mDNS: the address of an announced name is found; for a name that nobody announces, the result is None."""
    wanted, said = f"club-{uuid4().hex[:12]}", Queue[str]()
    announced = Mdns(lambda: HERE, 8123, said.put, wanted, settled_s=0, look_s=0.02, asked_ms=500)
    announced.open()
    found = None
    while found is None:
        found = address_of(f"{wanted}.local", [HERE])
    announced.close()

    assert found == HERE
    assert address_of(f"{wanted}-2.local", [HERE]) is None


def test_a_broker_that_has_moved_is_found(broker: Broker) -> None:
    """Connection: if nothing listens at the address in the code, the computer with the club's name is tried."""
    views, asked = Queue[ConnectionView](), list[str]()

    def find(name: str) -> str:
        asked.append(name)
        return HERE

    connection = Connection(BrokerAddress(ELSEWHERE, broker.port, mdns="ring-club.local"), "table", find=find)
    connection.subscribe(views.put)
    end = connection.start(Supervisor())
    view = views.get(timeout=PATIENCE_S)
    end()

    assert (view.connected, view.trouble) == (True, "")
    assert asked == ["ring-club.local"]


def test_the_network_is_asked_seldom() -> None:
    """Connection: while the broker is away, each failed attempt says why, but the network is rarely asked."""
    views, asked = Queue[ConnectionView](), list[str]()
    address = BrokerAddress(HERE, free_port(), mdns="ring-club.local")
    connection = Connection(address, "table", find=asked.append, now=lambda: 1000.0)
    connection.subscribe(views.put)
    end = connection.start(Supervisor())
    troubles = [views.get(timeout=PATIENCE_S).trouble for _ in range(3)]
    end()

    assert all("No broker listens" in trouble for trouble in troubles)
    assert asked == ["ring-club.local"]
