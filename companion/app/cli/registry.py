"""All commands of all rooms, by the words that are typed: what each is for, and what imports it.

A command is a module that says its arguments in `add` and does its deed in `run`. Nobody waits for what they did not
ask for: a module is imported with its few neighbours when one of them is meant, and at its top it imports only what
arguments take; what the deed takes is imported in `run`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol


class Command(Protocol):
    """One command: its arguments, and its deed, which returns the exit status."""

    def add(self, parser: ArgumentParser) -> None:
        """Say the arguments that it takes."""

    def run(self, args: Namespace) -> int:
        """Do it, or raise `BadUse` or `Failed`."""


class CommandEntry(NamedTuple):
    """What a command is for, and what imports it among its neighbours."""

    purpose: str
    neighbours: Callable[[], Mapping[str, Command]]


class CommandGroup(NamedTuple):
    """Commands that share their first word; *alone* is what that does by itself, None where it wants a second one."""

    purpose: str
    commands: Mapping[str, CommandEntry]
    alone: CommandEntry | None = None


def _evening() -> Mapping[str, Command]:
    from companion.app.cli import calibrate, serve

    return {"serve": serve, "calibrate": calibrate}


def _rules() -> Mapping[str, Command]:
    from companion.app.cli import odds, replay, simulate, utterances, verify

    return {"replay": replay, "verify": verify, "utterances": utterances, "simulate": simulate, "odds": odds}


def _ledger() -> Mapping[str, Command]:
    from companion.app.cli import (
        backup,
        doctor,
        draws,
        export,
        games,
        import_record,
        luck,
        merge,
        pin,
        restore,
        share,
        statistics,
    )

    return {
        "games": games,
        "export": export,
        "import": import_record,
        "draws": draws,
        "luck": luck,
        "share": share,
        "statistics": statistics,
        "merge": merge,
        "backup": backup,
        "restore": restore,
        "doctor": doctor,
        "pin": pin,
    }


def _fairness() -> Mapping[str, Command]:
    from companion.app.cli import fairness, fairness_bench

    return {"fairness": fairness, "bench": fairness_bench}


def _program() -> Mapping[str, Command]:
    from companion.app.cli import rollback, update

    return {"update": update, "rollback": rollback}


def _calibration() -> Mapping[str, Command]:
    from companion.app.cli.calibration import export_calibration, import_calibration

    return {"export": export_calibration, "import": import_calibration}


def _ring() -> Mapping[str, Command]:
    from companion.app.cli.ring import check, emulate, judge, list_ports, mock, recognise, ring_info, watch

    return {
        "list": list_ports,
        "info": ring_info,
        "watch": watch,
        "mock": mock,
        "emulate": emulate,
        "check": check,
        "judge": judge,
        "recognise": recognise,
    }


def _firmware() -> Mapping[str, Command]:
    from companion.app.cli.firmware import build, firmware_info, install, put_back

    return {"info": firmware_info, "build": build, "install": install, "restore": put_back}


def _names() -> Mapping[str, Command]:
    from companion.app.cli.names import list_names, remove, rename

    return {"list": list_names, "rename": rename, "remove": remove}


def _console() -> Mapping[str, Command]:
    from companion.app.cli.console import try_parts

    return {"try": try_parts}


FAIRNESS = {"bench": CommandEntry("test a ring at the bench: numbered cubes, pulls, seconds of shaking", _fairness)}
CALIBRATION = {
    "export": CommandEntry("write the newest calibration to a file", _calibration),
    "import": CommandEntry("import a calibration made elsewhere", _calibration),
}
RING = {
    "list": CommandEntry("list serial ports that may be rings", _ring),
    "info": CommandEntry("show what a ring says about itself and its link", _ring),
    "watch": CommandEntry("show what a ring sends, live", _ring),
    "mock": CommandEntry("be a simulated ring behind a pseudo-terminal", _ring),
    "emulate": CommandEntry("run the firmware on an emulated board behind a pseudo-terminal", _ring),
    "check": CommandEntry("test a ring's promises; needs the ring to itself", _ring),
    "judge": CommandEntry("re-check recorded passages", _ring),
    "recognise": CommandEntry("test colour reading on a simulated ring", _ring),
}
FIRMWARE = {
    "info": CommandEntry("show which firmware this is, and a ring's", _firmware),
    "build": CommandEntry("write the firmware to a folder, laid out as on a board", _firmware),
    "install": CommandEntry("put the firmware on a board, saving what was there", _firmware),
    "restore": CommandEntry("put back what a board had before", _firmware),
}
CONSOLE = {
    "try": CommandEntry("show each part in turn, then name each button you press", _console),
}
NAMES = {
    "list": CommandEntry("list who is named in the games", _names),
    "rename": CommandEntry("change a name in all games and backups", _names),
    "remove": CommandEntry("remove a name from all games and backups, for good", _names),
}
COMMANDS: Mapping[str, CommandEntry | CommandGroup] = {
    "serve": CommandEntry("run the service: table, ring and pages", _evening),
    "replay": CommandEntry("run a table record and print its final state", _rules),
    "verify": CommandEntry("check that nobody chose what the companion drew in a table record", _rules),
    "utterances": CommandEntry("print what the table would say of a record", _rules),
    "simulate": CommandEntry("play random legal games to their end", _rules),
    "odds": CommandEntry("the chances of an attempt with the ring", _rules),
    "calibrate": CommandEntry("teach the ring the colours of a copy, at the keyboard", _evening),
    "calibration": CommandGroup("export a calibration, or import one", CALIBRATION),
    "games": CommandEntry("list the games of the ledger", _ledger),
    "export": CommandEntry("write a game as a record", _ledger),
    "import": CommandEntry("import a record into the ledger", _ledger),
    "draws": CommandEntry("write all draws as a table for other programs", _ledger),
    "fairness": CommandGroup(
        "what all draws say of a ring's odds", FAIRNESS, CommandEntry("from the ledger", _fairness)
    ),
    "luck": CommandEntry("what was luck in a game, and what was not", _ledger),
    "share": CommandEntry("write a game as a page that shows itself", _ledger),
    "statistics": CommandEntry("what all games say of players, colours and times", _ledger),
    "merge": CommandEntry("take in the games of other companions", _ledger),
    "names": CommandGroup("who is named in the games: list, change, remove", NAMES),
    "backup": CommandEntry("write a safe copy of the ledger", _ledger),
    "restore": CommandEntry("replace the ledger by a copy", _ledger),
    "doctor": CommandEntry("check ledger, storage and service, with advice", _ledger),
    "pin": CommandEntry("show the host's PIN", _ledger),
    "update": CommandEntry("install a newer Debian package, between games", _program),
    "rollback": CommandEntry("go back to the previous Debian package", _program),
    "ring": CommandGroup("look at a ring, or be one", RING),
    "firmware": CommandGroup("the firmware of a ring: build it, put it on a board, go back", FIRMWARE),
    "console": CommandGroup("try buttons and lamps on the Pi's pins", CONSOLE),
}
