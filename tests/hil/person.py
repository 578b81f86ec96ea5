"""A person at the terminal, who reads a sentence, does what it says, and types a line."""

from __future__ import annotations

import sys
from select import select
from typing import TextIO

GO_ON, AGAIN, SKIP, QUIT = "", "r", "s", "q"
KEYS = "Enter: go on. r: once more. s: skip this promise. q: end here."


class Person:
    """The person at the terminal: sentences go to *said*, and the typed lines come from *heard*."""

    def __init__(self, heard: TextIO | None = None, said: TextIO | None = None) -> None:
        self._heard = heard or sys.stdin
        self._said = said or sys.stderr
        self._promise = ""
        self._deeds = self._deed = 0

    def begin(self, promise: str, deeds: int) -> None:
        """Begin a promise that needs *deeds* deeds."""
        self._promise, self._deeds, self._deed = promise, deeds, 0

    def ask(self, sentence: str, again: bool = False) -> None:
        """Ask for a deed, with its number and its promise, or ask for the same one *again*."""
        if not self._deed:
            self.tell(f"\n{self._promise}")
        self._deed += not again
        of = f" {self._deed} of {self._deeds}" if self._deed <= self._deeds > 1 else ""
        self.tell(f"{'ONCE MORE' if again else 'DO'}{of}: {sentence}\n    {KEYS}")

    def tell(self, text: str) -> None:
        """Print a text."""
        self._said.write(f"{text}\n")
        self._said.flush()

    def answer(self, within_s: float) -> str | None:
        """Return the first letter of the line that was typed, or None if none was typed within *within_s* seconds."""
        if not select([self._heard], [], [], within_s)[0]:
            return None
        line = self._heard.readline()
        return line.strip().lower()[:1] if line else QUIT
