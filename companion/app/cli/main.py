"""The command line: parses the arguments, runs the command, and reports an error in one line."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from companion.app.cli.registry import COMMANDS, CommandEntry, CommandGroup
from companion.app.exit_codes import BAD_USE, FAILED, INTERRUPTED, BadUse, Failed

GENTLY = 10
"""The niceness of a command that must not slow down a game in progress (`gently`)."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command of `companion`. The status is 0 for success, 1 for failure, 2 for bad usage or bad input."""
    is_program = arguments is None
    arguments = sys.argv[1:] if arguments is None else arguments
    args = command_line([word for word in arguments if not word.startswith("-")]).parse_args(arguments)
    if is_program and args.gently:  # if another program calls this function, do not change its priority
        os.nice(GENTLY)
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
        # The reader of the output has ended, or the disk is full. Python must not flush the rest of the buffer again at
        # exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _say(fault, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED


def command_line(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser for the command at the beginning of *words*. The parsed arguments include `run`.

    For other commands, the parser contains only the help texts.
    """
    parser = _Parser(
        prog="companion",
        description="Keeps score and turns of a board game on tablets and phones; a ring can count its cubes.",
    )
    parser.set_defaults(gently=False)
    _add(parser, COMMANDS, words)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser that reports bad usage in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _add(
    parser: argparse.ArgumentParser,
    commands: Mapping[str, CommandEntry | CommandGroup],
    words: Sequence[str],
    required: bool = True,
) -> None:
    parsers = parser.add_subparsers(metavar="COMMAND" if required else "[COMMAND]", required=required)
    for name, entry in commands.items():
        its = parsers.add_parser(name, help=entry.purpose)
        if name not in words[:1]:
            continue
        alone = entry.alone if isinstance(entry, CommandGroup) else entry
        if alone is not None:
            command = alone.module_commands()[name]
            command.add(its)
            its.set_defaults(run=command.run)
        if isinstance(entry, CommandGroup):
            _add(its, entry.commands, words[1:], required=alone is None)


def _say(fault: Exception, status: int) -> int:
    print(f"companion: {fault}", file=sys.stderr)
    return status
