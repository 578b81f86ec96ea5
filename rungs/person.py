"""Somebody at the bench, who reads a sentence, does what it says, and types a line."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from select import select
from typing import TextIO

from rungs.rung import Missing, Unable

GO_ON, AGAIN, SKIP, QUIT = "", "r", "s", "q"
KEYS = "Enter: done. r: once more. s: skip this promise. q: end here."
TERMINAL = Path("/dev/tty")
ANSWERS_S = 600.0


class Ended(Exception):
    """The person has ended the run."""


class Person:
    """Reads what is *said*, and is *heard* line by line.

    >>> from io import StringIO
    >>> said = StringIO()
    >>> Person(StringIO("r\\n\\n"), said).ask("Warm the sensor.")
    >>> said.getvalue().count("Warm the sensor.")
    2
    """

    def __init__(self, heard: TextIO, said: TextIO) -> None:
        self._heard = heard
        self._said = said
        self._promise = ""
        self._deeds = self._deed = 0

    def __repr__(self) -> str:
        return f"<Person promise={self._promise!r} deed={self._deed}>"

    @classmethod
    def at(cls, address: str) -> Person:
        """Return the person at the terminal (`tty`), or the first who connects to `HOST:PORT`."""
        try:
            if address == "tty":
                return cls(TERMINAL.open(encoding="utf-8"), TERMINAL.open("w", encoding="utf-8"))
            host, _, port = address.rpartition(":")
            with socket.create_server((host, int(port))) as server:
                if not select([server], [], [], ANSWERS_S)[0]:
                    raise Missing(f"Nobody has connected to {address} within {ANSWERS_S:g} s.")
                connection, _ = server.accept()
            with connection:  # its files hold it open until they are closed
                return cls(connection.makefile(encoding="utf-8"), connection.makefile("w", encoding="utf-8"))
        except (OSError, ValueError) as fault:
            raise Missing(f"Nobody can be asked at {address}: {fault}.") from None

    def begin(self, promise: str, deeds: int) -> None:
        """Begin with a promise, which takes this number of deeds."""
        self._promise, self._deeds, self._deed = promise, deeds, 0

    def ask(self, sentence: str, again: bool = False) -> None:
        """Ask for a deed, and wait until it is done. Raise `Unable` if it is skipped, `Ended` to end the run."""
        if not self._deed:
            self._say(f"\n{self._promise}")
        self._deed += not again
        of = f" {self._deed} of {self._deeds}" if self._deed <= self._deeds > 1 else ""
        while True:
            self._say(f"{'ONCE MORE' if again else 'DO'}{of}: {sentence}\n    {KEYS}")
            match self._answer():
                case "r":
                    again = True
                case "s":
                    raise Unable("Skipped by the person at the bench.")
                case "q":
                    raise Ended("Ended by the person at the bench.")
                case _:
                    return

    def close(self) -> None:
        """Let the person go."""
        with suppress(OSError):
            self._said.close()
        self._heard.close()

    def _say(self, text: str) -> None:
        self._said.write(f"{text}\n")
        self._said.flush()

    def _answer(self) -> str:
        line = self._heard.readline()
        return line.strip().lower()[:1] if line else QUIT
