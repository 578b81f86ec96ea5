"""A thermometer with a relay, as PROTOCOL.md describes it: a model, and a program behind a serial port."""

from __future__ import annotations

import os
import re
import sys
import termios
import tty

LONGEST, LOW, HIGH, AT_START, ROOM = 32, -40.0, 125.0, 30.0, 21.5
NUMBER = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,2})?")


class Thermometer:
    """The device: bytes in, bytes out."""

    def __init__(self) -> None:
        self._limit = AT_START
        self._reading = ROOM
        self._line = b""
        self._long = False

    def receive(self, data: bytes) -> bytes:
        """Return the answers to *data*."""
        answers = b""
        for byte in data:
            if byte != 0x0A:
                self._long = self._long or len(self._line) == LONGEST
                self._line = b"" if self._long else self._line + bytes([byte])
                continue
            answer = "ERR long" if self._long else self._answer(self._line.decode("latin-1"))
            self._line, self._long = b"", False
            answers += f"{answer}\n".encode() if answer else b""
        return answers

    def _answer(self, line: str) -> str:
        match line.split(" "):
            case [""]:
                return ""
            case ["ID"]:
                return "ID thermometer 1.0"
            case ["READ"]:
                # The sensor's noise: a hundredth up, then one down.
                self._reading = ROOM + (0.01 if self._reading <= ROOM else -0.01)
                return f"T {self._reading:.2f}"
            case ["LIMIT"]:
                return f"LIMIT {self._limit:.2f}"
            case ["LIMIT", number] if NUMBER.fullmatch(number):
                return self._set(float(number))
            case ["RESET"]:
                self._limit, self._reading = AT_START, ROOM
                return "OK"
            case ["RELAY"]:
                return f"RELAY {int(self._reading >= self._limit)}"
            case _:
                return "ERR unknown"

    def _set(self, limit: float) -> str:
        if not LOW <= limit <= HIGH:
            return "ERR range"
        self._limit = limit
        return "OK"


def main(port: str) -> None:
    """Act as the thermometer at *port*."""
    device = Thermometer()
    line = os.open(port, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line, termios.TCSANOW)  # TCSANOW keeps the bytes that the host has already sent
    while data := os.read(line, 256):
        os.write(line, device.receive(data))


if __name__ == "__main__":
    main(sys.argv[1])
