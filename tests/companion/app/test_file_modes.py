"""Only its owner can open the data folder: it is created private, repaired with a message, or reported as open."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.bootstrap import ledger_and_ring
from companion.app.data_folder import make_folder, mend_modes
from companion.app.ledger_copy import copy_ledger
from companion.app.running_service import running_service
from companion.kernel.private_file import Modes
from tests.companion.app.processes import Service, companion

KEYS = ("pin", "secret", "token")


class Fat(Modes):
    """A file system without permissions, which refuses to change modes."""

    def mode(self, path: Path) -> int:
        return 0o755

    def give(self, path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")


@pytest.fixture(params=[0o000, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """The umask with which the program was started."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(folder: Path) -> set[int]:
    """Return the modes of all files in *folder* and below, and assert that all folders have 0700."""
    found = [folder, *folder.rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_dir()} == {0o700}
    return {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_file()}


def test_an_evening_and_a_backup_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    """Modes: with any umask, ledger, -wal, -shm, lock, captures and a backup are 0600, and their folders 0700."""
    data = make_folder(tmp_path / "data")
    with ledger_and_ring(data, "mock:"):
        copy_ledger(data / "ledger.sqlite", data / "backup.sqlite")
        names = {path.name for path in data.iterdir()}
        while_open = modes(data)

    assert {"ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger.sqlite.lock", "backup.sqlite"} <= names
    # A file that a thread is just creating may not have its mode yet.
    assert not any(mode & 0o077 for mode in while_open)
    assert (data / "captures" / "ring-000001.log").is_file()
    assert modes(data) == {0o600}


def test_a_folder_that_was_open_is_closed_aloud(tmp_path: Path) -> None:
    """Modes: files that others could open are made private, and listed once with their old modes."""
    data = tmp_path / "data"
    Service(data).stop()
    for path in (data, data / "ledger.sqlite"):
        path.chmod(0o755)

    (data / "backups").mkdir(0o700)
    (data / "backups" / "before.sqlite").touch(0o644)

    (said,) = mend_modes(data)
    again = list(mend_modes(data))

    assert said.startswith(f"Other users could open these; now only their owner can: {data} (0755), ")
    assert f"{data / 'ledger.sqlite'} (0755)" in said
    assert f"{data / 'backups' / 'before.sqlite'} (0644)" in said
    assert (again, modes(data)) == ([], {0o600})


def test_a_service_closes_its_folder_and_says_so(tmp_path: Path) -> None:
    """Modes: `serve` makes files private before anything else, and says so in one line on standard error."""
    data = tmp_path / "data"
    make_folder(data)
    (data / "service.json").touch(0o644)

    ended = companion("serve", "--ring", "nonsense:", "--bind", "127.0.0.1", "--port", 0, "--data", data)

    text = ended.stderr.splitlines()[0]
    assert text == f"companion: Other users could open these; now only their owner can: {data / 'service.json'} (0644)."


@pytest.mark.parametrize(("other", "left"), [("backups", 0o700), ("letters.txt", 0o755)])
def test_the_home_of_a_service_is_closed_and_that_of_a_person_is_not(tmp_path: Path, other: str, left: int) -> None:
    """Modes: a home folder with nothing but games and hidden files is made private; one with other files is not."""
    (tmp_path / "ledger.sqlite").touch(0o600)
    (tmp_path / ".cache").mkdir()
    (tmp_path / other).mkdir(0o700)
    tmp_path.chmod(0o755)

    companion(
        *("serve", "--ring", "nonsense:", "--bind", "127.0.0.1", "--port", 0, "--data", tmp_path),
        env={**os.environ, "HOME": str(tmp_path)},
    )

    assert stat.S_IMODE(tmp_path.stat().st_mode) == left


def test_a_folder_that_is_more_than_ours_is_left_open(tmp_path: Path) -> None:
    """Modes: a folder with other files, or one writable by everybody, is left open, but our own files in it are not."""
    (tmp_path / "letters.txt").touch()
    tmp_path.chmod(0o755)

    assert list(mend_modes(tmp_path)) == []

    (tmp_path / "ledger.sqlite").touch(0o644)
    tmp_path.chmod(0o1777)
    (text,) = mend_modes(tmp_path)

    assert text.endswith(f"owner can: {tmp_path / 'ledger.sqlite'} (0644).")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


def test_a_file_system_without_modes_is_said_once_and_played_on(tmp_path: Path) -> None:
    """Modes: on FAT, which has no permissions, one line says what that means, and the service runs."""
    Service(tmp_path).stop()

    said = list(mend_modes(tmp_path, Fat()))

    assert said == [f"{tmp_path} is on a file system without permissions: anyone on this computer can read the games."]


def test_what_cannot_be_closed_is_named(tmp_path: Path) -> None:
    """Modes: a file whose mode cannot be changed is named with the reason, and the other files are made private."""

    class Stubborn(Modes):
        def give(self, path: Path, mode: int) -> None:
            if path.name == "ledger.sqlite":
                raise PermissionError(1, "Operation not permitted")
            super().give(path, mode)

    for name in ("ledger.sqlite", "service.json"):
        (tmp_path / name).touch(0o644)

    mended, left = mend_modes(tmp_path, Stubborn())

    assert "service.json (0644)" in mended
    why = f"{tmp_path / 'ledger.sqlite'} (0644): Operation not permitted"
    assert left == f"Other users can open these, and this can't be changed: {why}."


def test_planted_keys_are_made_anew_and_named(tmp_path: Path) -> None:
    """Keys: a PIN and a token with open modes are replaced, and each is named once."""
    companion("pin", "--data", tmp_path)
    for name, text in (("pin", f"123456\n{'0' * 32}\n"), ("token", "x" * 43)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o666)

    shown = companion("pin", "--data", tmp_path)

    assert shown.stdout.strip() != "123456"
    assert (tmp_path / "token").read_text() != "x" * 43
    assert [name for name in KEYS if f"{tmp_path / name} was open to others" in shown.stderr] == ["pin", "token"]
    assert companion("pin", "--data", tmp_path).stderr == ""


def test_the_note_of_a_service_follows_no_link(tmp_path: Path) -> None:
    """Service: if `service.json` is a symbolic link, it is replaced, and its target is not written."""
    data, elsewhere = make_folder(tmp_path / "data"), tmp_path / "elsewhere"
    elsewhere.write_text("untouched")
    (data / "service.json").symlink_to(elsewhere)

    service = Service(data)
    note = data / "service.json"
    found = (note.is_symlink(), stat.S_IMODE(note.stat().st_mode), json.loads(note.read_text())["url"])

    assert service.stop() == 0
    assert found == (False, 0o600, service.url)
    assert elsewhere.read_text() == "untouched"


def test_a_note_that_others_could_have_laid_is_no_service(tmp_path: Path) -> None:
    """Service: a `service.json` that others could have written is ignored: its address must not get the token."""
    service = Service(tmp_path)
    before = running_service(tmp_path)
    (tmp_path / "service.json").chmod(0o666)
    after = running_service(tmp_path)
    service.stop()

    assert before is not None
    assert after is None


def test_a_ledger_that_was_there_keeps_what_it_holds(tmp_path: Path) -> None:
    """Modes: opening an existing ledger does not empty it."""
    data = make_folder(tmp_path / "data")
    for _ in range(2):
        with ledger_and_ring(data, "none"):
            pass

    with closing(sqlite3.connect(data / "ledger.sqlite")) as ledger:
        assert ledger.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 1
