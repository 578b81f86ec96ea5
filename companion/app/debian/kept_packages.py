"""The saved packages that make a rollback possible: the installed package and the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.debian.package import Package, System, fitting
from companion.app.exit_codes import BadUse, Failed

FOLDER = Path("/var/lib/ring-companion-packages")
LARGEST = 512 << 20
"""The largest accepted package, in bytes. The companion's package has about twenty million bytes."""
_PIECE = 1 << 20


@contextmanager
def own_copy(file: Path, neighbour: Path) -> Iterator[Path]:
    """Yield a copy of *file* with the same name. It is in a new folder next to *neighbour*, which only root can open.

    The checks and the installation use this copy, because the original file could be replaced after the checks.
    """
    if not file.is_file():
        raise BadUse(f"{file} isn't a file")
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(TemporaryDirectory(prefix="ring-companion-", dir=neighbour.parent))
            copy = Path(folder) / file.name
            _copied(file, copy)
        except OSError as fault:
            raise Failed(f"{file} can't be copied to {neighbour.parent}: {fault.strerror}; nothing changed") from None
        yield copy


def _copied(file: Path, copy: Path) -> None:
    with file.open("rb") as source, copy.open("xb") as target:
        while piece := source.read(_PIECE):
            if target.tell() + len(piece) > LARGEST:
                raise BadUse(f"{file} is larger than {LARGEST >> 20} MB, which no package of ours is")
            target.write(piece)


def keep(copy: Path, package: Package, folder: Path) -> Path:
    """Move *copy*, the file of *package*, into *folder*, or raise `Failed`."""
    # Use the package's own name. If all files were called `new.deb`, the second would overwrite the first.
    target = folder / f"{package.name}_{package.version}_{package.architecture}.deb"
    try:
        folder.mkdir(exist_ok=True)
        return copy.replace(target)
    except OSError as fault:
        raise Failed(f"The package can't be saved in {folder}: {fault.strerror}; nothing changed") from None


def saved(folder: Path, system: System) -> dict[Path, Package]:
    """Return the packages in *folder* that are complete and made for this computer."""
    found = {}
    for file in sorted(folder.glob("*.deb")):
        try:
            found[file] = fitting(file, system)
        except BadUse:
            continue  # an incomplete copy, or a package for another release
    return found


def the_one_before(folder: Path, system: System) -> tuple[Path, Package]:
    """Return the newest package in *folder* that is older than the installed one, or raise `Failed`."""
    newest: tuple[Path, Package] | None = None
    for file, package in saved(folder, system).items():
        if system.newer(system.here().version, package.version) and (
            newest is None or system.newer(package.version, newest[1].version)
        ):
            newest = file, package
    if newest is None:
        raise Failed(f"no earlier package in {folder}: nothing to go back to")
    return newest


def has(version: str, folder: Path, system: System) -> bool:
    """Return whether *folder* contains the package of *version*."""
    return any(package.version == version for package in saved(folder, system).values())


def forget_others(folder: Path, system: System, *versions: str) -> None:
    """Delete all packages in *folder* except those whose version is in *versions*."""
    staying = {file for file, package in saved(folder, system).items() if package.version in versions}
    for file in folder.glob("*.deb"):
        if file not in staying:
            file.unlink()
