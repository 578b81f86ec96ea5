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


class Entry(NamedTuple):
    """What a command is for, and what imports it among its neighbours."""

    purpose: str
    neighbours: Callable[[], Mapping[str, Command]]


class Group(NamedTuple):
    """Commands that share their first word; *alone* is what that does by itself, None where it wants a second one."""

    purpose: str
    commands: Mapping[str, Entry]
    alone: Entry | None = None


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


FAIRNESS = {"bench": Entry("test a ring at the bench: numbered cubes, pulls, seconds of shaking", _fairness)}
CALIBRATION = {
    "export": Entry("write the newest calibration to a file", _calibration),
    "import": Entry("import a calibration made elsewhere", _calibration),
}
RING = {
    "list": Entry("list serial ports that may be rings", _ring),
    "info": Entry("show what a ring says about itself and its link", _ring),
    "watch": Entry("show what a ring sends, live", _ring),
    "mock": Entry("be a simulated ring behind a pseudo-terminal", _ring),
    "emulate": Entry("run the firmware on an emulated board behind a pseudo-terminal", _ring),
    "check": Entry("test a ring's promises; needs the ring to itself", _ring),
    "judge": Entry("re-check recorded passages", _ring),
    "recognise": Entry("test colour reading on a simulated ring", _ring),
}
FIRMWARE = {
    "info": Entry("show which firmware this is, and a ring's", _firmware),
    "build": Entry("write the firmware to a folder, laid out as on a board", _firmware),
    "install": Entry("put the firmware on a board, saving what was there", _firmware),
    "restore": Entry("put back what a board had before", _firmware),
}
CONSOLE = {
    "try": Entry("show each part in turn, then name each button you press", _console),
}
NAMES = {
    "list": Entry("list who is named in the games", _names),
    "rename": Entry("change a name in all games and backups", _names),
    "remove": Entry("remove a name from all games and backups, for good", _names),
}
COMMANDS: Mapping[str, Entry | Group] = {
    "serve": Entry("run the service: table, ring and pages", _evening),
    "replay": Entry("run a table record and print its final state", _rules),
    "verify": Entry("check that nobody chose what the companion drew in a table record", _rules),
    "utterances": Entry("print what the table would say of a record", _rules),
    "simulate": Entry("play random legal games to their end", _rules),
    "odds": Entry("the chances of an attempt with the ring", _rules),
    "calibrate": Entry("teach the ring the colours of a copy, at the keyboard", _evening),
    "calibration": Group("export a calibration, or import one", CALIBRATION),
    "games": Entry("list the games of the ledger", _ledger),
    "export": Entry("write a game as a record", _ledger),
    "import": Entry("import a record into the ledger", _ledger),
    "draws": Entry("write all draws as a table for other programs", _ledger),
    "fairness": Group("what all draws say of a ring's odds", FAIRNESS, Entry("from the ledger", _fairness)),
    "luck": Entry("what was luck in a game, and what was not", _ledger),
    "share": Entry("write a game as a page that shows itself", _ledger),
    "statistics": Entry("what all games say of players, colours and times", _ledger),
    "merge": Entry("take in the games of other companions", _ledger),
    "names": Group("who is named in the games: list, change, remove", NAMES),
    "backup": Entry("write a safe copy of the ledger", _ledger),
    "restore": Entry("replace the ledger by a copy", _ledger),
    "doctor": Entry("check ledger, storage and service, with advice", _ledger),
    "pin": Entry("show the host's PIN", _ledger),
    "update": Entry("install a newer Debian package, between games", _program),
    "rollback": Entry("go back to the previous Debian package", _program),
    "ring": Group("look at a ring, or be one", RING),
    "firmware": Group("the firmware of a ring: build it, put it on a board, go back", FIRMWARE),
    "console": Group("try buttons and lamps on the Pi's pins", CONSOLE),
}
