"""Files that only their owner can open: they are created private, remain private, and are not trusted if open."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.kernel.private_file import (
    OTHERS_WRITE,
    Modes,
    distrusted,
    has_permissions,
    make_private,
    make_private_folder,
    private,
    write_private,
)


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """The umask with which a service was started."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


class Fat(Modes):
    """A file system without permissions: every file is open to everybody, and changing a mode has no effect."""

    def mode(self, path: Path) -> int:
        return 0o755


class Foreign(Modes):
    """A folder with one file that belongs to another user."""

    def __init__(self, laid: Path) -> None:
        self._laid = laid

    def ours(self, path: Path) -> bool:
        return path != self._laid


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_whatever_the_umask_a_file_is_its_owners_alone(tmp_path: Path, umask: int) -> None:
    """Private: with any umask, new, replaced and appended files have mode 0600, and folders 0700."""
    folder = tmp_path / "a" / "b"
    make_private_folder(folder)
    make_private(folder / "made")
    write_private(folder / "written", "text")
    with open(folder / "gone on with", "a", opener=private) as file:
        file.write("text")

    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.iterdir()} == {
        "made": 0o600,
        "written": 0o600,
        "gone on with": 0o600,
    }


def test_what_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    """Private: creating a private file where one exists keeps its content."""
    path = tmp_path / "ledger"
    path.write_text("rows")

    make_private(path)

    assert path.read_text() == "rows"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """Private: appending through a symbolic link is refused, and writing a file replaces the link."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("untouched")
    link.symlink_to(target)

    with pytest.raises(OSError, match="symbolic links"):
        open(link, "a", opener=private)  # noqa: SIM115 - it raises
    write_private(link, "new")

    assert (target.read_text(), link.read_text(), link.is_symlink()) == ("untouched", "new", False)


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o602, 0o666], ids=oct)
def test_what_others_could_open_is_not_trusted(tmp_path: Path, bits: int) -> None:
    """Private: a file that other users may read or write is reported with its mode."""
    path = tmp_path / "pin"
    write_private(path, "123456")
    assert distrusted(path) == ""

    path.chmod(bits)

    assert distrusted(path) == f"{path} was open to others (mode {bits:04o})"
    assert bool(distrusted(path, unwanted=OTHERS_WRITE)) is bool(bits & 0o022)


def test_what_is_not_ours_is_not_trusted(tmp_path: Path) -> None:
    """Private: a file of another user and a link are reported."""
    path, link = tmp_path / "pin", tmp_path / "token"
    write_private(path, "123456")
    link.symlink_to(path)

    assert distrusted(path, Foreign(path)) == f"{path} belongs to another user"
    assert distrusted(link) == f"{link} is a link"


def test_a_file_system_without_modes_is_believed(tmp_path: Path) -> None:
    """Private: on a file system without permissions, an open file is not reported."""
    path = tmp_path / "pin"
    write_private(path, "123456")

    assert not has_permissions(tmp_path, Fat())
    assert distrusted(path, Fat()) == ""
    assert has_permissions(tmp_path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_what_root_makes_is_the_folders_owners(tmp_path: Path) -> None:
    """Private: files that root creates belong to the folder's owner, so that the service can open them."""
    os.chown(tmp_path, 4711, 4712)

    write_private(tmp_path / "pin", "123456")
    make_private_folder(tmp_path / "captures")

    found = [(tmp_path / name).stat() for name in ("pin", "captures")]
    assert [(each.st_uid, each.st_gid, stat.S_IMODE(each.st_mode)) for each in found] == [
        (4711, 4712, 0o600),
        (4711, 4712, 0o700),
    ]
    assert distrusted(tmp_path / "pin") == ""
