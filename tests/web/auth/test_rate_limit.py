"""Wrong PINs: people may mistype a PIN, a guessing program gets nowhere, and neither locks out anybody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.served_house import HOST, Browser, ServedHouse
from web.auth.pin import HostPin
from web.auth.rate_limit import FREE, HOUR_S, PLACES, Tries


class Clock:
    """A clock in seconds that only advances when the test sets it."""

    def __init__(self) -> None:
        self.time = 5000.0

    def __call__(self) -> float:
        return self.time


def guessed(hours: int) -> int:
    """Return how many tries one address gets in *hours* if it tries again as soon as it may."""
    clock, tries = Clock(), 0
    limit = Tries(clock)
    end = clock.time + hours * HOUR_S
    while clock.time < end:
        wait = limit.admit("a")
        clock.time += wait
        tries += not wait
    return tries


def test_five_wrong_ones_are_free() -> None:
    """Tries: the sixth try must wait 30 seconds, and each later one twice as long, up to one hour."""
    clock = Clock()
    tries, waits = Tries(clock), []
    for _ in range(14):
        waits.append(tries.admit("a"))
        clock.time += waits[-1]
        assert not waits[-1] or tries.admit("a") == 0

    assert waits == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_guessing_stays_as_slow_as_it_is_said() -> None:
    """Tries: guessing without a pause allows only as many tries as the length of the PINs was chosen for."""
    assert [guessed(hours) for hours in (1, 4, 7 * 24)] == [11, 14, 178]


def test_an_hour_without_a_wrong_one_forgives_one() -> None:
    """If somebody stops guessing PINs, the wait gets shorter over time."""
    clock = Clock()
    tries = Tries(clock)
    for _ in range(FREE):
        tries.admit("a")
    clock.time += 2 * HOUR_S

    assert [tries.admit("a") for _ in range(3)] == [0, 0, 30]


def test_others_shut_nobody_out() -> None:
    """Tries: no matter how many addresses guess, an address that has not tried yet does not wait."""
    tries = Tries(Clock())
    for number in range(250):
        for _ in range(20):
            tries.admit(f"10.0.0.{number}")

    assert tries.admit("10.0.0.250") == 0


def test_more_addresses_than_a_home_has_are_one() -> None:
    """Tries: an attacker with a whole network gets no more tries by changing the address each time."""
    clock = Clock()
    tries = Tries(clock)
    waits = [tries.admit(f"10.{number // 250}.0.{number % 250}") for number in range(PLACES + FREE + 1)]

    assert waits == [0] * (PLACES + FREE) + [30]
    assert tries.admit("127.0.0.1") == 0
    clock.time += HOUR_S
    assert tries.admit("10.9.9.9") == 0


def test_of_many_tries_at_once_no_more_get_through() -> None:
    """Tries: a try is counted before it is checked, so of thirty simultaneous tries only five are allowed."""
    tries = Tries(Clock())

    assert [tries.admit("a") for _ in range(30)].count(0) == FREE


@pytest.mark.parametrize(
    ("one", "other", "waits"),
    [
        ("2001:db8:0:1::5", "2001:db8:0:1:ffff::6", True),
        ("2001:db8:0:1::5", "2001:db8:0:2::5", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("::ffff:10.0.0.1", "10.0.0.2", False),
        ("127.0.0.1", "127.0.0.2", False),
    ],
)
def test_what_counts_as_one_address(tmp_path: Path, one: str, other: str, waits: bool) -> None:
    """Tries: an IPv6 /64 (one device may use all of it) counts as one address, and so do both spellings of an IPv4."""
    access = HostPin(tmp_path, Clock())
    for _ in range(FREE):
        access.admit(one)

    assert access.admit(one) == 30
    assert bool(access.admit(other)) == waits


@pytest.mark.parametrize("renews", ["renewal", "new game"])
def test_what_forgives(tmp_path: Path, renews: str) -> None:
    """Tries: a new PIN clears the count of wrong tries, for seats too; a new game clears it for seats only."""
    access = HostPin(tmp_path, Clock())
    access.seats.sitting(1, {"red": "Ana"})
    for _ in range(FREE):
        access.admit("a")
        access.admit_to_seats("a", None)
    before = (access.admit("a"), access.admit_to_seats("a", None))

    if renews == "renewal":
        HostPin(tmp_path).renew()
    else:
        access.seats.sitting(2, {"red": "Ana"})

    assert before == (30, 30)
    assert (access.admit("a") == 0, access.admit_to_seats("a", None)) == (renews == "renewal", 0)


def test_who_knows_the_pin_is_forgiven(tmp_path: Path) -> None:
    """Tries: entering the right PIN clears the count of wrong tries."""
    access = HostPin(tmp_path, Clock())
    for _ in range(FREE):
        access.admit("a")

    assert access.enter(access.pin, "a")
    assert access.admit("a") == 0


def test_a_device_that_was_the_hosts_is_let_through_by_its_own_proof(site: ServedHouse) -> None:
    """Tries: neither wrong tries of others at its address nor a renewed PIN makes the host's tablet wait."""
    tablet = site.host()
    tablet.post("/pin/leave")
    stranger = Browser(site.visitor())
    wrong = [stranger.post("/pin", pin="no")[0] for _ in range(FREE + 1)]

    assert wrong[-1] == 429
    assert tablet.post("/pin", pin=site.access.renew()) == (303, "/")


def test_a_phone_that_has_a_seat_is_let_through_by_its_own_proof(site: ServedHouse) -> None:
    """Tries: a phone of one of the last games joins the next without waiting, even if others guess at its address."""
    phone = site.phone("red")
    mine = site.table.snapshot.header
    assert mine is not None
    others = [{"colour": seat["colour"], "name": f"{seat['name']} too"} for seat in mine["players"]]
    site.table.open({**mine, "players": others}, HOST)
    site.visitor().get("/join")
    pin, stranger = site.table_pin, Browser(site.visitor())
    wrong = [stranger.post("/join", pin="no", seat="red")[0] for _ in range(FREE + 1)]

    assert wrong[-1] == 429
    assert phone.post("/join", pin=pin, seat="blue") == (303, "/table")
