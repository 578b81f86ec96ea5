"""The Debian package: its control fields, its files' places, and versions that increase with each build."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.pi.package import lgpio, tree, version
from hardware.pi.package.site_packages import BESIDE, our_files
from hardware.pi.package.targets import ARCHITECTURES, SUITES, Target

ROOT = Path(__file__).parents[3]
PI = ROOT / "hardware" / "pi"
BOOKWORM, TRIXIE = SUITES["bookworm"], SUITES["trixie"]
RELEASE = tree.Release("1.2.0~deb12", Target(BOOKWORM, ARCHITECTURES["arm64"]), 3, 0)


def fields(text: str) -> dict[str, str]:
    """Return the single-line fields of a control file."""
    return dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith(" "))


def unit() -> configparser.RawConfigParser:
    """Return the service's unit file."""
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((PI / "ring-companion.service").read_text(encoding="utf-8"))
    return parser


def newer(one: str, other: str) -> bool:
    """Return whether Debian considers version *one* newer than *other*."""
    return subprocess.run(["dpkg", "--compare-versions", one, "gt", other]).returncode == 0


def test_a_package_says_what_it_is_and_which_python_and_ledger_it_is_for() -> None:
    """The control file has name, architecture and version, requires one Python version, and names the ledger format."""
    said = fields(tree.control(RELEASE, 10_000))

    assert (said["Package"], said["Architecture"], said["Version"]) == ("ring-companion", "arm64", "1.2.0~deb12")
    assert said["Depends"].startswith("python3 (>= 3.11~), python3 (<< 3.12~), ")
    assert (said["Ring-Companion-Ledger"], said["Ring-Companion-Python"]) == ("3", "3.11")


@pytest.mark.skipif(not shutil.which("dpkg"), reason="only Debian compares versions as it does")
def test_each_build_and_each_suite_is_newer_than_the_one_before() -> None:
    """More commits, a later program or a later suite make a newer package."""
    steps = [
        version.versioned("0.1.0", None, BOOKWORM),
        version.versioned("0.1.0", 9, BOOKWORM),
        version.versioned("0.1.0", 9, TRIXIE),
        version.versioned("0.1.0", 10, BOOKWORM),
        version.versioned("0.1.1", None, BOOKWORM),
    ]

    assert [newer(later, earlier) for earlier, later in pairwise(steps)] == [True] * 4


def test_a_checkout_gives_the_programs_own_version() -> None:
    """The package's version begins with the one in pyproject.toml."""
    assert version.package_version(ROOT, TRIXIE).startswith(version.program_version(ROOT))


def test_what_lies_about_in_a_checkout_does_not_come_into_the_package(tmp_path: Path) -> None:
    """The package has the files tracked by git (in a copy without git, those that aren't compiled) and no others."""
    for name in ("companion/a.py", "companion/__pycache__/a.pyc", "build/lib/gone.py", "web/b.html", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")

    found = our_files(tmp_path)

    assert sorted(set(found) - {*BESIDE}) == ["companion/a.py", "web/b.html"]


def test_the_package_has_every_file_in_its_place_with_rights_for_all(tmp_path: Path) -> None:
    """Unit, rules and command are at their places, and only root can write there."""
    site = tmp_path / "site"
    (site / "companion").mkdir(parents=True)
    (site / "companion" / "__init__.py").write_text("", encoding="utf-8")
    (site / "companion" / "__init__.py").chmod(0o600)

    tree.lay_out(tmp_path / "tree", site, ROOT)
    tree.put_control(tmp_path / "tree", RELEASE)

    there = {str(path.relative_to(tmp_path / "tree")) for path in (tmp_path / "tree").rglob("*")}
    assert there > {*tree.FILES.values(), "usr/bin/companion", "usr/lib/ring-companion/companion/__init__.py"}
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "tree").rglob("*.py")} == {0o644}
    assert {(tmp_path / "tree/DEBIAN" / name).stat().st_mode & 0o777 for name in tree.SCRIPTS} == {0o755}
    assert "usr/bin/companion" in (tmp_path / "tree/DEBIAN/md5sums").read_text(encoding="utf-8")


def test_wheels_of_a_newer_c_library_are_not_taken() -> None:
    """Wheels must run with the C library of the older suite."""
    assert RELEASE.target.platforms[0] == "manylinux_2_36_aarch64"
    assert RELEASE.target.tag == "cpython-311-aarch64-linux-gnu"


def test_lgpio_is_built_by_the_targets_own_compiler_against_its_own_python() -> None:
    """A cross compiler builds lgpio for another processor, and the usual compiler for the same one."""
    target = Target(TRIXIE, ARCHITECTURES["arm64"])

    assert lgpio.tools("amd64", target) == ("swig", "gcc-aarch64-linux-gnu", "libpython3-dev:arm64")
    assert lgpio.tools("arm64", target) == ("swig", "gcc", "libpython3-dev:arm64")
    assert "aarch64-linux-gnu-gcc" in lgpio.script_for(target)
    assert "python3.13" in lgpio.script_for(target)


def test_the_service_keeps_what_it_writes_to_itself() -> None:
    """The service has its own user and a private folder, and can't get more privileges."""
    service = unit()["Service"]

    assert (service["User"], service["UMask"], service["StateDirectoryMode"]) == ("companion", "0077", "0700")
    assert (service["NoNewPrivileges"], service["CapabilityBoundingSet"]) == ("yes", "")


def test_the_service_may_reach_serial_lines_pins_and_the_way_to_switch_off() -> None:
    """The service can access devices and the system bus, and a missing group doesn't prevent its start."""
    service = unit()["Service"]

    assert {"PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock", "SupplementaryGroups"}.isdisjoint(service)
    assert "AF_UNIX" in service["RestrictAddressFamilies"].split()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this computer has no systemd")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    """`systemd-analyze verify` finds no fault in the unit, with another program instead of the companion."""
    text = (PI / "ring-companion.service").read_text(encoding="utf-8")
    copy = tmp_path / "ring-companion.service"
    copy.write_text(text.replace("/usr/bin/companion", sys.executable), encoding="utf-8")

    looked = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)

    assert "ring-companion" not in looked.stderr


def test_the_ring_gets_a_name_that_stays_and_a_group_that_may_use_it() -> None:
    """udev knows a Pico by its USB ids (not the debug probe), and gives it its own name and the serial group."""
    rules = (PI / "60-ring-companion.rules").read_text(encoding="utf-8")

    assert 'SYMLINK+="ring-companion"' in rules
    assert 'GROUP="dialout"' in rules
    products = re.search(r'idProduct}=="([0-9a-f|]+)"', rules)
    assert products is not None
    assert "000c" not in products[1].split("|")


@pytest.mark.parametrize("name", tree.SCRIPTS)
def test_a_maintainers_script_is_a_script_of_every_shell(name: str) -> None:
    """The maintainer scripts are valid for sh, and stop at the first error."""
    text = (PI / "debian" / name).read_text(encoding="utf-8")

    assert subprocess.run(["sh", "-n", PI / "debian" / name]).returncode == 0
    assert "set -e" in text.splitlines()


def test_the_question_at_the_end_is_answered_no_unless_somebody_says_yes() -> None:
    """The question at a purge exists in every language, and the games are kept by default."""
    said = fields((PI / "debian" / "templates").read_text(encoding="utf-8"))

    assert said["Default"] == "false"
    assert {"Description", "Description-nl.UTF-8", "Description-de.UTF-8"} <= said.keys()
