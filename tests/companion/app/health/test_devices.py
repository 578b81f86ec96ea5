"""The doctor's check of a ring on the Pi's own pins: the speed of the I²C bus."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.app.health.devices import COMMITS, PAGE, StorageCard, bus_speed, probed
from companion.app.health.finding import HealthState
from companion.app.health.machine import Machine
from companion.app.health.room import evenings_of, room
from companion.model.snapshot import GameEntry, Status


@pytest.mark.parametrize(
    ("ring", "hz", "said"),
    [("gpio:", 100_000, "100 kHz"), ("gpio:", 400_000, ""), ("gpio:?bus=3", 100_000, ""), ("auto", 100_000, "")],
)
def test_a_slow_bus_is_told_with_what_makes_it_fast(tmp_path, ring, hz, said):
    """Doctor: if the ring's I²C bus runs at 100 kHz, one line says which setting makes it faster."""
    bus = tmp_path / "sys/class/i2c-adapter/i2c-1/of_node"
    bus.mkdir(parents=True)
    (bus / "clock-frequency").write_bytes(hz.to_bytes(4, "big"))

    found = [each.sentence for each in bus_speed(ring, Machine(tmp_path))]

    assert [(said in each, "i2c_arm_baudrate=400000" in each) for each in found] == ([(True, True)] if said else [])


class Failing(StorageCard):
    """A card whose *step* fails with the error number *fault*."""

    def __init__(self, step: str, fault: int) -> None:
        self._step, self._fault = step, fault

    def make(self, path: Path) -> int:
        self._at("make")
        return super().make(path)

    def commit(self, descriptor: int, page: bytes, at: int) -> None:
        self._at("commit")
        super().commit(descriptor, page, at)

    def read(self, descriptor: int, size: int) -> bytes:
        self._at("read")
        return super().read(descriptor, size)

    def _at(self, step: str) -> None:
        if step == self._step:
            raise OSError(self._fault, os.strerror(self._fault))


class Slow(StorageCard):
    """A card on which every commit takes a given number of seconds, measured by a fake clock."""

    def __init__(self, each_s: float) -> None:
        self._each_s, self._at_s = each_s, 0.0

    def now(self) -> float:
        self._at_s += self._each_s / 2
        return self._at_s * 2


class Forgetful(StorageCard):
    """A card that reads back other bytes than were written."""

    def read(self, descriptor: int, size: int) -> bytes:
        return super().read(descriptor, size)[:-1] + b"\0"


def test_the_card_is_written_synced_read_back_and_left_as_it_was(tmp_path: Path) -> None:
    """Card: pages are written, synced and read back, the time is printed with its limit, and the file is removed."""
    synced: list[int] = []

    class Watched(StorageCard):
        def commit(self, descriptor: int, page: bytes, at: int) -> None:
            super().commit(descriptor, page, at)
            synced.append(os.fstat(descriptor).st_size)

    found = probed(tmp_path, Watched())

    assert found.state is not HealthState.CARE
    assert "up to 100 is fine" in found.sentence
    assert synced == [PAGE * number for number in range(1, COMMITS + 1)]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["make", "commit", "read"])
@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (errno.ENOSPC, "is full"),
        (errno.EDQUOT, "is full"),
        (errno.EROFS, "is now read-only"),
        (errno.EIO, "fails (Input/output error)"),
        (errno.EACCES, "This user can't write"),
        (errno.ENXIO, "can't be written (No such device or address)"),
    ],
)
def test_each_way_to_fail_is_told_by_name(tmp_path: Path, step: str, fault: int, says: str) -> None:
    """Card: each error at each step needs care and has its own message, which never advises a restore."""
    found = probed(tmp_path, Failing(step, fault))

    assert found.state is HealthState.CARE
    assert says in found.sentence
    assert "restore" not in found.sentence
    assert "in its place" not in found.sentence
    assert list(tmp_path.iterdir()) == []


def test_what_is_read_back_otherwise_is_care(tmp_path: Path) -> None:
    """Card: if other bytes are read back, the advice is to make a backup."""
    found = probed(tmp_path, Forgetful())

    assert found.state is HealthState.CARE
    assert "doesn't read back what was written" in found.sentence
    assert "companion backup FILE" in found.sentence


@pytest.mark.parametrize(
    ("each_s", "state"), [(0.05, HealthState.FINE), (0.15, HealthState.NOTE), (1.5, HealthState.CARE)]
)
def test_a_slow_card_is_told_by_its_measure(tmp_path: Path, each_s: float, state: HealthState) -> None:
    """Commits to a card that take over 0.1 s get a note, and over 1 s a warning; the measured time is printed."""
    found = probed(tmp_path, Slow(each_s))

    assert found.state is state
    assert f"{each_s * 1000:.1f} ms" in found.sentence


def entry(began: float) -> GameEntry:
    """Return a game that began at *began*."""
    return GameEntry(1, "andromeda", {}, "", Status.LIVE, began, began, 1, False)


def test_room_is_told_in_evenings(tmp_path: Path) -> None:
    """Room: after three evenings, the estimate uses this device's own; play past midnight is the same evening."""
    (tmp_path / "ledger.sqlite").write_bytes(b"x" * 6_000_000)
    day, night = 86_400.0, 86_400.0 * 10
    evenings = evenings_of([entry(night + 20 * 3600), entry(night + 25 * 3600), entry(night + 20 * 3600 + day)])

    assert evenings == 2
    assert "(1.0 MB each, an estimate from simulated ones)" in room(tmp_path, evenings).sentence
    assert "(2.0 MB each, like the 3 here)" in room(tmp_path, 3).sentence


def test_room_is_looked_for_where_a_folder_will_be(tmp_path: Path) -> None:
    """Room: for a missing data folder, the nearest existing parent folder is measured."""
    assert f"free at {tmp_path}," in room(tmp_path / "not" / "yet", 0).sentence
