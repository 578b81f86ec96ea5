"""Connection limit: every client that sends requests gets a connection, however many connections others hold."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from web.server.connection_limit import ConnectionLimit

GREEDY, GUEST, HERE = "10.0.0.66", "10.0.0.7", "127.0.0.1"


@dataclass(eq=False)
class Line:
    """A connection from *address*; it is idle unless it has sent a request or is being answered."""

    address: str
    asked: bool = False
    waiting: bool = True
    dropped: bool = False

    def drop(self) -> None:
        self.dropped = True


def busy(address: str) -> Line:
    return Line(address, asked=True, waiting=False)


def filled(*lines: Line, most: int = 20, each: int = 12, room: int = 6, few: int = 3) -> ConnectionLimit:
    """Return a limit that has admitted all *lines*."""
    limit = ConnectionLimit(most, each, room, few)
    assert all(limit.admit(line) for line in lines)
    return limit


def test_one_address_has_its_most_and_its_oldest_silent_one_makes_room() -> None:
    """Connections: if an address exceeds its limit, its longest idle connection is closed, and nobody else's."""
    guest, lines = Line(GUEST), [Line(GREEDY) for _ in range(12)]
    limit = filled(guest, *lines)

    assert limit.admit(Line(GREEDY))
    assert [line.dropped for line in lines] == [True] + 11 * [False]
    assert not guest.dropped
    assert len(limit) == 13


def test_a_connection_that_never_asked_goes_before_one_that_did() -> None:
    """Connections: between requests, a browser's connection is kept longer than ones that never sent a request."""
    kept, silent = Line(GREEDY, asked=True), [Line(GREEDY) for _ in range(11)]
    limit = filled(kept, *silent)

    assert limit.admit(Line(GREEDY))
    assert (kept.dropped, silent[0].dropped) == (False, True)


def test_the_greediest_address_makes_room_for_others() -> None:
    """If all connections are in use, a new client gets an idle one from the address that has the most."""
    two, many = [Line("10.0.0.8"), Line("10.0.0.8")], [Line(GREEDY) for _ in range(12)]
    limit = filled(*two, *many, most=14, room=0)
    newcomer = Line(GUEST)

    assert limit.admit(newcomer)
    assert [line.dropped for line in [*two, *many[:2]]] == [False, False, True, False]


def test_what_is_being_answered_is_never_dropped() -> None:
    """Connections: streams and requests in progress are kept; one more from the same address is refused."""
    streams = [busy(GREEDY) for _ in range(12)]
    limit = filled(*streams)

    assert not limit.admit(Line(GREEDY))
    assert not any(line.dropped for line in streams)


@pytest.mark.parametrize(("address", "taken"), [(GUEST, True), (HERE, True), ("::ffff:127.0.0.1", True), ("::1", True)])
def test_the_last_places_are_kept(address: str, taken: bool) -> None:
    """The last connections are reserved for new addresses and this machine, not for an address that has many."""
    limit = filled(*[busy(GREEDY) for _ in range(7)], *[busy("10.0.0.67") for _ in range(7)])

    assert not limit.admit(Line(GREEDY))
    assert limit.admit(Line(address)) == taken


def test_this_machine_may_use_the_last_places_for_many() -> None:
    """Connections: programs on this machine are admitted as long as there is any connection left."""
    limit = filled(*[busy(GREEDY) for _ in range(10)], *[busy(HERE) for _ in range(10)])

    assert len(limit) == 20


def test_another_number_of_this_machine_is_anybodys() -> None:
    """Connections: only 127.0.0.1 counts as this machine; other loopback addresses get no reserved connection."""
    limit = filled(*[busy("127.0.0.66") for _ in range(7)], *[busy("10.0.0.67") for _ in range(7)])

    assert not limit.admit(Line("127.0.0.66"))
    assert limit.admit(Line(HERE))


def test_a_place_comes_back_once() -> None:
    """Connections: a closed connection is removed once, even if it had already been dropped."""
    lines = [Line(GREEDY) for _ in range(12)]
    limit = filled(*lines)
    assert limit.admit(Line(GREEDY))
    for line in [*lines, *lines]:
        limit.forget(line)

    assert len(limit) == 1
    assert all(limit.admit(busy(GREEDY)) for _ in range(11))
    assert len(limit) == 12
