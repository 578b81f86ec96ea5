"""One writer: a ledger can be opened only once, by whatever path, even if its lock file was deleted."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.ledger import Ledger, LedgerInUse, LedgerLock, verify
from tests.companion.ledger.test_file import row

OPENING = "from companion.ledger import Ledger; from pathlib import Path; Ledger.open(Path({!r}))"

LOOKING = "import sqlite3; c = sqlite3.connect({!r}); c.execute('SELECT * FROM row').fetchall(); c.close()"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the ledger, in a data folder."""
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "ledger.sqlite"


def by_its_name(path: Path) -> Path:
    return path


def by_a_link(path: Path) -> Path:
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    return link


def by_a_link_elsewhere(path: Path) -> Path:
    link = path.parent.parent / "ledger.sqlite"
    link.symlink_to(path)
    return link


def by_a_folder_that_is_a_link(path: Path) -> Path:
    (path.parent.parent / "other").symlink_to(path.parent)
    return path.parent.parent / "other" / path.name


def by_a_second_name(path: Path) -> Path:
    second = path.parent.parent / "second.sqlite"
    os.link(path, second)
    return second


def without_its_lock_file(path: Path) -> Path:
    path.with_name(path.name + ".lock").unlink()
    return path


WAYS = (
    *(by_its_name, by_a_link, by_a_link_elsewhere, by_a_folder_that_is_a_link, by_a_second_name, without_its_lock_file),
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["this process", "another process"])
def test_no_second_writer_by_any_path(path: Path, way: Callable[[Path], Path], elsewhere: bool) -> None:
    """One writer: no link, second name or deleted lock file lets a second writer in, and the first can still write."""
    first = Ledger.open(path)
    first.append([row(1)])
    other = way(path)

    if elsewhere:
        program = [sys.executable, "-c", OPENING.format(str(other))]
        refused = subprocess.run(program, capture_output=True, text=True, check=False)
        assert "LedgerInUse" in refused.stderr
    else:
        with pytest.raises(LedgerInUse, match="Only one may write"):
            Ledger.open(other)

    assert first.append([row(2)])
    assert first.probe()
    first.close()
    assert (verify(path).rows, verify(path).findings) == (2, ())
    Ledger.open(other).close()


def test_a_refused_second_does_not_break_the_first_ones_locks(path: Path) -> None:
    """One writer: after a refusal in the same process, another program cannot delete the -wal file of the first."""
    first = Ledger.open(path)
    first.append([row(1)])
    with pytest.raises(LedgerInUse):
        Ledger.open(path)

    subprocess.run([sys.executable, "-c", LOOKING.format(str(path))], check=True)

    assert path.with_name(path.name + "-wal").exists()
    assert first.append([row(2)])
    first.close()
    assert verify(path).rows == 2


def test_a_name_is_held_while_no_file_is_there(path: Path) -> None:
    """One writer: the lock can be taken before the ledger exists, which keeps others from creating it."""
    held = LedgerLock(path)

    with pytest.raises(LedgerInUse):
        Ledger.open(path)

    assert not path.exists()
    held.release()
    Ledger.open(path).close()


def test_a_file_that_came_in_its_place_is_held_from_then_on(path: Path, tmp_path: Path) -> None:
    """One writer: if the ledger's file is replaced, the lock moves to the new file."""
    ledger = Ledger.open(path)
    ledger.append([row(1)])
    ledger.append([row(2)])
    with closing(sqlite3.connect(path)) as there, closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        there.backup(copy)
    for part in ("-wal", "-shm"):
        path.with_name(path.name + part).unlink()
    (tmp_path / "copy.sqlite").replace(path)
    ledger.trouble = "The card was pulled."

    assert ledger.probe()

    second = tmp_path / "second.sqlite"
    os.link(path, second)
    with pytest.raises(LedgerInUse):
        Ledger.open(second)
    ledger.close()
