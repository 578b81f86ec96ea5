"""Wrong PINs: a person may err, a machine gets nowhere."""

from __future__ import annotations

from pathlib import Path

from web.auth.pin import Access
from web.auth.rate_limit import FOR_A_SEAT, FREE, TOGETHER, Tries


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.time = 5000.0

    def __call__(self) -> float:
        return self.time


def test_five_wrong_ones_are_free() -> None:
    """Tries: the sixth waits half a minute, each later one twice as long, a quarter of an hour at most."""
    clock = Clock()
    tries = Tries(clock)
    waits = []
    for _ in range(12):
        waits.append(tries.wait_s("a"))
        tries.wrong("a")

    assert waits == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900]
    clock.time += 900
    assert tries.wait_s("a") == 0
    assert tries.wait_s("b") == 0


def test_many_tablets_guess_no_faster_than_one() -> None:
    """Tries: all addresses together get a hundred an hour; whoever sits at the machine is not shut out."""
    clock = Clock()
    tries = Tries(clock)
    for number in range(TOGETHER):
        tries.wrong(f"10.0.0.{number}")

    assert tries.wait_s("10.0.1.1") == 3600
    assert tries.wait_s("127.0.0.1") == 0
    clock.time += 3600
    assert tries.wait_s("10.0.1.1") == 0


def test_a_renewed_pin_forgives(tmp_path: Path) -> None:
    """Tries: with a new PIN everybody starts anew."""
    access = Access(tmp_path, Clock())
    for _ in range(FREE):
        access.enter("no", "a")

    assert access.wait_s("a") > 0
    Access(tmp_path).renew()
    assert access.wait_s("a") == 0


def test_a_seats_four_digits_are_guarded_closer(tmp_path: Path) -> None:
    """Tries: all addresses together get 25 an hour at the seats, and the host's own PIN is not touched by it."""
    access = Access(tmp_path, Clock())
    sitting = access.seats.sitting(1, {"red": "Ana"})
    for number in range(FOR_A_SEAT):
        assert access.seats.tries.wait_s(f"10.0.0.{number}") == 0
        access.seats.enter(sitting, "no", f"10.0.0.{number}")

    assert access.seats.tries.wait_s("10.0.1.1") == 3600
    assert access.wait_s("10.0.1.1") == 0
