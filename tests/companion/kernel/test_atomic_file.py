"""Files are replaced atomically: a reader sees the old content or the new content, never a part."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.kernel.atomic_file import clear_unfinished, replacement, write_whole
from companion.kernel.private_file import write_private


def test_what_was_there_stays_until_all_of_the_new_one_is_there(tmp_path: Path) -> None:
    """A reader sees the old content until the new file is complete."""
    path = tmp_path / "kept"
    path.write_text("old")

    with replacement(path) as fresh:
        fresh.write_text("new")
        assert path.read_text() == "old"

    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_fault_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    """If writing fails, the old file is unchanged and no temporary file is left."""
    path = tmp_path / "kept"
    path.write_text("old")

    with pytest.raises(OSError, match="full"), replacement(path) as fresh:
        fresh.write_text("ne")
        raise OSError("full")

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_fault_that_came_first_is_the_one_that_is_told(tmp_path: Path) -> None:
    """If the folder does not exist, FileNotFoundError is raised, not an error from cleaning up."""
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "no" / "folder", "new")


def test_two_at_a_time_are_in_nobodys_way(tmp_path: Path) -> None:
    """Concurrent writers each use their own temporary file; the last one to finish wins."""
    path = tmp_path / "kept"

    with replacement(path) as first, replacement(path) as second:
        first.write_text("first")
        second.write_text("second")

    assert first != second
    assert path.read_text() == "first"


@pytest.mark.parametrize("before", [None, 0o644], ids=["new", "readable before"])
def test_the_rights_are_those_that_are_asked_for(tmp_path: Path, before: int | None) -> None:
    """A private file has mode 0600 from its first byte on, whatever its mode was before."""
    path = tmp_path / "kept"
    if before is not None:
        path.touch(before)

    write_private(path, "secret")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "secret"


def test_a_link_is_replaced_too_and_not_what_it_points_to(tmp_path: Path) -> None:
    """If the path is a link, the link is replaced, not its target."""
    path, other = tmp_path / "ring", tmp_path / "other"
    other.write_text("untouched")
    path.symlink_to(other)

    with replacement(path) as fresh:
        fresh.symlink_to(os.devnull)

    assert path.readlink() == Path(os.devnull)
    assert other.read_text() == "untouched"


def test_what_a_power_cut_left_unfinished_is_cleared(tmp_path: Path) -> None:
    """Temporary files of ended processes are deleted; files of running processes and other files are not."""
    gone = 2**22 + 1  # above the highest possible process number
    left = [".pin.{}.0123abcd", ".ledger.sqlite.{}.89abcdef", ".ledger.sqlite.{}.89abcdef-journal"]
    for name in left:
        (tmp_path / name.format(gone)).write_text("half")
    staying = {f".pin.{os.getpid()}.0123abcd", ".hidden", "pin", f".pin.{gone}.txt"}
    for name in staying:
        (tmp_path / name).write_text("whole")

    clear_unfinished(tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == staying
