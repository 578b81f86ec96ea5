"""The host's PIN and the token for scripts, stored in one data folder, and the session cookies that they sign.

There is no default password: the PIN is drawn at the first start. Another process may change it (`companion pin
--renew`); the server notices.

Session cookies never expire. A Raspberry Pi without internet has no correct clock: after a power cut its time may be
off by months, so a cookie's age means nothing. The server decides what a cookie is worth (here and in
`web.auth.seats`), and a new PIN ends it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from companion.kernel.private_file import MODES, Modes, PrivateFile
from companion.kernel.shown import shows
from web.auth.rate_limit import Tries
from web.auth.seats import Seats
from web.http.request_parsing import place

# The devices on which the host's PIN was entered.
#
# A browser has two random words in its signed cookie: one identifies the device permanently, the other identifies its
# present session as the host. This list contains the hashes of both words. The session's hash includes the device that
# entered the PIN (`device_at`), so a cookie that is used from another device needs the PIN again. Signing out removes
# the session from the list. Copies of the cookie then become invalid too, even after a restart. A new PIN ends all
# sessions. A device that was once the host's may try a PIN even if other devices at its address have tried too often
# (`web.auth.rate_limit`).

MOST_DEVICES = 32
"""Number of devices in the list. If there are more, the device that signed in longest ago must enter the PIN again."""


class HostDevices:
    """The devices that last signed in as the host, in a private file. It may be used from any thread."""

    def __init__(self, file: PrivateFile) -> None:
        self._file = file
        # The lock is held from reading to writing; otherwise two devices that sign in at the same time could overwrite
        # each other's entries.
        self._lock = Lock()

    def sign_in(self, device: object, mark: str, at: str = "") -> tuple[str, str]:
        """Sign *device* at address *at* in as the host, under the PIN with *mark*.

        Return the names of device and session.

        A device that is already in the list keeps its name.
        """
        with self._lock:
            known = self._known()
            name = device if isinstance(device, str) and _fingerprint(device) in known else secrets.token_urlsafe(24)
            session = secrets.token_urlsafe(24)
            # Insert it at the end: the first ones are dropped.
            known.pop(_fingerprint(name), None)
            known[_fingerprint(name)] = _fingerprint(session + mark + at)
            self._write(dict(list(known.items())[-MOST_DEVICES:]))
            return name, session

    def leave(self, device: object) -> None:
        """End the session of a device, if it has one."""
        with self._lock:
            known = self._known()
            if isinstance(device, str) and known.get(_fingerprint(device)):
                self._write({**known, _fingerprint(device): ""})

    def is_host(self, device: object, session: object, mark: str, at: str = "") -> bool:
        """Tell whether *session* of *device* at address *at* belongs to the host, under the PIN with *mark*."""
        if not isinstance(device, str) or not isinstance(session, str):
            return False
        open_one = self._known().get(_fingerprint(device), "")
        return hmac.compare_digest(open_one, _fingerprint(session + mark + at))

    def known(self, device: object) -> str:
        """Return the hash of a device that has been the host's, or an empty text for any other device."""
        if not isinstance(device, str):
            return ""
        own = _fingerprint(device)
        return own if own in self._known() else ""

    def _write(self, known: Mapping[str, str]) -> None:
        self._file.remember(json.dumps(known, indent=1) + "\n")

    def _known(self) -> dict[str, str]:
        try:
            found = json.loads(self._file.text() or "{}")
            return {str(device): str(session) for device, session in found.items()}
        except (ValueError, AttributeError):
            # A damaged list counts as empty: the host enters the PIN again.
            return {}


