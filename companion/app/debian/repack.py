"""A package made anew of what is installed: the file that it came from may be gone, and with it the way back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from companion.app.debian.package import NAME
from companion.app.exit_codes import Failed

Asked = Callable[..., str]
OF_THE_STATUS = ("Status:", "Config-Version:", "Conffiles:")
DOCUMENTS = ("/usr/share/doc/", "/usr/share/lintian/")


def repack(scratch: Path, target: Path, asked: Asked) -> Path:
    """Make the package *target* of the installed files, or raise `Failed`; *asked* runs a command of Debian's."""
    if changed := changed_files(asked("dpkg", "--verify", NAME)):
        raise Failed(f"{changed[0]} has changed since it was installed, so the installed package can't be saved.")
    tree = scratch / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    for line in asked("dpkg-query", "--listfiles", NAME).splitlines():
        _take(Path(line), tree)
    for name in asked("dpkg-query", "--control-list", NAME).split():
        shutil.copy2(asked("dpkg-query", "--control-path", NAME, name).strip(), tree / "DEBIAN" / name)
    (tree / "DEBIAN/control").write_text(control(asked("dpkg-query", "--status", NAME)), encoding="utf-8")
    half = scratch / target.name
    asked("dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(half))
    return half.replace(target)


def changed_files(text: str) -> list[str]:
    """Return the files that differ, of what `dpkg --verify` says; documents may be left out of a small system."""
    files = [line.split()[-1] for line in text.splitlines()]
    return [file for file in files if not file.startswith(DOCUMENTS)]


def control(status: str) -> str:
    """Return the control file of a package, of what `dpkg-query --status` says."""
    return "".join(f"{line}\n" for line in status.splitlines() if not line.startswith(OF_THE_STATUS) and line)


def _take(path: Path, tree: Path) -> None:
    """Copy *path* of this computer into *tree*, if it is there."""
    copy = tree / path.relative_to("/")
    if path.is_dir():
        copy.mkdir(parents=True, exist_ok=True)
    elif path.is_file():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
