"""Who is the host, and which scripts may act: the PIN, the keys and the tokens of one data folder.

There is no default password: the PIN is drawn when the service first starts.
Another process may renew it (`companion pin --renew`); the service notices.
"""

from __future__ import annotations

import hashlib
import hmac
import json
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
_NAME = re.compile(r"[\w .-]{1,40}")
KEY_FILES = ("seats.json", "sessions.json", "tokens.json", "pin", "secret", "token")


@shows("_named")
class HostPin:
    """The host's PIN, the key of sessions, who has joined, and the tokens of scripts, in *folder* with mode 0600.

    *regenerated* says of each file that others could have laid there or read that it is not trusted.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = monotonic, modes: Modes = MODES) -> None:
        self.tries = Tries(now)
        files = [PrivateFile(folder / name, modes) for name in KEY_FILES]
        seats, devices, self._named, self._pin, self._secret, self._token = files
        self.regenerated = tuple(map(_anew, filter(_suspect, files)))
        for listed in filter(_suspect, (seats, devices, self._named)):
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
        """The key that signs sessions."""
        return self._secret.text()

    @property
    def session_mark(self) -> str:
        """What a session of the host was begun under; another PIN, even the same digits drawn anew, ends it."""
        return hmac.new(self.secret.encode(), self._pin.text().encode(), hashlib.sha256).hexdigest()[:32]

    def renew(self) -> str:
        """Draw a new PIN, end every session of the host and return the PIN; OSError when it cannot be kept."""
        self._pin.replace(_new_pin())
        return self.pin

    def admit(self, address: str, device: object = None) -> float:
        """Return how long whoever is at *address*, with *device*, has to wait; 0: for a try now, which is counted."""
        self._forgive_after_renewal()
        return self.tries.admit(self._place(address, device))

    def enter(self, offered: str, address: str, device: object = None) -> bool:
        """Tell whether *offered* is the PIN; ask `admit` first."""
        right = hmac.compare_digest(offered.encode(), self.pin.encode())
        if right:
            self.tries.right(self._place(address, device))
        return right

    def admit_to_seats(self, address: str, mark: object) -> float:
        """Return how long a phone at *address*, which sits by *mark* in some game, has to wait; 0 as for `admit`."""
        self._forgive_after_renewal()
        return self.seats.admit(address, mark)

    def sign_in(self, device: object, at: str = "") -> tuple[str, str]:
        """Make *device*, which is *at*, the host's, after it has entered the PIN; return its name and its session's."""
        return self.devices.sign_in(device, self.session_mark, at)

    def is_host(self, device: object, session: object, at: str = "") -> bool:
        """Tell whether *session* of *device* is the host's, *at* the device where the PIN was entered for it."""
        return self.devices.is_host(device, session, self.session_mark, at)

    def _place(self, address: str, device: object) -> str:
        # By its own proof: what strangers try at its address is nothing to a device that knew the PIN before.
        return self.devices.known(device) or place(address)

    def _forgive_after_renewal(self) -> None:
        if self._mark != self.session_mark:
            self._mark = self.session_mark
            self.tries.forget()
            self.seats.tries.forget()

    # Scripts

    @property
    def local_token(self) -> str:
        """The token for programs on this machine: whoever can read the file may act."""
        return self._token.text()

    def name_of(self, token: str) -> str | None:
        """Return whose *token* it is (`script` for the local one), or None."""
        if hmac.compare_digest(token.encode(), self.local_token.encode()):
            return "script"
        print_of = _fingerprint(token)
        return next((name for name, kept in self._prints().items() if hmac.compare_digest(kept, print_of)), None)

    def issue(self, name: str) -> str:
        """Return a new token for *name*, shown this once; ValueError for a name that is taken or unfit."""
        prints = self._prints()
        if not _NAME.fullmatch(name) or name in prints or name in ("script", "host", "ring", "companion"):
            raise ValueError(f"{name!r} can't be the name of a new token")
        token = secrets.token_urlsafe(32)
        self._named.replace(json.dumps({**prints, name: _fingerprint(token)}, indent=1) + "\n")
        return token

    def withdraw(self, name: str) -> None:
        """End the token of *name*; KeyError when there is none."""
        prints = self._prints()
        del prints[name]
        self._named.replace(json.dumps(prints, indent=1) + "\n")

    @property
    def names(self) -> tuple[str, ...]:
        """Who holds a token, sorted."""
        return tuple(sorted(self._prints()))

    def _prints(self) -> dict[str, str]:
        try:
            found = json.loads(self._named.text() or "{}")
        except ValueError:
            # A damaged list opens nothing; the tokens on it have to be issued anew.
            return {}
        return {str(name): str(kept) for name, kept in found.items()} if isinstance(found, dict) else {}


def _new_pin() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}\n{secrets.token_hex(16)}\n"


def _suspect(kept: PrivateFile) -> bool:
    """Read *kept*, and tell whether it cannot be trusted."""
    kept.text()
    return bool(kept.distrusted)


def _anew(kept: PrivateFile) -> str:
    return f"{kept.distrusted}: not trusted, so it is replaced."


def _fingerprint(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