def _fingerprint(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


DIGITS = 8
_PIN = re.compile(r"([0-9]{8})\n([0-9a-f]{32})\n")
KEY_FILES = ("seats.json", "sessions.json", "pin", "secret", "token")


@shows("regenerated")
class HostPin:
    """The host's PIN, the session key, the seats, and the token for scripts: files in *folder* with mode 0600.

    *regenerated* has a sentence for each file that was replaced because other users could have read or written it.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = monotonic, modes: Modes = MODES) -> None:
        self.tries = Tries(now)
        files = [PrivateFile(folder / name, modes) for name in KEY_FILES]
        seats, devices, self._pin, self._secret, self._token = files
        self.regenerated = tuple(map(_replacement_warning, filter(_suspect, files)))
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
        """The host's PIN, which has eight digits."""
        return self._pin.text().partition("\n")[0]

    @property
    def secret(self) -> str:
        """The key that signs session cookies."""
        return self._secret.text()

    @property
    def session_mark(self) -> str:
        """A value that changes with every new PIN, even if the new PIN has the same digits.

        Its change ends the host's sessions.
        """
        return hmac.new(self.secret.encode(), self._pin.text().encode(), hashlib.sha256).hexdigest()[:32]

    def renew(self) -> str:
        """Draw a new PIN, end every session of the host, and return the PIN; raise OSError if it can't be written."""
        self._pin.replace(_new_pin())
        return self.pin

    def admit(self, address: str, device: object = None) -> float:
        """Return how many seconds *device* at *address* must wait.

        If that is 0, this call is counted as a wrong try.
        """
        self._forgive_after_renewal()
        return self.tries.admit(self._place(address, device))

    def enter(self, offered: str, address: str, device: object = None) -> bool:
        """Tell whether *offered* is the PIN. Call `admit` first."""
        right = hmac.compare_digest(offered.encode(), self.pin.encode())
        if right:
            self.tries.right(self._place(address, device))
        return right

    def admit_to_seats(self, address: str, mark: object) -> float:
        """Return how many seconds a phone at *address* with *mark* must wait before it tries the PIN of the seats."""
        self._forgive_after_renewal()
        return self.seats.admit(address, mark)

    def sign_in(self, device: object, at: str = "") -> tuple[str, str]:
        """Sign *device* at address *at* in as the host after it entered the PIN.

        Return the names of device and session.
        """
        return self.devices.sign_in(device, self.session_mark, at)

    def is_host(self, device: object, session: object, at: str = "") -> bool:
        """Tell whether *session* of *device* belongs to the host and its PIN was entered at address *at*."""
        return self.devices.is_host(device, session, self.session_mark, at)

    def _place(self, address: str, device: object) -> str:
        # The tries of a known device are counted separately, so that other devices at its address can't use them up.
        return self.devices.known(device) or place(address)

    def _forgive_after_renewal(self) -> None:
        if self._mark != self.session_mark:
            self._mark = self.session_mark
            self.tries.forget()
            self.seats.tries.forget()

    # Scripts

    @property
    def local_token(self) -> str:
        """The token for programs on this machine, which can read it from its file."""
        return self._token.text()

    def name_of(self, token: str) -> str | None:
        """Return `script` for the local token, or None for any other token."""
        return "script" if hmac.compare_digest(token.encode(), self.local_token.encode()) else None


def _new_pin() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}\n{secrets.token_hex(16)}\n"


def _suspect(file: PrivateFile) -> bool:
    """Read the file *file*, and tell whether it can't be trusted."""
    file.text()
    return bool(file.distrusted)


def _replacement_warning(file: PrivateFile) -> str:
    return f"{file.distrusted}: not trusted, so it is replaced."


EXPIRES = datetime(2100, 1, 1, tzinfo=UTC)  # browsers limit this to about a year


class LastingCookie(SecureCookieSessionInterface):
    """Sessions in signed cookies without an expiry time."""

    def __init__(self) -> None:
        self._made: tuple[str, Seal] | None = None

    def get_signing_serializer(self, app: Flask) -> Seal:  # type: ignore[override]  # all that Flask asks of one
        """Return the serialiser that signs and verifies the cookies of *app*. It is made once for each secret."""
        made, secret = self._made, str(app.secret_key)
        if made is None or made[0] != secret:
            made = self._made = secret, Seal(secret, super().get_signing_serializer(app))
        return made[1]

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:
        """Return when the cookie expires in the browser, or None if it expires when the browser's window is closed."""
        return EXPIRES if session.permanent else None


class Seal:
    """Signs sessions, and also verifies the cookies with a time stamp that earlier versions signed."""

    def __init__(self, secret: str, timed: URLSafeTimedSerializer | None) -> None:
        signed = {"key_derivation": "hmac", "digest_method": sha256}
        made = SecureCookieSessionInterface.serializer
        self._lasting = URLSafeSerializer(secret, salt="lasting-session", serializer=made, signer_kwargs=signed)
        self._timed = timed

    def dumps(self, session: dict[str, Any]) -> str | bytes:
        """Return the signed text of the cookie."""
        return self._lasting.dumps(session)

    def loads(self, text: str, max_age: int | None = None) -> Any:
        """Return the signed session, of any age, or raise `BadSignature`."""
        try:
            return self._lasting.loads(text)
        except BadSignature:
            if self._timed is None:
                raise
            return self._timed.loads(text)
