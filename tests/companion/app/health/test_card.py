"""The doctor's look at the card: tried out for real, and each way in which it can fail has its own words."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.app.health.card import COMMITS, PAGE, StorageCard, probed
from companion.app.health.finding import HealthState
from companion.app.health.room import evenings_of, room
from companion.model.snapshot import GameEntry, Status


class Failing(StorageCard):
    """A card that fails at one step with one fault."""

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
    """A card on which every commit takes so many seconds, by a clock of its own."""

    def __init__(self, each_s: float) -> None:
        self._each_s, self._at_s = each_s, 0.0

    def now(self) -> float:
        self._at_s += self._each_s / 2
        return self._at_s * 2


class Forgetful(StorageCard):
    """A card that gives back something else."""

    def read(self, descriptor: int, size: int) -> bytes:
        return super().read(descriptor, size)[:-1] + b"\0"


def test_the_card_is_written_synced_read_back_and_left_as_it_was(tmp_path: Path) -> None:
    """Card: what a commit writes is asked for again, the time is said beside its limit, and nothing stays behind."""
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
    """Card: full, read-only, failing, somebody else's: care, whenever it happens, and no advice that destroys."""
    found = probed(tmp_path, Failing(step, fault))

    assert found.state is HealthState.CARE
    assert says in found.sentence
    assert "restore" not in found.sentence
    assert "in its place" not in found.sentence
    assert list(tmp_path.iterdir()) == []


def test_what_is_read_back_otherwise_is_care(tmp_path: Path) -> None:
    """Card: one that forgets is worn out, and the ledger is to be copied away first."""
    found = probed(tmp_path, Forgetful())

    assert found.state is HealthState.CARE
    assert "doesn't read back what was written" in found.sentence
    assert "companion backup FILE" in found.sentence


@pytest.mark.parametrize(
    ("each_s", "state"), [(0.05, HealthState.FINE), (0.15, HealthState.NOTE), (1.5, HealthState.CARE)]
)
def test_a_slow_card_is_told_by_its_measure(tmp_path: Path, each_s: float, state: HealthState) -> None:
    """Card: over a tenth of a second is worth knowing, and over a second nobody can play; the figure is said."""
    found = probed(tmp_path, Slow(each_s))

    assert found.state is state
    assert f"{each_s * 1000:.1f} ms" in found.sentence


def entry(began: float) -> GameEntry:
    """A game that was begun then."""
    return GameEntry(1, "andromeda", {}, "", Status.LIVE, began, began, 1, False)


def test_room_is_told_in_evenings(tmp_path: Path) -> None:
    """Room: by what an evening took here once there are three; after midnight it is still the one before."""
    (tmp_path / "ledger.sqlite").write_bytes(b"x" * 6_000_000)
    day, night = 86_400.0, 86_400.0 * 10
    evenings = evenings_of([entry(night + 20 * 3600), entry(night + 25 * 3600), entry(night + 20 * 3600 + day)])

    assert evenings == 2
    assert "(1.0 MB each, an estimate from simulated ones)" in room(tmp_path, evenings).sentence
    assert "(2.0 MB each, like the 3 here)" in room(tmp_path, 3).sentence


def test_room_is_looked_for_where_a_folder_will_be(tmp_path: Path) -> None:
    """Room: a data folder that is not there yet is judged by the folder it will lie in."""
    assert f"free at {tmp_path}," in room(tmp_path / "not" / "yet", 0).sentence
