"""All commands, by their words on the command line. Each has a help text and a function that imports its module.

A command has two functions in a module: `add_NAME` adds its arguments and `run_NAME` runs it. A module is imported only
for its own commands, so that `companion --help` is fast. For the same reason, the top of a module imports only what the
arguments need; everything else is imported inside `run_NAME`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Command(NamedTuple):
    """One command: a function that adds its arguments, and a function that runs it and returns the exit status.

    *run* may raise `BadUse` or `Failed`.
    """

    add: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


class CommandEntry(NamedTuple):
    """The help text of a command, and a function that imports all commands of its module."""

    purpose: str
    module_commands: Callable[[], Mapping[str, Command]]


class CommandGroup(NamedTuple):
    """Commands that share their first word.

    *alone* is the command for that word without a second word. If it is None, a second word is required.
    """

    purpose: str
    commands: Mapping[str, CommandEntry]
    alone: CommandEntry | None = None


def _service() -> Mapping[str, Command]:
    from companion.app.cli import service

    return {
        "serve": Command(service.add_serve, service.run_serve),
        "doctor": Command(service.add_doctor, service.run_doctor),
        "pin": Command(service.add_pin, service.run_pin),
        "update": Command(service.add_update, service.run_update),
        "rollback": Command(service.add_rollback, service.run_rollback),
    }


def _records() -> Mapping[str, Command]:
    from companion.app.cli import records

    return {
        "replay": Command(records.add_replay, records.run_replay),
        "verify": Command(records.add_verify, records.run_verify),
        "utterances": Command(records.add_utterances, records.run_utterances),
        "simulate": Command(records.add_simulate, records.run_simulate),
    }


def _games() -> Mapping[str, Command]:
    from companion.app.cli import games

    return {
        "games": Command(games.add_games, games.run_games),
        "export": Command(games.add_export, games.run_export),
        "import": Command(games.add_import, games.run_import),
        "share": Command(games.add_share, games.run_share),
        "draws": Command(games.add_draws, games.run_draws),
    }


def _ledger() -> Mapping[str, Command]:
    from companion.app.cli import ledger

    return {
        "backup": Command(ledger.add_backup, ledger.run_backup),
        "restore": Command(ledger.add_restore, ledger.run_restore),
        "merge": Command(ledger.add_merge, ledger.run_merge),
    }


def _statistics() -> Mapping[str, Command]:
    from companion.app.cli import statistics

    return {"statistics": Command(statistics.add, statistics.run)}


def _chance() -> Mapping[str, Command]:
    from companion.app.cli import chance

    return {
        "fairness": Command(chance.add_fairness, chance.run_fairness),
        "luck": Command(chance.add_luck, chance.run_luck),
        "odds": Command(chance.add_odds, chance.run_odds),
    }


def _bench() -> Mapping[str, Command]:
    from companion.app.cli import fairness_bench

    return {"bench": Command(fairness_bench.add, fairness_bench.run)}


def _calibration() -> Mapping[str, Command]:
    from companion.app.cli import calibration

    return {
        "calibrate": Command(calibration.add_calibrate, calibration.run_calibrate),
        "export": Command(calibration.add_export, calibration.run_export),
        "import": Command(calibration.add_import, calibration.run_import),
    }


def _ring() -> Mapping[str, Command]:
    from companion.app.cli import ring

    return {
        "list": Command(ring.add_list, ring.run_list),
        "info": Command(ring.add_info, ring.run_info),
        "watch": Command(ring.add_watch, ring.run_watch),
        "check": Command(ring.add_check, ring.run_check),
        "judge": Command(ring.add_judge, ring.run_judge),
    }


def _simulated_ring() -> Mapping[str, Command]:
    from companion.app.cli import simulated_ring

    return {
        "mock": Command(simulated_ring.add_mock, simulated_ring.run_mock),
        "emulate": Command(simulated_ring.add_emulate, simulated_ring.run_emulate),
        "recognise": Command(simulated_ring.add_recognise, simulated_ring.run_recognise),
    }


def _firmware() -> Mapping[str, Command]:
    from companion.app.cli import firmware

    return {
        "info": Command(firmware.add_info, firmware.run_info),
        "build": Command(firmware.add_build, firmware.run_build),
        "install": Command(firmware.add_install, firmware.run_install),
        "restore": Command(firmware.add_restore, firmware.run_restore),
    }


def _names() -> Mapping[str, Command]:
    from companion.app.cli import names

    return {
        "list": Command(names.add_list, names.run_list),
        "rename": Command(names.add_rename, names.run_rename),
        "remove": Command(names.add_remove, names.run_remove),
    }


def _console() -> Mapping[str, Command]:
    from companion.app.cli import console

    return {"try": Command(console.add, console.run)}


def _home() -> Mapping[str, Command]:
    from companion.app.cli import home

    return {"home": Command(home.add, home.run)}


def _club() -> Mapping[str, Command]:
    from companion.app.cli import club

    return {
        "new": Command(club.add_new, club.run_new),
        "admit": Command(club.add_admit, club.run_admit),
        "revoke": Command(club.add_revoke, club.run_revoke),
        "renew": Command(club.add_renew, club.run_renew),
        "join": Command(club.add_join, club.run_join),
        "leave": Command(club.add_leave, club.run_leave),
        "serve": Command(club.add_serve, club.run_serve),
    }


def _club_reports() -> Mapping[str, Command]:
    from companion.app.cli import club_reports

    return {
        "status": Command(club_reports.add_status, club_reports.run_status),
        "verify": Command(club_reports.add_verify, club_reports.run_verify),
        "export": Command(club_reports.add_export, club_reports.run_export),
        "league": Command(club_reports.add_league, club_reports.run_league),
        "people": Command(club_reports.add_people, club_reports.run_people),
    }


CLUB = {
    "new": CommandEntry("found a club on this computer", _club),
    "admit": CommandEntry("admit tables, and write their sheets", _club),
    "revoke": CommandEntry("make a table's sheet invalid", _club),
    "renew": CommandEntry("make a new certificate for the club's broker", _club),
    "join": CommandEntry("join a club with this table", _club),
    "leave": CommandEntry("leave the club with this table", _club),
    "serve": CommandEntry("collect the games of the club's tables, and serve its pages", _club),
    "status": CommandEntry("show how far each table's games have arrived", _club_reports),
    "verify": CommandEntry("check every row that the club has", _club_reports),
    "export": CommandEntry("write the ledgers of the club's tables to a folder", _club_reports),
    "league": CommandEntry("print points and ratings of everybody", _club_reports),
    "people": CommandEntry("list everybody who has played", _club_reports),
}
FAIRNESS = {"bench": CommandEntry("test a ring at the bench: numbered cubes, pulls, seconds of shaking", _bench)}
CALIBRATION = {
    "export": CommandEntry("write the newest calibration to a file", _calibration),
    "import": CommandEntry("import a calibration made elsewhere", _calibration),
}
RING = {
    "list": CommandEntry("list serial ports that may be rings", _ring),
    "info": CommandEntry("show what a ring says about itself and its link", _ring),
    "watch": CommandEntry("show what a ring sends, live", _ring),
    "mock": CommandEntry("run a simulated ring on a pseudo-terminal", _simulated_ring),
    "emulate": CommandEntry("run the ring's firmware on an emulated board, on a pseudo-terminal", _simulated_ring),
    "check": CommandEntry("test whether a ring does what its protocol promises; no game may be using it", _ring),
    "judge": CommandEntry("judge the colours of recorded passages again", _ring),
    "recognise": CommandEntry("test colour reading on a simulated ring", _simulated_ring),
}
FIRMWARE = {
    "info": CommandEntry("show the version of this program's firmware, and of a ring's", _firmware),
    "build": CommandEntry("write the firmware to a folder, laid out as on a board", _firmware),
    "install": CommandEntry("put the firmware on a board, saving what was there", _firmware),
    "restore": CommandEntry("write the saved files of a board back to it", _firmware),
}
CONSOLE = {
    "try": CommandEntry("show each lamp and sign in turn, then print each button you press", _console),
}
NAMES = {
    "list": CommandEntry("list the names of players in all games", _names),
    "rename": CommandEntry("change a name in all games and backups", _names),
    "remove": CommandEntry("remove a name from all games and backups, for good", _names),
}
COMMANDS: Mapping[str, CommandEntry | CommandGroup] = {
    "serve": CommandEntry("run the service: table, ring and pages", _service),
    "replay": CommandEntry("replay a record and print its final state", _records),
    "verify": CommandEntry("check that nobody chose the companion's random draws in a record", _records),
    "utterances": CommandEntry("print the sentences that the table would speak in a recorded game", _records),
    "simulate": CommandEntry("play random legal games to their end", _records),
    "odds": CommandEntry("print the chances of an attempt with the ring", _chance),
    "calibrate": CommandEntry("teach the ring the colours of a copy, at the keyboard", _calibration),
    "calibration": CommandGroup("export a calibration, or import one", CALIBRATION),
    "games": CommandEntry("list the games of the ledger", _games),
    "export": CommandEntry("write a game as a record", _games),
    "import": CommandEntry("import a record into the ledger", _games),
    "draws": CommandEntry("write all draws as a table for other programs", _games),
    "fairness": CommandGroup(
        "show from all draws whether a ring favours some cubes",
        FAIRNESS,
        CommandEntry("analyse the draws in the ledger", _chance),
    ),
    "luck": CommandEntry("show how much of a game's result was luck", _chance),
    "share": CommandEntry("write a game as a web page that replays it", _games),
    "statistics": CommandEntry("print statistics of players, colours and times over all games", _statistics),
    "merge": CommandEntry("import the games of other companions", _ledger),
    "names": CommandGroup("list, change or remove the names of players", NAMES),
    "backup": CommandEntry("write a backup of the ledger", _ledger),
    "restore": CommandEntry("replace the ledger with a backup", _ledger),
    "doctor": CommandEntry("check ledger, storage and service, with advice", _service),
    "pin": CommandEntry("show the host's PIN", _service),
    "update": CommandEntry("install a newer Debian package, between games", _service),
    "rollback": CommandEntry("go back to the previous Debian package", _service),
    "ring": CommandGroup("find, watch and test a ring, or simulate one", RING),
    "firmware": CommandGroup(
        "build a ring's firmware, install it on a board, or restore a board's old files", FIRMWARE
    ),
    "club": CommandGroup("join a club, or run one: the games of many tables in one place", CLUB),
    "home": CommandEntry("show this table in Home Assistant", _home),
    "console": CommandGroup("test the buttons and lamps on the Pi's pins", CONSOLE),
}
