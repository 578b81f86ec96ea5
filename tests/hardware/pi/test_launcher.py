"""The installed command: commands of root run as the service's user, so that the service can access all files."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "hardware" / "pi" / "debian" / "companion"
ROOT_USER, SERVICE_USER, SOMEBODY = 0, 100, 1000


def launcher() -> Any:
    """Return the script as a module."""
    spec = spec_from_loader("launcher", SourceFileLoader("launcher", str(SCRIPT)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class System:
    """A system's users, with the current one."""

    def __init__(self, who: int) -> None:
        self.user = SimpleNamespace(pw_uid=SERVICE_USER, pw_gid=101)
        self.environ: dict[str, str] = {}
        self.did: list[str] = []
        self._who = who

    def geteuid(self) -> int:
        """Return the current user."""
        return self._who

    def initgroups(self, name: str, group: int) -> None:
        """Record the change of groups."""
        self.did.append(f"groups of {name}")

    def setgid(self, group: int) -> None:
        """Record the change of the group."""
        self.did.append(f"group {group}")

    def setuid(self, user: int) -> None:
        """Record the change of the user."""
        self.did.append(f"user {user}")
        self._who = user


def test_root_becomes_the_service_for_all_that_touches_its_folder() -> None:
    """For root the launcher changes groups, then the user, and uses the service's folder."""
    system = System(ROOT_USER)

    assert launcher().become_the_service(["doctor"], system) == "companion"
    assert system.did == ["groups of companion", "group 101", "user 100"]
    assert system.environ == {"HOME": "/var/lib/ring-companion", "RING_COMPANION_DATA": "/var/lib/ring-companion"}


@pytest.mark.parametrize("word", ["update", "rollback"])
def test_root_stays_root_to_change_the_program(word: str) -> None:
    """Commands that replace the package keep running as root."""
    system = System(ROOT_USER)

    assert launcher().become_the_service([word, "x.deb"], system) == "root"
    assert system.did == []


def test_anybody_else_is_left_alone_with_games_of_their_own() -> None:
    """For any other user the launcher changes nothing, and uses their own folder."""
    system = System(SOMEBODY)

    assert launcher().become_the_service(["games"], system) is None
    assert (system.did, system.environ) == ([], {})
