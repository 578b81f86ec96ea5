"""The forgetful disk: which data survives a power cut, and which may survive."""

from __future__ import annotations

from random import Random

import pytest

from tests.powercut.disk import FOLDER_MODE, File, Folder, Mercy, empty_disk

NONE, ALL = (Mercy(share, 512, Random(1)) for share in (0.0, 1.0))


@pytest.fixture
def disk() -> Folder:
    """A disk with a file whose content and name are synced."""
    disk = empty_disk()
    disk.rename({b"kept": File(0o100600)})
    disk.sync()
    return disk


def content(disk: Folder, name: bytes = b"kept") -> bytes:
    """Return the content of a file."""
    file = disk.seen[name]
    assert isinstance(file, File)
    return bytes(file.seen)


def file_of(disk: Folder, name: bytes = b"kept") -> File:
    """Return a file."""
    file = disk.seen[name]
    assert isinstance(file, File)
    return file


def test_what_was_written_is_seen_at_once_and_lost_with_the_power(disk: Folder) -> None:
    """Written data can be read immediately, but may be lost until it is synced."""
    file_of(disk).write(0, b"text")

    assert content(disk) == b"text"
    assert content(disk.after_cut(NONE)) == b""
    assert content(disk.after_cut(ALL)) == b"text"


def test_what_was_synced_stays(disk: Folder) -> None:
    """A sync of a file saves all earlier writes and changes of size, and no later ones."""
    file = file_of(disk)
    file.write(0, b"a longer text")
    file.resize(4)
    file.resize(6)
    file.sync()
    file.write(0, b"lost")
    file.resize(0)

    assert content(disk.after_cut(NONE)) == b"a lo\0\0"


def test_sectors_come_through_each_by_itself(disk: Folder) -> None:
    """Of one write any complete sectors may survive, with zeros in between."""
    file_of(disk).write(100, b"x" * 2000)
    found = {content(disk.after_cut(Mercy(0.5, 512, Random(lots)))) for lots in range(200)}

    sectors = [(100, 512), (512, 1024), (1024, 1536), (1536, 2048), (2048, 2100)]
    assert len(found) == 2 ** len(sectors)
    for left in found:
        there = [left[start:end] for start, end in sectors]
        assert all(set(part) <= {0} or part == b"x" * len(part) for part in there)


def test_a_synced_file_may_have_lost_its_name(disk: Folder) -> None:
    """A new file's name is saved by a sync of its folder, not by a sync of the file."""
    disk.rename({b"new": File(0o100600)})
    file_of(disk, b"new").write(0, b"text")
    file_of(disk, b"new").sync()

    assert b"new" not in disk.after_cut(NONE).seen
    disk.sync()
    assert content(disk.after_cut(NONE), b"new") == b"text"


def test_a_name_that_is_replaced_leads_to_one_or_the_other(disk: Folder) -> None:
    """A rename is atomic, and if it is lost, the replaced file is still there."""
    file_of(disk).write(0, b"old")
    file_of(disk).sync()
    fresh = File(0o100600)
    fresh.write(0, b"new")
    fresh.sync()
    disk.rename({b"fresh": fresh})
    disk.rename({b"fresh": None, b"kept": fresh})

    left = [disk.after_cut(Mercy(0.5, 512, Random(lots))) for lots in range(50)]

    assert {(content(each), tuple(each.seen)) for each in left} == {
        (b"old", (b"kept",)),
        (b"old", (b"kept", b"fresh")),
        (b"new", (b"kept",)),
    }


def test_what_was_taken_away_may_come_back(disk: Folder) -> None:
    """Until its folder is synced, a removed file may be found again with its synced content."""
    file_of(disk).write(0, b"text")
    file_of(disk).sync()
    disk.rename({b"kept": None})

    assert content(disk.after_cut(NONE)) == b"text"
    assert disk.after_cut(ALL).seen == {}


def test_a_folder_is_lost_with_all_that_is_in_it(disk: Folder) -> None:
    """A synced file is lost if its folder's own name is not synced."""
    inside = Folder(FOLDER_MODE)
    disk.rename({b"data": inside})
    inside.rename({b"file": File(0o100600)})
    inside.sync()

    assert b"data" not in disk.after_cut(NONE).seen


def test_what_is_left_is_on_the_disk(disk: Folder) -> None:
    """Data that survived one power cut also survives the next."""
    file_of(disk).write(0, b"text")

    assert content(disk.after_cut(ALL).after_cut(NONE)) == b"text"
