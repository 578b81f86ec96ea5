"""`companion update`: the package is checked before anything changes, and not installed during a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.debian.package import Package, package_from
from companion.app.debian.update import update
from companion.app.exit_codes import BadUse, Failed
from tests.companion.app.debian.fake_computer import HERE, Computer, package_file


def nobody_plays() -> bool:
    """Report that no game is being played."""
    return False


@pytest.fixture
def computer() -> Computer:
    """A computer with version 1.1 installed."""
    return Computer()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder where packages for a rollback are saved."""
    return tmp_path / "kept"


def test_an_update_keeps_the_way_back_and_then_installs(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """An update saves the installed package, then installs a copy of the new one; both remain in the folder."""
    file = package_file(tmp_path / "stick")

    texts = list(update(file, computer, nobody_plays, folder))

    assert computer.did == ["keep", "install ring-companion_1.2_arm64.deb"]
    assert texts == ["The companion is 1.2 now, after 1.1.", "Its service answers."]
    assert sorted(each.name for each in folder.iterdir()) == [
        "ring-companion_1.1_arm64.deb",
        "ring-companion_1.2_arm64.deb",
    ]


def test_only_the_way_back_is_kept(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """Update: only the previous package and the new one are kept; a package already saved is not packed again."""
    package_file(folder, "1.0")
    package_file(folder, "1.1")

    list(update(package_file(tmp_path / "stick"), computer, nobody_plays, folder))

    assert computer.did == ["install ring-companion_1.2_arm64.deb"]
    assert sorted(each.name for each in folder.iterdir()) == [
        "ring-companion_1.1_arm64.deb",
        "ring-companion_1.2_arm64.deb",
    ]


def test_the_way_back_stays_whatever_a_file_is_called(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """Update: two updates from files of the same name are saved as two packages."""
    for version in ("1.2", "1.3"):
        file = package_file(tmp_path / version, version).rename(tmp_path / "new.deb")
        list(update(file, computer, nobody_plays, folder))

    kept = sorted(each.name for each in folder.iterdir())
    assert kept == ["ring-companion_1.2_arm64.deb", "ring-companion_1.3_arm64.deb"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"name": "solitaire"}, "is the package solitaire, not ring-companion"),
        ({"architecture": "amd64"}, "is for amd64, but this computer is arm64"),
        ({"python": "3.11"}, "is for Python 3.11, but this computer has 3.13"),
        ({"version": "1.1"}, "is version 1.1, which is already installed"),
        ({"version": "1.0"}, "is version 1.0, older than 1.1 here"),
    ],
)
def test_a_package_that_does_not_fit_is_refused_untouched(
    computer: Computer, tmp_path: Path, folder: Path, given: dict[str, str], why: str
) -> None:
    """Update: a wrong name, architecture, Python or version is refused with its reason, and nothing changes."""
    file = package_file(tmp_path / "stick", **given)  # type: ignore[arg-type]

    with pytest.raises(BadUse, match=why):
        list(update(file, computer, nobody_plays, folder))

    assert (computer.did, folder.exists()) == ([], False)


