"""Restarting a board: its port is released at once, even if the board goes on sending."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from firmware_bridge.flashing.repl import BoardRepl, at_prompt

BEATS = 2_000
"""How many heartbeats the ring sends: far more than anybody should wait for."""


class Talkative:
    """A board at its prompt on a UART, whose firmware sends data from its restart until `hang_up`."""

    def __init__(self) -> None:
        self._wire, far = os.openpty()
        self.port = os.ttyname(far)
        self._far = far
        self._hung_up = threading.Event()
        self.beats = 0
        self._thread = threading.Thread(target=self._live)
        self._thread.start()

    def _live(self) -> None:
        heard = b""
        while b"machine.reset()" not in heard or not heard.endswith(b"\x04"):
            heard += os.read(self._wire, 256)
            if heard.endswith(b"\r\x01"):
                os.write(self._wire, b"raw REPL; CTRL-B to exit\r\n>")
            if heard.endswith(b"\x05A\x01"):
                os.write(self._wire, b"R\x00")
        os.write(self._wire, b"OK")
        while self.beats < BEATS and not self._hung_up.wait(0.01):
            os.write(self._wire, b"b")
            self.beats += 1

    def hang_up(self) -> None:
        """Stop sending, and close the line."""
        self._hung_up.set()
        self._thread.join()
        os.close(self._wire)
        os.close(self._far)


@pytest.fixture
def talkative() -> Iterator[Talkative]:
    """Such a board."""
    board = Talkative()
    yield board
    board.hang_up()


def test_a_ring_that_speaks_at_once_is_not_listened_to_for_ever(talkative: Talkative) -> None:
    """After the restart, the port is released while the board is still sending."""
    board: BoardRepl = at_prompt(talkative.port)

    board.reset()

    assert talkative.beats < BEATS
