"""A person at the bench, who reads a sentence, follows it, and types a line."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Protocol, TextIO

from rungs import settings
from rungs.rung import Missing, Unable

GO_ON, AGAIN, SKIP, QUIT = "", "r", "s", "q"
KEYS = "Enter: done. r: once more. s: skip this promise. q: end here."
TERMINAL = Path("/dev/tty")
ANSWERS_S = 600.0
PORTION = 4096


class Ended(Exception):
    """The person has ended the run."""


class Heard(Protocol):
    """The input that a person types into. It has a file descriptor."""

    def fileno(self) -> int:
        """Return the file descriptor."""

    def close(self) -> None:
        """Close the input."""


class Person:
    """A person who reads the text written to *said* and types lines into *heard*.

    >>> from io import StringIO
    >>> heard, typed = socket.socketpair()
    >>> typed.sendall(b"r\\n\\n")
    >>> said = StringIO()
    >>> Person(heard, said).ask("Warm the sensor.")
    >>> said.getvalue().count("Warm the sensor.")
    2
    >>> heard.close(), typed.close()
    (None, None)
    """

    def __init__(self, heard: Heard, said: TextIO) -> None:
        self._heard = heard
        self._said = said
        self._typed = b""
        self._promise = ""
        self._deeds = self._deed = 0

    def __repr__(self) -> str:
        return f"<Person promise={self._promise!r} deed={self._deed}>"

    @classmethod
    def at(cls, address: str) -> Person:
        """Return the person at the terminal (`tty`), or the first one who connects to `HOST:PORT`."""
        try:
            if address == "tty":
                return cls(TERMINAL.open("rb", buffering=0), TERMINAL.open("w", encoding="utf-8"))
            with socket.create_server(settings.address(address)) as server:
                if not select([server], [], [], ANSWERS_S)[0]:
                    raise Missing(f"Nobody has connected to {address} within {ANSWERS_S:g} s.")
                connection, _ = server.accept()
            return cls(connection, connection.makefile("w", encoding="utf-8"))
        except (OSError, ValueError) as fault:
            raise Missing(f"Nobody can be asked at {address}: {fault}.") from None

    def begin(self, promise: str, deeds: int) -> None:
        """Begin a promise that needs this number of actions."""
        self._promise, self._deeds, self._deed = promise, deeds, 0

    def ask(
        self, sentence: str, meanwhile: Callable[[], str] | None = None, forget: Callable[[], object] = lambda: None
    ) -> None:
        """Ask for an action, and wait until it is done. Raise `Unable` if it is skipped, `Ended` to end the run.

        *meanwhile* is called repeatedly until the person answers; each call may take a moment. Text that it
        returns is shown to the person, for example what the device has reported. *forget* is called before
        an action is repeated.
        """
        if not self._deed:
            self._say(f"\n{self._promise}")
        self._deed += 1
        of = f" {self._deed} of {self._deeds}" if self._deed <= self._deeds > 1 else ""
        word = "DO"
        while True:
            self._say(f"{word}{of}: {sentence}\n    {KEYS}")
            match self._answer(meanwhile):
                case "r":
                    word = "ONCE MORE"
                    forget()
                case "s":
                    raise Unable("Skipped by the person at the bench.")
                case "q":
                    raise Ended("Ended by the person at the bench.")
                case _:
                    return

    def close(self) -> None:
        """Close the connection to the person."""
        with suppress(OSError):
            self._said.close()
        self._heard.close()

    def _say(self, text: str) -> None:
        self._said.write(f"{text}\n")
        self._said.flush()

    def _answer(self, meanwhile: Callable[[], str] | None) -> str:
        """Return the first letter of the next line that the person types."""
        while b"\n" not in self._typed:
            if meanwhile is not None and not select([self._heard], [], [], 0)[0]:
                if text := meanwhile():
                    self._say(f"    {text}")
                continue
            data = os.read(self._heard.fileno(), PORTION)
            if not data:
                return QUIT
            self._typed += data
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode("utf-8", "replace").strip().lower()[:1]