def test_half_a_file_is_refused(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """Update: a truncated package is refused."""
    file = tmp_path / "half.deb"
    file.write_text("{", encoding="utf-8")

    with pytest.raises(BadUse, match="isn't a complete Debian package"):
        list(update(file, computer, nobody_plays, folder))

    assert computer.did == []


def test_nothing_is_changed_in_the_middle_of_a_game(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """An update is refused while a game is being played."""
    with pytest.raises(Failed, match="a game is on: pause or finish it first"):
        list(update(package_file(tmp_path / "stick"), computer, lambda: True, folder))

    assert (computer.did, folder.exists()) == ([], False)


def test_without_a_way_back_it_says_so_and_goes_on(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """If the installed package can't be saved, the update warns and continues, since it may repair the program."""
    computer.fails_to = ("keep",)

    texts = list(update(package_file(tmp_path / "stick"), computer, nobody_plays, folder))

    assert texts[0].startswith("CARE  the installed package can't be kept.")
    assert computer.installed.version == "1.2"


def test_an_installation_that_fails_leaves_the_way_back(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """Update: if the installation fails, the saved package is kept and the reason is reported."""
    computer.fails_to = ("install",)

    with pytest.raises(Failed, match="couldn't be installed: no room"):
        list(update(package_file(tmp_path / "stick"), computer, nobody_plays, folder))

    assert computer.installed == HERE
    assert (folder / "ring-companion_1.1_arm64.deb").is_file()


def test_a_service_that_stays_silent_afterwards_is_told(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """Update: if the service does not answer afterwards, the message names `companion rollback`."""
    computer.says = False

    with pytest.raises(Failed, match="to go back: companion rollback"):
        list(update(package_file(tmp_path / "stick"), computer, nobody_plays, folder))


def test_a_computer_without_a_service_is_not_waited_for(computer: Computer, tmp_path: Path, folder: Path) -> None:
    """Update: on a computer without a service, no line mentions one."""
    computer.says = None

    assert list(update(package_file(tmp_path / "stick"), computer, nobody_plays, folder)) == [
        "The companion is 1.2 now, after 1.1."
    ]


def test_what_was_checked_is_what_is_installed(tmp_path: Path, folder: Path) -> None:
    """Update: the package is copied before the check, so a file exchanged afterwards is not installed."""
    file = package_file(tmp_path / "stick")
    computer = Exchanging(file, package_file(tmp_path / "other", "6.6").read_bytes())

    list(update(file, computer, nobody_plays, folder))

    assert computer.installed.version == "1.2"
    assert file.read_bytes() != (folder / file.name).read_bytes()
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("ring-companion-")] == []


@pytest.mark.parametrize("file", ["", "/dev/zero", "missing.deb"])
def test_what_is_no_file_is_refused(computer: Computer, tmp_path: Path, folder: Path, file: str) -> None:
    """Update: a folder, a device and a missing file are refused before anything is copied."""
    with pytest.raises(BadUse, match="isn't a file"):
        list(update(tmp_path / file, computer, nobody_plays, folder))

    assert (computer.did, folder.exists()) == ([], False)


FIELDS = {
    "Package": "ring-companion",
    "Version": "1.2",
    "Architecture": "arm64",
    "Ring-Companion-Python": "3.13",
    "Ring-Companion-Ledger": "3",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Ring-Companion-Ledger", "9" * 5000),
        ("Ring-Companion-Ledger", "\u0663"),
        ("Ring-Companion-Ledger", "-1"),
        ("Ring-Companion-Python", "3.13; true"),
        ("Version", "1.2/../../etc/cron.d/x"),
        ("Version", ""),
        ("Version", "9" * 5000),
        ("Architecture", "../arm64"),
        ("Package", "-oDebug::x"),
    ],
)
def test_a_field_that_cannot_be_meant_is_named(name: str, value: str) -> None:
    """Update: an invalid field of the package's control file is refused in one short sentence that names the field."""
    told = "".join(f"{each}: {text}\n" for each, text in {**FIELDS, name: value}.items())

    with pytest.raises(BadUse, match=f"its field {name} can't be") as fault:
        package_from(Path("x.deb"), told)
    assert len(str(fault.value)) < 200


def test_a_package_of_ours_is_understood() -> None:
    """Update: control fields are read in any order, and a missing ledger version counts as 0."""
    told = "".join(f"{each}: {text}\n" for each, text in reversed(FIELDS.items()))

    assert package_from(Path("x.deb"), told) == Package("ring-companion", "1.2", "arm64", "3.13", 3)
    assert package_from(Path("x.deb"), "Package: hello\nVersion: 2.10-3\nArchitecture: all\n").ledger == 0


class Exchanging(Computer):
    """A computer on which the file is overwritten right after it was read."""

    def __init__(self, file: Path, other: bytes) -> None:
        super().__init__()
        self._file, self._other = file, other

    def read(self, file: Path) -> Package:
        """Return the package that *file* describes, and overwrite the original file."""
        found = super().read(file)
        self._file.write_bytes(self._other)
        return found
