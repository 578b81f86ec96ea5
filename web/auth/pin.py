"""The host's PIN and the token of scripts, stored in one data folder.

There is no default password: the PIN is drawn at the first start. Another process may change it (`companion pin
--renew`); the server notices.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from companion.kernel.private_file import MODES, Modes
from companion.kernel.shown import shows
from web.auth.host_devices import HostDevices
from web.auth.private_file import PrivateFile
from web.auth.rate_limit import Tries
from web.auth.seats import Seats
from web.http.visitor_address import place

DIGITS = 8
_PIN = re.compile(r"([0-9]{8})\n([0-9a-f]{32})\n")
KEY_FILES = ("seats.json", "sessions.json", "pin", "secret", "token")


@shows("regenerated")
class HostPin:
    """The host's PIN, the session key, the seats, and the token of scripts, in *folder* with file mode 0600.

    *regenerated* has a sentence for each file that was replaced because others could have written or read it.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = monotonic, modes: Modes = MODES) -> None:
        self.tries = Tries(now)
        files = [PrivateFile(folder / name, modes) for name in KEY_FILES]
        seats, devices, self._pin, self._secret, self._token = files
        self.regenerated = tuple(map(_anew, filter(_suspect, files)))
        for listed in filter(_suspect, (seats, devices)):
            listed.remember("{}\n")
        self.seats, self.devices = Seats(seats, now), HostDevices(devices)
        if not _PIN.fullmatch(self._pin.text()):
            self._pin.remember(_new_pin())
        if len(self._secret.text()) != 64:
            self._secret.remember(secrets.token_hex(32))
        if len(self._token.text()) < 32:
            self._token.remember(secrets.token_urlsafe(32))
        self._mark = self.session_mark

    # The host

    @property
    def pin(self) -> str:
        """The host's PIN: eight digits."""
        return self._pin.text().partition("\n")[0]

    @property
    def secret(self) -> str:
        """The key that signs session cookies."""
        return self._secret.text()

    @property
    def session_mark(self) -> str:
        """A value that changes with every new PIN, even one with the same digits; it ends the host's sessions."""
        return hmac.new(self.secret.encode(), self._pin.text().encode(), hashlib.sha256).hexdigest()[:32]

    def renew(self) -> str:
        """Draw a new PIN, end every session of the host, and return the PIN; raise OSError if it can't be written."""
        self._pin.replace(_new_pin())
        return self.pin

    def admit(self, address: str, device: object = None) -> float:
        """Return how many seconds a try from *address* and *device* must wait; at 0 it counts as a try now."""
        self._forgive_after_renewal()
        return self.tries.admit(self._place(address, device))

    def enter(self, offered: str, address: str, device: object = None) -> bool:
        """Tell whether *offered* is the PIN; call `admit` first."""
        right = hmac.compare_digest(offered.encode(), self.pin.encode())
        if right:
            self.tries.right(self._place(address, device))
        return right

    def admit_to_seats(self, address: str, mark: object) -> float:
        """Return how many seconds a phone at *address* with the seat *mark* must wait; 0 as in `admit`."""
        self._forgive_after_renewal()
        return self.seats.admit(address, mark)

    def sign_in(self, device: object, at: str = "") -> tuple[str, str]:
        """Make *device* at address *at* the host's after it entered the PIN; return the names of device and session."""
        return self.devices.sign_in(device, self.session_mark, at)

    def is_host(self, device: object, session: object, at: str = "") -> bool:
        """Tell whether *session* of *device* is the host's. It must come from *at*, where the PIN was entered."""
        return self.devices.is_host(device, session, self.session_mark, at)

    def _place(self, address: str, device: object) -> str:
        # A known device counts by itself, so that others at its address can't use up its tries.
        return self.devices.known(device) or place(address)

    def _forgive_after_renewal(self) -> None:
        if self._mark != self.session_mark:
            self._mark = self.session_mark
            self.tries.forget()
            self.seats.tries.forget()

    # Scripts

    @property
    def local_token(self) -> str:
        """The token for programs on this machine, which can read its file."""
        return self._token.text()

    def name_of(self, token: str) -> str | None:
        """Return `script` for the local token, None for any other."""
        return "script" if hmac.compare_digest(token.encode(), self.local_token.encode()) else None


def _new_pin() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}\n{secrets.token_hex(16)}\n"


def _suspect(kept: PrivateFile) -> bool:
    """Read *kept*, and tell whether the file can't be trusted."""
    kept.text()
    return bool(kept.distrusted)


def _anew(kept: PrivateFile) -> str:
    return f"{kept.distrusted}: not trusted, so it is replaced."
