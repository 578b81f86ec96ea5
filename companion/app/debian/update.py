"""Install a newer package. It is checked first, and the installed package is saved. During a game this is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from companion.app.debian.kept_packages import forget_others, has, keep, own_copy
from companion.app.debian.package import Package, System, fitting
from companion.app.exit_codes import BadUse, Failed


def update(file: Path, system: System, playing: Callable[[], bool], folder: Path) -> Iterator[str]:
    """Install the package *file*, and yield a sentence for each thing done.

    *playing* returns whether a game is in progress. *folder* contains the packages for a rollback. Raises `BadUse` or
    `Failed`. If it fails before the installation itself, nothing has changed.
    """
    before = system.here()
    with own_copy(file, folder) as copy:
        package = _checked(copy, file, before, system)
        refuse_while(playing)
        yield from keep_the_way_back(before, system, folder)
        system.install(keep(copy, package, folder))
    forget_others(folder, system, before.version, package.version)
    yield f"The companion is {package.version} now, after {before.version}."
    yield from check_answers(system)


def refuse_while(playing: Callable[[], bool]) -> None:
    """Raise `Failed` if *playing* returns that a game is in progress."""
    if playing():
        raise Failed("a game is on: pause or finish it first; nothing changed")


def check_answers(system: System) -> Iterator[str]:
    """Yield "Its service answers.", or raise `Failed`. If the service is not enabled, yield nothing."""
    answer = system.answers()
    if answer is None:
        return
    if not answer:
        raise Failed("its service doesn't answer: sudo journalctl -u ring-companion; to go back: companion rollback")
    yield "Its service answers."


def keep_the_way_back(before: Package, system: System, folder: Path) -> Iterator[str]:
    """Save the installed package in *folder*. Yield a warning if that fails.

    If its file is no longer there, the package is rebuilt from the installed files.
    """
    if has(before.version, folder, system):
        return
    try:
        system.keep_installed(folder)
    except Failed as fault:
        yield f"CARE  {fault} To go back from this update, you need a package file of your own."


def _checked(copy: Path, file: Path, before: Package, system: System) -> Package:
    """Return the package in *copy* if it may be installed here, or raise `BadUse` with the name of *file*."""
    try:
        package = fitting(copy, system)
    except BadUse as fault:
        raise BadUse(str(fault).replace(str(copy), str(file))) from None
    _check_newer(file, package, before, system)
    return package


def _check_newer(file: Path, package: Package, before: Package, system: System) -> None:
    if package.version == before.version:
        raise BadUse(f"{file} is version {package.version}, which is already installed")
    if not system.newer(package.version, before.version):
        raise BadUse(
            f"{file} is version {package.version}, older than {before.version} here: companion rollback goes back"
        )
