"""The installed package is packed again without the fields that dpkg added, unless a program file was changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.debian.computer import changed_files, control, repack
from companion.app.exit_codes import Failed

STATUS = """Package: ring-companion
Status: install ok installed
Version: 1.1
Ring-Companion-Ledger: 1
Description: a table
 and a ring
"""


def test_the_words_of_a_package_stay_but_for_those_of_dpkg() -> None:
    """Repacking removes the fields that dpkg added at installation, and changes no other field."""
    assert control(STATUS) == STATUS.replace("Status: install ok installed\n", "")


def test_a_document_that_a_small_system_left_out_is_no_damage() -> None:
    """Repack: changed program files that `dpkg --verify` reports count as changes, but missing documents don't."""
    text = "missing     /usr/share/doc/ring-companion/copyright\n??5??????   /usr/lib/ring-companion/web/app.py\n"

    assert changed_files(text) == ["/usr/lib/ring-companion/web/app.py"]


def test_a_program_that_was_changed_is_not_kept_as_a_way_back(tmp_path: Path) -> None:
    """Repack: an installation with a changed program file is refused, since a rollback must give the original."""
    with pytest.raises(Failed, match=r"app\.py has changed since it was installed"):
        repack(tmp_path, tmp_path / "x.deb", lambda *command: "??5??????   /usr/lib/ring-companion/web/app.py")


def test_files_and_scripts_are_laid_out_as_they_are_installed(tmp_path: Path) -> None:
    """Repack: the package contains every installed file with its mode, dpkg's scripts, and the control fields."""
    program, script = tmp_path / "installed" / "program", tmp_path / "info" / "ring-companion.postinst"
    for path in (program, script):
        path.parent.mkdir()
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
    answers = {
        "--verify": "",
        "--listfiles": f"/\n{program.parent}\n{program}\n/nowhere/at/all\n",
        "--control-list": "postinst\n",
        "--control-path": f"{script}\n",
        "--status": STATUS,
    }
    seen: list[str] = []

    def asked(*command: str) -> str:
        if command[0] != "dpkg-deb":
            return answers[command[1]]
        tree, half = map(Path, command[-2:])
        seen.extend(sorted(str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()))
        assert (tree / program.relative_to("/")).stat().st_mode & 0o777 == 0o755
        half.write_text("a package", encoding="utf-8")
        return ""

    scratch = tmp_path / "scratch"
    made = repack(scratch, tmp_path / "x.deb", asked)

    assert made.read_text(encoding="utf-8") == "a package"
    assert seen == ["DEBIAN/control", "DEBIAN/postinst", str(program.relative_to("/"))]
