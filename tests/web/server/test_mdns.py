"""The name of the house on the network, asked for by the library's own client, over this machine's loopback only."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from queue import Queue
from time import monotonic
from uuid import uuid4

import pytest
from zeroconf import IPVersion, ServiceInfo, Zeroconf

from web.server.entrances import Doors
from web.server.lan_address import reachable
from web.server.mdns import SERVICE, Neighbourhood

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.9"
PATIENCE_MS = 5_000


@pytest.fixture
def wanted() -> str:
    """A name that no other test asks for."""
    return f"ring-{uuid4().hex[:12]}"


@pytest.fixture
def network() -> Iterator[Zeroconf]:
    """Another machine on the network."""
    with Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only) as other:
        yield other


@pytest.fixture
def announce() -> Iterator[Callable[..., Neighbourhood]]:
    """Announce houses, and take the announcements back at the end."""
    opened: list[Neighbourhood] = []

    def begin(
        wanted: str, address: Callable[[], str | None] | None = lambda: HERE, said: Queue[str] | None = None
    ) -> Neighbourhood:
        house = Neighbourhood(address, 8123, (said or Queue()).put, wanted, settled_s=0, look_s=0.02)
        opened.append(house)
        house.open()
        return house

    yield begin
    for house in opened:
        house.close()


def asked_for(network: Zeroconf, name: str) -> ServiceInfo | None:
    """Ask the network for the page of the house called *name*, as often as patience lasts."""
    info = ServiceInfo(SERVICE, f"Ring companion ({name}).{SERVICE}")
    until = monotonic() + 2 * PATIENCE_MS / 1000
    while monotonic() < until:
        if info.request(network, PATIENCE_MS):
            return info
    return None


def test_the_house_is_found_by_its_name(announce: Callable[..., Neighbourhood], network: Zeroconf, wanted: str) -> None:
    """The neighbourhood: the network knows name, address and port of the pages."""
    house = announce(wanted)
    found = asked_for(network, wanted)

    assert found is not None
    assert (found.server, found.port, found.parsed_addresses()) == (f"{wanted}.local.", 8123, [HERE])
    assert house.doors.number == f"http://{HERE}:8123"


def test_a_house_that_is_up_before_its_network_is_found_all_the_same(
    announce: Callable[..., Neighbourhood], network: Zeroconf, wanted: str
) -> None:
    """The neighbourhood: a Pi starts faster than its radio; the address counts from when it is there."""
    addresses = chain((None, None, None), repeat(HERE))

    announce(wanted, lambda: next(addresses))

    assert asked_for(network, wanted) is not None


def test_another_address_is_announced_anew(
    announce: Callable[..., Neighbourhood], network: Zeroconf, wanted: str
) -> None:
    """The neighbourhood: when a router gives the house another address, its name leads there."""
    at = [ELSEWHERE]
    house = announce(wanted, lambda: at[0])
    assert asked_for(network, wanted) is not None

    at[0] = HERE
    until = monotonic() + 2 * PATIENCE_MS / 1000
    while (found := asked_for(network, wanted)) is None or found.parsed_addresses() != [HERE]:
        assert monotonic() < until

    assert house.doors.number == f"http://{HERE}:8123"


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
    """Addresses: where no way leads out, the first one counts that others can have a way to."""
    assert reachable(addresses) == found


def test_a_taken_name_gets_a_number(announce: Callable[..., Neighbourhood], network: Zeroconf, wanted: str) -> None:
    """The neighbourhood: where another machine answers to the name, this one takes the next."""
    taken = socket.inet_aton(ELSEWHERE)
    network.register_service(
        ServiceInfo(SERVICE, f"{wanted}.{SERVICE}", addresses=[taken], port=1, server=f"{wanted}.local.")
    )

    announce(wanted)
    found = asked_for(network, f"{wanted}-2")

    assert found is not None
    assert found.server == f"{wanted}-2.local."


def test_what_cannot_be_announced_is_one_line(announce: Callable[..., Neighbourhood]) -> None:
    """The neighbourhood: no evening depends on it; what failed is said once."""
    said: Queue[str] = Queue()
    house = announce("a-name-of-many-letters" * 4, said=said)

    assert said.get(timeout=20).startswith("found by its number only, not by name: ")
    assert house.doors == Doors(f"http://{HERE}:8123", "")


def test_a_house_that_only_this_machine_reaches_announces_nothing(
    announce: Callable[..., Neighbourhood], wanted: str
) -> None:
    """The neighbourhood: without an address on the network there are no doors to tell of."""
    assert announce(wanted, None).doors == Doors()
