"""The command line: the one place, beside the evening, where all rooms of the house meet."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from companion.app.exit_codes import BAD_USE, FAILED, BadUse, Failed
from companion.games.registry import GAMES

PORT = 8000
LONGEST_NAME = 60  # of a copy or a colour
MOST_COLOURS = 12


def main(arguments: list[str] | None = None) -> int:
    """Run one command of `companion`; the status is 0 when fine, 1 when it failed, 2 for bad use or input."""
    arguments = sys.argv[1:] if arguments is None else arguments
    args = _parser(arguments[0] if arguments else "").parse_args(arguments)
    try:
        status = int(args.run(args))
        sys.stdout.flush()
        return status
    except BadUse as fault:
        return _say(fault, BAD_USE)
    except Failed as fault:
        return _say(fault, FAILED)
    except OSError as fault:
        if fault.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        # Nobody listens any more, or there is no room: what is left in the buffer must not be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _say(fault, FAILED)
    except KeyboardInterrupt:
        return 130


def _say(fault: Exception, status: int) -> int:
    print(f"companion: {fault}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """A parser that answers bad usage with one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser(first: str) -> argparse.ArgumentParser:
    parser = _Parser(prog="companion", description="A table companion, and the ring that counts for it.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_serve(commands)
    _add_replay(commands)
    _add_simulate(commands)
    _add_odds(commands)
    _add_calibrating(commands)
    _add_keeping(commands)
    if first == "ring":
        import_module("companion.app.cli.ring").add_ring_commands(commands)
    else:
        commands.add_parser("ring", help="look at a ring, or be one")
    if first == "firmware":
        import_module("companion.app.cli.firmware").add_firmware_commands(commands, default_data)
    else:
        commands.add_parser("firmware", help="the firmware of a ring: build it, put it on a board, go back")
    if first == "console":
        import_module("companion.app.cli.console").add_console_commands(commands)
    else:
        commands.add_parser("console", help="try buttons and lamps on the Pi's pins")
    return parser


def _add_serve(commands: Any) -> None:
    serve = commands.add_parser("serve", help="the service: table, ring and pages")
    serve.add_argument(
        "--ring", default="none", metavar="URL", help="mock:, auto, a serial port, any pyserial URL, capture:FILE, none"
    )
    serve.add_argument("--bind", default="0.0.0.0", metavar="ADDR", help="address to listen on")  # noqa: S104
    serve.add_argument("--port", type=_port, default=PORT, help="0 picks a free one")
    serve.add_argument("--no-mdns", dest="mdns", action="store_false", help="do not announce this house by its name")
    serve.add_argument("--power-off", metavar="COMMAND", help="switches this computer off; a Raspberry Pi knows how")
    serve.add_argument("--console", type=Path, metavar="FILE", help="which pin has what (default: DIR/console.toml)")
    _add_data(serve)
    serve.set_defaults(run=_lazily("companion.app.bootstrap", "run_serve"))


def _add_replay(commands: Any) -> None:
    replay = commands.add_parser("replay", help="run a table record and print its final state")
    replay.add_argument("file", metavar="FILE", help="a record, or - for standard input")
    replay.add_argument("--json", action="store_true", help="the final state as one JSON object")
    replay.add_argument("--until", type=_number(1), metavar="N", help="stop after line N (the header is line 1)")
    replay.set_defaults(run=_lazily("companion.app.cli.replay", "run_replay"))


def _add_simulate(commands: Any) -> None:
    simulate = commands.add_parser("simulate", help="play random legal games to their end")
    simulate.add_argument("--game", choices=tuple(GAMES), default=next(iter(GAMES)))
    simulate.add_argument("--players", type=_number(1), default=4, metavar="N")
    simulate.add_argument("--games", type=_number(1), default=100, metavar="N")
    simulate.add_argument("--seed", type=int, default=1)
    simulate.add_argument("--rulings", choices=("default", "any"), default="default", help="any: options by chance too")
    simulate.add_argument("--records", metavar="DIR", help="write each game and its final state there")
    simulate.add_argument("--json", action="store_true")
    simulate.set_defaults(run=_lazily("companion.app.cli.simulate", "run_simulate"))


def _add_odds(commands: Any) -> None:
    odds = commands.add_parser("odds", help="the chances of an attempt with the ring")
    odds.add_argument("--stations", type=_number(1), required=True, metavar="N", help="stations under the ring")
    odds.add_argument("--own", type=_number(0), required=True, metavar="K", help="how many of them are one's own")
    odds.add_argument("--draws", type=_number(0), required=True, metavar="A", help="draws of the attempt")
    odds.add_argument("--json", action="store_true")
    odds.set_defaults(run=_lazily("companion.app.cli.odds", "run_odds"))


def _add_calibrating(commands: Any) -> None:
    calibrate = commands.add_parser("calibrate", help="teach the ring the colours of a copy, at the keyboard")
    calibrate.add_argument("--ring", default="auto", metavar="URL", help="mock:, auto, a serial port, any pyserial URL")
    calibrate.add_argument(
        "--copy", type=_name, metavar="NAME", help="the copy of the game (default: the one on the table)"
    )
    calibrate.add_argument("--colours", type=_words, metavar="A,B,...", help="its colours (default: those it has)")
    calibrate.add_argument("--passes", type=_number(5, 100), default=10, metavar="N", help="passes of each colour")
    calibrate.add_argument("--out", metavar="FILE", help="write the calibration here too")
    _add_data(calibrate)
    calibrate.set_defaults(run=_lazily("companion.app.bootstrap", "run_calibrate"))
    words = commands.add_parser("calibration", help="take a calibration along, or take one in").add_subparsers(
        metavar="COMMAND", required=True
    )
    export = words.add_parser("export", help="write the newest calibration to a file")
    export.add_argument("--device", metavar="D", help="of this ring only")
    export.add_argument("--copy", metavar="C", help="of this copy only")
    imported = words.add_parser("import", help="keep a calibration that was made elsewhere")
    for parser in (export, imported):
        parser.add_argument("file", metavar="FILE")
        _add_data(parser)
    export.set_defaults(run=_lazily("companion.app.cli.calibration", "run_calibration_export"))
    imported.set_defaults(run=_lazily("companion.app.bootstrap", "run_calibration_import"))


def _add_keeping(commands: Any) -> None:
    games = commands.add_parser("games", help="list the games of the ledger")
    games.add_argument("--json", action="store_true")
    export = commands.add_parser("export", help="write a game as a record")
    export.add_argument("id", type=_number(1), metavar="ID", help="a number from `companion games`")
    export.add_argument("--to", choices=("record", "csv", "json", "bgstats"), default="record")
    imported = commands.add_parser("import", help="take a record into the ledger")
    imported.add_argument("file", metavar="FILE", help="a record, or - for standard input")
    backup = commands.add_parser("backup", help="write a safe copy of the ledger")
    backup.add_argument("file", metavar="FILE")
    restore = commands.add_parser("restore", help="put a copy in the ledger's place")
    restore.add_argument("file", metavar="FILE")
    doctor = commands.add_parser("doctor", help="look over the ledger, its storage and the service, with advice")
    pin = commands.add_parser("pin", help="show the host's PIN")
    pin.add_argument("--renew", action="store_true", help="make a new one and sign every device out")
    for name, parser in (("games", games), ("export", export), ("import", imported)):
        _add_data(parser)
        parser.set_defaults(run=_lazily("companion.app.cli.games", f"run_{name}"))
    _add_data(doctor)
    doctor.add_argument("--ring", metavar="URL", help="look whether a ring can be had there too")
    doctor.add_argument("--console", type=Path, metavar="FILE", help="this console too (default: DIR/console.toml)")
    doctor.set_defaults(run=_lazily("companion.app.bootstrap", "run_doctor"))
    for name, parser in (("backup", backup), ("restore", restore)):
        _add_data(parser)
        parser.set_defaults(run=_lazily("companion.app.cli.backup", f"run_{name}"))
    _add_data(pin)
    pin.set_defaults(run=_lazily("companion.app.bootstrap", "run_pin"))


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=default_data(), metavar="DIR", help="where the ledger lies")


