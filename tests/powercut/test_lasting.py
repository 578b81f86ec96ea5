"""Files and folders that were reported as written survive a power cut that loses all unsynced data."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.app.data_folder import make_folder
from companion.games.andromeda.random_policy import header
from companion.kernel.atomic_file import write_whole
from companion.ledger import verify
from tests.companion.app.processes import Service, companion
from tests.forkserver.process import Forked
from tests.generations.opened import unpacked
from tests.powercut.shown import rows_of
from tests.powercut.storage import ForgetfulDisk

RECORDS = Path(__file__).parents[1] / "companion" / "games" / "andromeda" / "records"


def left(storage: ForgetfulDisk, folder: Path, share: float = 0.0) -> Path:
    """Cut the power, with a *share* of the unsynced data surviving, and return a folder with the disk's content."""
    storage.cut(1, share)
    storage.lay(folder / "left")
    return folder / "left"


def cut_off(storage: ForgetfulDisk, moment: str, *words: object) -> None:
    """Run a command, and cut the power just before the first disk operation that matches *moment*."""
    storage.arm(moment, 1)
    with Forked("companion", *words) as process:
        storage.watch(process.pid)
        process.communicate(timeout=60.0)
    assert storage.failed()


def test_a_file_that_was_replaced_is_the_new_one(storage: ForgetfulDisk, tmp_path: Path) -> None:
    """After a new file was reported as written, a power cut does not bring the old one back."""
    write_whole(storage.path / "pin", "old")
    write_whole(storage.path / "pin", "new")

    assert (left(storage, tmp_path) / "pin").read_text() == "new"


def test_a_data_folder_that_was_made_stays(storage: ForgetfulDisk, tmp_path: Path) -> None:
    """The folders that a first start creates survive with their content."""
    make_folder(storage.path / "house" / "data")
    write_whole(storage.path / "house" / "data" / "pin", "new")

    assert (left(storage, tmp_path) / "house" / "data" / "pin").read_text() == "new"


def test_a_backup_that_was_told_of_is_there(storage: ForgetfulDisk, tmp_path: Path) -> None:
    """After the command has reported a backup, the backup survives a power cut."""
    house = unpacked("five-games", tmp_path / "house")

    done = companion("backup", storage.path / "copy.sqlite", "--data", house / "data")

    assert done.returncode == 0
    assert companion("restore", left(storage, tmp_path) / "copy.sqlite", "--data", tmp_path / "data").returncode == 0


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_end_of_a_new_ledger_is_told_whole_or_not_at_all(
    storage: ForgetfulDisk, tmp_path: Path, share: float
) -> None:
    """After a power cut while the newest checksum is written, the ledger is verified without a finding."""
    record = next(RECORDS.glob("*.jsonl"))
    cut_off(storage, "write *.newest*", "import", record, "--data", storage.path / "data")

    found = verify(left(storage, tmp_path, share) / "data" / "ledger.sqlite")

    assert (found.findings, found.end_unchecked) == ((), "")


def test_a_calibration_is_taken_out_whole_or_not_at_all(storage: ForgetfulDisk, tmp_path: Path) -> None:
    """A power cut during an export leaves no truncated calibration."""
    house = unpacked("five-games", tmp_path / "house")

    out = storage.path / "calibration.json"
    cut_off(storage, "write *calibration.json*", "calibration", "export", "--data", house / "data", out)

    assert not (left(storage, tmp_path, share=1.0) / "calibration.json").exists()


def test_a_service_is_noted_whole_or_not_at_all(storage: ForgetfulDisk, tmp_path: Path) -> None:
    """A power cut while the service notes its address leaves no truncated note."""
    data = storage.path / "data"
    cut_off(storage, "write *service.json*", "serve", "--bind", "127.0.0.1", "--port", 0, "--no-mdns", "--data", data)

    note = left(storage, tmp_path, share=1.0) / "data" / "service.json"

    assert not note.exists()


IN_ITS_MIDST = [("rename ledger-*", 2), ("remove ledger.sqlite*", 1), ("rename ledger.sqlite", 1)]


@pytest.mark.parametrize("moment", IN_ITS_MIDST)
def test_a_restore_leaves_the_one_ledger_or_the_other(
    storage: ForgetfulDisk, tmp_path: Path, moment: tuple[str, int]
) -> None:
    """A power cut during a restore leaves a complete ledger, and the old one complete with its newest rows."""
    backup = unpacked("five-games", tmp_path / "house") / "out" / "backup.sqlite"
    service = Service(storage.path / "data", "none", "--no-mdns")
    own = {"record": "table-record", "version": 1, "game": "andromeda", **header(3, Random(1))}
    service.ask("POST", "/api/v1/games", own)
    service.kill()  # its newest rows are still in the write-ahead log
    storage.lay(tmp_path / "before")
    before = rows_of(tmp_path / "before" / "data" / "ledger.sqlite")
    storage.arm(*moment)
    with Forked("companion", "restore", backup, "--data", storage.path / "data") as process:
        storage.watch(process.pid)
        process.communicate(timeout=60.0)

    data = left(storage, tmp_path, share=1.0) / "data"
    found = rows_of(data / "ledger.sqlite")
    aside = [rows_of(path) for path in data.glob("ledger-*.sqlite")]

    assert before
    assert found == before or (before in aside and len(found) > len(before))


def test_a_start_clears_what_was_cut_off(storage: ForgetfulDisk, tmp_path: Path) -> None:
    """The next start of a service deletes the temporary file that a power cut left."""
    data = storage.path / "data"
    assert Service(data, "none", "--no-mdns").stop() == 0  # the first start makes the PIN that is renewed next
    cut_off(storage, "sync .pin*", "pin", "--renew", "--data", data)
    halves = list((left(storage, tmp_path, share=1.0) / "data").glob(".pin*"))
    storage.begin()

    assert Service(data, "none", "--no-mdns").stop() == 0

    assert len(halves) == 1
    assert list(data.glob(".pin*")) == []
