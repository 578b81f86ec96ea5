"""Files that are replaced whole: what was there before, or what comes after, and never a half of either."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.kernel.atomic_file import clear_unfinished, replacement, write_whole
from companion.kernel.private_file import write_private


def test_what_was_there_stays_until_all_of_the_new_one_is_there(tmp_path: Path) -> None:
    """Whoever reads meanwhile reads the old one."""
    path = tmp_path / "kept"
    path.write_text("old")

    with replacement(path) as fresh:
        fresh.write_text("new")
        assert path.read_text() == "old"

    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_fault_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    """A disk that is full costs the new one only, and leaves no half beside it."""
    path = tmp_path / "kept"
    path.write_text("old")

    with pytest.raises(OSError, match="full"), replacement(path) as fresh:
        fresh.write_text("ne")
        raise OSError("full")

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_fault_that_came_first_is_the_one_that_is_told(tmp_path: Path) -> None:
    """Where there is no such folder, nothing can be taken away either."""
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "no" / "folder", "new")


def test_two_at_a_time_are_in_nobodys_way(tmp_path: Path) -> None:
    """Each writes beside the other, and the last to be done stays."""
    path = tmp_path / "kept"

    with replacement(path) as first, replacement(path) as second:
        first.write_text("first")
        second.write_text("second")

    assert first != second
    assert path.read_text() == "first"


@pytest.mark.parametrize("before", [None, 0o644], ids=["new", "readable before"])
def test_the_rights_are_those_that_are_asked_for(tmp_path: Path, before: int | None) -> None:
    """What is private is so from its first byte on, whatever was there before."""
    path = tmp_path / "kept"
    if before is not None:
        path.touch(before)

    write_private(path, "secret")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "secret"


def test_a_link_is_replaced_too_and_not_what_it_points_to(tmp_path: Path) -> None:
    """A pseudo-terminal's link changes in one go."""
    path, other = tmp_path / "ring", tmp_path / "other"
    other.write_text("untouched")
    path.symlink_to(other)

    with replacement(path) as fresh:
        fresh.symlink_to(os.devnull)

    assert path.readlink() == Path(os.devnull)
    assert other.read_text() == "untouched"


def test_what_a_power_cut_left_unfinished_is_cleared(tmp_path: Path) -> None:
    """Whose process is gone goes; what is being written, and hidden files of others, stay."""
    gone = 2**22 + 1  # beyond the numbers that processes get
    left = [".pin.{}.0123abcd", ".ledger.sqlite.{}.89abcdef", ".ledger.sqlite.{}.89abcdef-journal"]
    for name in left:
        (tmp_path / name.format(gone)).write_text("half")
    staying = {f".pin.{os.getpid()}.0123abcd", ".hidden", "pin", f".pin.{gone}.txt"}
    for name in staying:
        (tmp_path / name).write_text("whole")

    clear_unfinished(tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == staying
