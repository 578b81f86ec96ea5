"""`brittle://PORT?at=STEP&error=KIND`: a serial port for pyserial that raises an error at one step."""

from __future__ import annotations

import errno
import termios
from urllib.parse import parse_qs, urlsplit

from serial import PosixPollSerial

ERRORS = {
    "termios": lambda: termios.error(errno.EIO, "Input/output error"),
    "type": lambda: TypeError("expected str, bytes or os.PathLike object, not NoneType"),
    "os": lambda: OSError(errno.EIO, "Input/output error"),
}


class Serial(PosixPollSerial):
    """A real serial port that raises an error at one step."""

    def _at(self, step: str) -> None:
        if self._step == step:
            raise self._error()

    @PosixPollSerial.port.setter  # type: ignore[attr-defined]
    def port(self, url: str | None) -> None:
        """The path of the port, taken from the URL."""
        asked = urlsplit(url or "")
        if asked.query:
            words = parse_qs(asked.query)
            self._step, self._error = words["at"][0], ERRORS[words["error"][0]]
        PosixPollSerial.port.__set__(self, asked.path or None)  # type: ignore[attr-defined]

    def _reconfigure_port(self, force_update: bool = False) -> None:
        super()._reconfigure_port(force_update)
        self._at("tcsetattr")

    def _reset_input_buffer(self) -> None:
        super()._reset_input_buffer()
        self._at("tcflush")

    def open(self) -> None:
        """Open the port."""
        super().open()
        self._at("opened")

    def fileno(self) -> int:
        """Return its file descriptor."""
        self._at("fileno")
        return super().fileno()
