"""MicroPython's raw REPL on an emulated chip, in the chip's own time. It writes our firmware to the flash.

The installer for real boards (`firmware_bridge.flashing`) cannot do that: it needs a serial port
and wall-clock time.
"""

from __future__ import annotations

from binascii import b2a_base64

from companion.kernel.shown import shows
from firmware_bridge.simulation.chip.board import STEP_S, ChipBoard
from firmware_bridge.simulation.emulated.child_process import Crashed

STARTS_S = 3.0
MOST_S = 60.0  # of the chip's time, for one piece of code
PORTION = 768  # bytes of a file per piece of code
INTERRUPT, RAW, DONE = b"\r\x03\x03", b"\r\x01", b"\x04"
READY = b"raw REPL; CTRL-B to exit\r\n>"


@shows("_heard")
class Prompt:
    """The raw REPL of *board*, which runs no other program."""

    def __init__(self, board: ChipBoard, now: float = 0.0) -> None:
        self.now = now
        self._board = board
        self._heard = b""
        self._listen(STARTS_S)
        self._heard = b""
        self._say(INTERRUPT + RAW)
        self._until(READY)

    def run(self, code: str) -> str:
        """Run *code* on the board and return its output. Raise `Crashed` if it raises an exception."""
        self._heard = b""
        self._say(code.encode() + DONE)
        self._until(b"\x04>")
        printed, raised = self._heard.removeprefix(b"OK").split(DONE)[:2]
        if raised.strip():
            raise Crashed(raised.decode(errors="replace").strip())
        return printed.decode(errors="replace").strip()

    def write(self, path: str, data: bytes) -> None:
        """Write the file at *path*. Its folder must exist."""
        self.run(f"from binascii import a2b_base64\nfile = open({path!r}, 'wb')")
        for at in range(0, len(data), PORTION):
            portion = b2a_base64(data[at : at + PORTION], newline=False).decode()
            self.run(f"file.write(a2b_base64({portion!r}))")
        self.run("file.close()")

    def _say(self, data: bytes) -> None:
        self._board.receive(data, self.now)

    def _until(self, end: bytes) -> None:
        give_up = self.now + MOST_S
        while not self._heard.endswith(end):
            if self.now > give_up:
                raise Crashed(f"No prompt came within {MOST_S:g} s; heard {self._heard[-200:]!r}")
            self._listen(STEP_S)

    def _listen(self, seconds: float) -> None:
        self.now += seconds
        self._heard += self._board.outgoing(self.now)