def default_data() -> Path:
    """Return the data directory of this user."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "ring-companion"


def _lazily(module: str, function: str) -> Callable[[argparse.Namespace], int]:
    """Return a command that imports what it needs when it runs: nobody waits for what they did not ask for."""
    return lambda args: int(getattr(import_module(module), function)(args))


def _words(text: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
    if len(found) < 2:
        raise argparse.ArgumentTypeError("two colours at least are wanted, joined by commas")
    if len(found) > MOST_COLOURS:
        raise argparse.ArgumentTypeError(f"{MOST_COLOURS} colours at most are told apart, not {len(found)}")
    return tuple(map(_name, found))


def _name(text: str) -> str:
    if not 0 < len(text) <= LONGEST_NAME or not text.isprintable():
        raise argparse.ArgumentTypeError(f"a name of 1 to {LONGEST_NAME} characters is wanted, not {text[:70]!r}")
    return text


def _number(least: int, most: int | None = None) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least or (most is not None and int(text) > most):
            bounds = f"from {least}" if most is None else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"a whole number {bounds} is wanted, not {text!r}")
        return int(text)

    return number


def _port(text: str) -> int:
    port = _number(0)(text)
    if port > 65_535:
        raise argparse.ArgumentTypeError(f"ports go up to 65535, not {text}")
    return port
