"""The server's mDNS name, queried with the library's own client, over the loopback only."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from queue import Queue
from threading import Event
from time import monotonic
from uuid import uuid4

import pytest
from zeroconf import IPVersion, RecordUpdate, RecordUpdateListener, ServiceInfo, Zeroconf

from companion.kernel.supervisor import Supervisor
from web.server.entrances import Entrances
from web.server.mdns import SERVICE, Mdns, reachable

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.9"
PATIENCE_S = 60.0
ASKED_MS = 5_000
"""Timeout of one query; the library repeats the query meanwhile."""


@pytest.fixture
def wanted() -> str:
    """A name that no other test uses."""
    return f"ring-{uuid4().hex[:12]}"


@pytest.fixture
def network() -> Iterator[Zeroconf]:
    """Another machine on the network."""
    with Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only) as other:
        yield other


@pytest.fixture
def announce() -> Iterator[Callable[..., Mdns]]:
    """Return a function that announces servers; they are withdrawn at the end."""
    opened: list[Mdns] = []

    def begin(
        wanted: str,
        address: Callable[[], str | None] | None = lambda: HERE,
        said: Queue[str] | None = None,
        asked_ms: int = 500,
    ) -> Mdns:
        tell = (said or Queue()).put
        house = Mdns(address, 8123, tell, wanted, settled_s=0, look_s=0.02, asked_ms=asked_ms)
        opened.append(house)
        house.open()
        return house

    yield begin
    for house in opened:
        house.close()


def asked_for(network: Zeroconf, name: str) -> ServiceInfo | None:
    """Query the network for the server called *name* until it answers or patience runs out; return its entry."""
    info = ServiceInfo(SERVICE, f"Ring companion ({name}).{SERVICE}")
    until = monotonic() + PATIENCE_S
    while monotonic() < until:
        if info.request(network, ASKED_MS):
            return info
    return None


class News(RecordUpdateListener):
    """An event that is set when anything new is heard on the network."""

    def __init__(self) -> None:
        self._heard = Event()

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        """Set the event."""
        self._heard.set()

    def wait(self) -> None:
        """Wait until something new was heard since the last wait."""
        assert self._heard.wait(PATIENCE_S), "the network is silent"
        self._heard.clear()


def test_the_house_is_found_by_its_name(announce: Callable[..., Mdns], network: Zeroconf, wanted: str) -> None:
    """mDNS: the network knows the name, address and port of the pages."""
    house = announce(wanted)
    found = asked_for(network, wanted)

    assert found is not None
    assert (found.server, found.port, found.parsed_addresses()) == (f"{wanted}.local.", 8123, [HERE])
    assert house.entrances.number == f"http://{HERE}:8123"


def test_a_house_that_is_up_before_its_network_is_found_all_the_same(
    announce: Callable[..., Mdns], network: Zeroconf, wanted: str
) -> None:
    """mDNS: if the network comes up after the server, the name is announced as soon as there is an address."""
    addresses = chain((None, None, None), repeat(HERE))

    announce(wanted, lambda: next(addresses))

    assert asked_for(network, wanted) is not None


def test_another_address_is_announced_anew(announce: Callable[..., Mdns], network: Zeroconf, wanted: str) -> None:
    """mDNS: if the address changes, the name leads to the new address."""
    at = [ELSEWHERE]
    house = announce(wanted, lambda: at[0])
    assert asked_for(network, wanted) is not None

    network.add_listener(news := News(), None)
    at[0] = HERE
    while (found := asked_for(network, wanted)) is None or found.parsed_addresses() != [HERE]:
        news.wait()

    assert house.entrances.number == f"http://{HERE}:8123"


@pytest.mark.parametrize(
    ("addresses", "found"),
    [
        (("127.0.0.1", "10.42.0.1"), "10.42.0.1"),
        (("127.0.0.1", "169.254.7.7", "192.168.4.1"), "192.168.4.1"),
        (("127.0.0.1",), None),
        ((), None),
    ],
)
def test_a_house_that_is_the_network_itself_has_an_address(addresses: tuple[str, ...], found: str | None) -> None:
    """Addresses: without a route to the internet, the first address that other devices may reach is used."""
    assert reachable(addresses) == found


def test_a_taken_name_gets_a_number(announce: Callable[..., Mdns], network: Zeroconf, wanted: str) -> None:
    """mDNS: if another machine already has the name, even if it answers slowly, the server takes the next one."""
    taken = socket.inet_aton(ELSEWHERE)
    network.register_service(
        ServiceInfo(SERVICE, f"{wanted}.{SERVICE}", addresses=[taken], port=1, server=f"{wanted}.local.")
    )

    announce(wanted, asked_ms=ASKED_MS)
    found = asked_for(network, f"{wanted}-2")

    assert found is not None
    assert found.server == f"{wanted}-2.local."


def test_what_cannot_be_announced_is_one_line(announce: Callable[..., Mdns]) -> None:
    """mDNS: if announcing fails, the server can still be reached by its address, and says so once."""
    said: Queue[str] = Queue()
    house = announce("a-name-of-many-letters" * 4, said=said)

    assert said.get(timeout=60).startswith("reachable by number only, not by name: ")
    assert house.entrances == Entrances(f"http://{HERE}:8123", "")


def test_a_house_that_only_this_machine_reaches_announces_nothing(announce: Callable[..., Mdns], wanted: str) -> None:
    """mDNS: without an address on the network, no address is offered."""
    assert announce(wanted, None).entrances == Entrances(alone=True)


def test_a_network_that_is_gone_is_waited_for_and_said_once() -> None:
    """mDNS: announcing is retried with longer pauses; the same error is reported once, and a new one again."""
    said, found, threads = Queue[str](), Event(), Supervisor()
    faults = [OSError("no route"), OSError("no route"), OSError("no radio")]

    def address() -> str | None:
        if faults:
            raise faults.pop(0)
        found.set()
        return None

    house = Mdns(address, 8123, said.put, "ring", settled_s=0, look_s=0.001, threads=threads)
    house.open()
    assert found.wait(PATIENCE_S)
    house.close()

    assert [said.get(), said.get()] == [
        f"reachable by number only, not by name: no {what}" for what in ("route", "radio")
    ]
    assert said.empty()
    assert threads.views[0].restarts == 0
