"""The registry of commands: each command exists, has help, and is imported only when it is used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from companion.app.cli.registry import COMMANDS, CommandEntry, CommandGroup
from tests.companion.app.processes import companion

LIGHT = (
    "companion.app.arguments",
    "companion.app.bridge_faults",
    "companion.app.cli",
    "companion.app.exit_codes",
    "companion.app.named_file",
    "companion.app.progress",
    "companion.games.registry",
    "companion.kernel",
)
"""Modules that parsing a command's arguments may import."""
SIMULATORS = ("ring mock", "ring emulate", "ring recognise")


def words() -> Iterator[str]:
    """Yield the full name of each command."""
    for first, entry in COMMANDS.items():
        yield from (f"{first} {second}" for second in entry.commands) if isinstance(entry, CommandGroup) else (first,)


def entry_of(command: str) -> CommandEntry:
    """Return the registry's entry for *command*."""
    first, *more = command.split()
    entry = COMMANDS[first]
    return entry.commands[more[0]] if isinstance(entry, CommandGroup) else entry


def imported(*arguments: str) -> set[str]:
    """Return our modules that are imported while a command line is parsed, before the command runs."""
    reads = "import sys; from companion.app.cli.main import command_line as c; w = sys.argv[1:]; c(w)"
    tells = "print(*(each for each in sys.modules if each.split('.')[0] in ('companion', 'firmware_bridge', 'web')))"
    done = subprocess.run([sys.executable, "-c", f"{reads}; {tells}", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("command", list(words()))
def test_each_command_is_found_and_helps(command: str) -> None:
    """Command line: every command of the registry has an implementation and its own --help."""
    told = companion(*command.split(), "--help")

    assert command.split()[-1] in entry_of(command).module_commands()
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(f"usage: companion {command} [-h]")


def test_a_group_tells_its_commands_without_importing_them() -> None:
    """Command line: the help of a group comes from the registry, without importing the group's modules."""
    text = companion("ring", "--help").stdout

    assert all(f"{name} " in text for name in ("list", "info", "watch", "mock", "emulate", "check", "judge"))
    assert "companion.app.cli.ring" not in imported()


@pytest.mark.parametrize("command", ["serve", "games", "doctor", "ring check", "ring mock", "firmware info"])
def test_no_room_is_entered_before_the_deed(command: str) -> None:
    """Command line: parsing arguments imports no table, ring or page."""
    strange = {each for each in imported(*command.split()) if not f"{each}.".startswith(tuple(f"{x}." for x in LIGHT))}

    assert strange <= {"companion", "companion.app", "companion.games", "companion.kernel"}


@pytest.mark.parametrize("command", ["ring list", "ring info --ring none", "firmware info", "doctor --ring none"])
def test_no_simulator_is_imported_where_none_is_asked_for(command: str, tmp_path: object) -> None:
    """Command line: simulators are imported only if the command or the ring's address asks for a simulation."""
    runs = "import sys; from companion.app.cli.main import main; main(sys.argv[1:])"
    tells = "print(*(each for each in sys.modules if each.startswith('firmware_bridge.simulation')), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{runs}; {tells}", *command.split()],
        capture_output=True,
        text=True,
        cwd=str(tmp_path),
        env={"XDG_DATA_HOME": str(tmp_path)},
    )

    assert done.stderr.strip() == ""
