"""The contents of the Debian package: where each file goes, and its control files."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate
from importlib import metadata
from pathlib import Path

from hardware.pi.package.targets import Suite, Target

PI = Path(__file__).parents[1]
DEBIAN = PI / "debian"
MAINTAINER = "The ring companion's developers <developers@ring-companion.invalid>"
LIBRARY = "usr/lib/ring-companion"
DOCUMENTS = "usr/share/doc/ring-companion"
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
FILES = {
    PI / "ring-companion.service": "usr/lib/systemd/system/ring-companion.service",
    PI / "50-ring-companion.rules": "usr/share/polkit-1/rules.d/50-ring-companion.rules",
    PI / "60-ring-companion.rules": "usr/lib/udev/rules.d/60-ring-companion.rules",
    DEBIAN / "lintian-overrides": "usr/share/lintian/overrides/ring-companion",
}
DESCRIPTION = """\
Description: table companion for the board game Andromeda (1999)
 The planet ring counts and names the cubes that leave it; a tablet keeps the
 turns, the tracks, the trades, their clock and the score, and whoever likes
 plays from a phone. Everything runs on this computer, without the internet.
 .
 The Python packages that it needs lie in it, so that one file is enough.
"""


@dataclass(frozen=True)
class Release:
    """The properties of one package: version, target, ledger version, and build time in Unix seconds."""

    version: str
    target: Target
    ledger: int
    made_at: int


def control(release: Release, size_kib: int) -> str:
    """Return the control file: name, version, dependencies, and the version of ledgers that the program reads."""
    fields = {
        "Package": "ring-companion",
        "Version": release.version,
        "Architecture": release.target.architecture.name,
        "Maintainer": MAINTAINER,
        "Installed-Size": str(size_kib),
        "Depends": ", ".join((*_pythons(release.target.suite), "adduser", "debconf", "libc6 (>= 2.36)")),
        "Recommends": "mosquitto, polkitd, udev",
        "Section": "misc",
        "Priority": "optional",
        "Ring-Companion-Ledger": str(release.ledger),
        "Ring-Companion-Python": release.target.python,
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items()) + DESCRIPTION


def _pythons(suite: Suite) -> tuple[str, str]:
    """Return the dependencies on the suite's Python version; compiled modules work with that version only."""
    major, minor = suite.python
    return f"python3 (>= {major}.{minor}~)", f"python3 (<< {major}.{minor + 1}~)"


def lay_out(tree: Path, site: Path, root: Path) -> None:
    """Fill *tree* with all files of the package except its control files; *site* contains its Python packages."""
    shutil.copytree(site, tree / LIBRARY)
    for source, place in FILES.items():
        _put(source, tree / place)
    _put(DEBIAN / "companion", tree / "usr/bin/companion", 0o755)
    (tree / "var/lib/ring-companion-packages").mkdir(parents=True)
    (tree / DOCUMENTS).mkdir(parents=True)
    (tree / DOCUMENTS / "copyright").write_text(copyrights(site, root), encoding="utf-8")
    _put(root / "CHANGELOG.md", tree / DOCUMENTS / "CHANGELOG.md")
    _set_modes(tree)


def put_changelog(tree: Path, release: Release) -> None:
    """Put Debian's changelog into *tree*; it only refers to CHANGELOG.md, where users find the changes."""
    head = f"ring-companion ({release.version}) unstable; urgency=medium"
    told = f"{head}\n\n  * See CHANGELOG.md.\n\n -- {MAINTAINER}  {formatdate(release.made_at)}\n"
    (tree / DOCUMENTS / "changelog.gz").write_bytes(gzip.compress(told.encode(), 9, mtime=0))


def _put(source: Path, target: Path, mode: int = 0o644) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def _set_modes(tree: Path) -> None:
    """Set the permissions of each file and folder, independently of the builder's umask."""
    for path in tree.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)


def copyrights(site: Path, root: Path) -> str:
    """Return the copyright file: the program's licence, and a line with the licence of each other Python package."""
    others = "".join(f"{line}\n" for line in sorted(_others(site)))
    licence = (root / "LICENSE").read_text(encoding="utf-8")
    return (
        f"The ring companion:\n\n{licence}\n"
        f"Python packages of others, below /{LIBRARY}, each with its licence in its own folder there\n"
        f"(of the GNU LGPL a copy is in /usr/share/common-licenses/LGPL-2.1):\n\n{others}"
    )


def _others(site: Path) -> Iterator[str]:
    for each in metadata.distributions(path=[str(site)]):
        named = each.metadata.get("License-Expression") or each.metadata.get("License") or "see its folder"
        if each.name != "ring-companion":
            yield f"{each.name} {each.version}: {named.strip().splitlines()[0]}"
    yield "lgpio: public domain (unlicense)"


def put_control(tree: Path, release: Release) -> None:
    """Put the control files into *tree*, which must be complete except for them."""
    put_changelog(tree, release)
    folder = tree / "DEBIAN"
    sums = "".join(f"{digest}  {name}\n" for name, digest in _sums(tree))
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file())
    folder.mkdir()
    (folder / "control").write_text(control(release, size // 1024 + 1), encoding="utf-8")
    (folder / "md5sums").write_text(sums, encoding="utf-8")
    shutil.copyfile(DEBIAN / "templates", folder / "templates")
    for name in SCRIPTS:
        _put(DEBIAN / name, folder / name, 0o755)


def _sums(tree: Path) -> Iterator[tuple[str, str]]:
    from hashlib import md5

    for path in sorted(tree.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(tree)), md5(path.read_bytes(), usedforsecurity=False).hexdigest()
