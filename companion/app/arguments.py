"""Parsers for command-line arguments. Each error message is one sentence that says what is expected."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from companion.kernel.languages import DEFAULT, LANGUAGES

RINGS = "mock:, auto, a serial port, any pyserial URL, gpio:, emulated:, capture:FILE or none"
"""The forms of a ring's address, as the help of `--ring` lists them."""
MOST_COLOURS = 12
LAST_PORT = 65_535


def add_data(parser: ArgumentParser, what: str = "the folder with the ledger") -> None:
    """Add `--data`, the data folder. The default is the folder of this user's games."""
    parser.add_argument("--data", type=_from_here, default=_data_of_this_user(), metavar="DIR", help=what)


def add_ring(parser: ArgumentParser, usual: str | None = "auto") -> None:
    """Add `--ring`, the address of a ring, with *usual* as the default."""
    parser.add_argument("--ring", default=usual, metavar="URL", help=f"the ring's address: {RINGS}")


def add_language(parser: ArgumentParser) -> None:
    """Add `--language`, one of the languages of the program."""
    parser.add_argument(
        "--language", choices=tuple(LANGUAGES), default=DEFAULT, help=f"language of the output (default: {DEFAULT})"
    )


def add_json(parser: ArgumentParser, what: str = "print JSON, for other programs") -> None:
    """Add `--json`, output for other programs."""
    parser.add_argument("--json", action="store_true", help=what)


def add_record(parser: ArgumentParser) -> None:
    """Add the argument for the file of a record."""
    parser.add_argument("file", metavar="FILE", help="the record of a game, or - for standard input")


def add_method(parser: ArgumentParser) -> None:
    """Add the option for the method that judges colours. The default, None, is the method named in the calibration."""
    parser.add_argument("--method", type=method, metavar="NAME", help="method that judges colours")


def method(text: str) -> str:
    """Return the name of a method that judges colours."""
    from firmware_bridge.colour import METHODS

    if text not in METHODS:
        raise ArgumentTypeError(f"no such method: {text} (choose from {', '.join(METHODS)})")
    return text


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a parser for a whole number from *least* to *most*."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least or (most is not None and int(text) > most):
            bounds = f"from {least}" if most is None else f"from {least} to {most}"
            raise ArgumentTypeError(f"must be a whole number {bounds}, not {text!r}")
        return int(text)

    return read


def measure(least: float, most: float) -> Callable[[str], float]:
    """Return a parser for a number, possibly with a fraction, from *least* to *most*."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise ArgumentTypeError(f"must be a number from {least:g} to {most:g}, not {text!r}")
        return value

    return read


def share(text: str) -> float:
    """Parse a share from 0 to less than 1."""
    value = measure(0, 1)(text)
    if value == 1:
        raise ArgumentTypeError(f"must be a share from 0 to less than 1, not {text!r}")
    return value


def seed(text: str) -> int:
    """Parse the seed of a random generator, which is any whole number."""
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def port(text: str) -> int:
    """Parse the number of a TCP port of this machine; 0 means any free port."""
    value = number(0)(text)
    if value > LAST_PORT:
        raise ArgumentTypeError(f"must be a port from 0 to {LAST_PORT}, not {text}")
    return value


def name(text: str) -> str:
    """Parse the name of a copy or a colour."""
    from companion.kernel.errors import Malformed
    from companion.kernel.names import LONGEST_NAME, name_from

    try:
        return name_from(text)
    except Malformed as fault:
        wanted = f"must be a name of 1 to {LONGEST_NAME} characters, not {text[:70]!r}"
        raise ArgumentTypeError(f"{wanted}: {fault}") from None


def names(text: str) -> tuple[str, ...]:
    """Parse names separated by commas."""
    return tuple(each.strip() for each in text.split(",") if each.strip())


def colours(text: str) -> tuple[str, ...]:
    """Parse the colours of a copy, separated by commas, without duplicates."""
    found = tuple(dict.fromkeys(each.lower() for each in names(text)))
    if len(found) < 2:
        raise ArgumentTypeError("give at least two colours, separated by commas")
    if len(found) > MOST_COLOURS:
        raise ArgumentTypeError(f"give at most {MOST_COLOURS} colours, not {len(found)}")
    return tuple(map(name, found))


def agreed(question: str) -> bool:
    """Ask a question at the terminal, and return True only for yes."""
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        return False


def printable(text: str) -> str:
    """Return *text* with each character replaced that this terminal cannot print.

    A record may contain any characters.
    """
    from companion.kernel.names import one_line

    encoding = sys.stdout.encoding or "utf-8"
    return one_line(text).encode(encoding, "replace").decode(encoding)


def _from_here(text: str) -> Path:
    """Parse the name of a folder, and make it absolute, because the working directory may change later."""
    return Path(text).absolute()


def _data_of_this_user() -> Path:
    if named := os.environ.get("RING_COMPANION_DATA"):
        return Path(named)  # the folder of an installed program, if this user has access to it
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "ring-companion"
