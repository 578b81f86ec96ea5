"""The devices on which the host's PIN was entered.

A browser has two random words in its signed cookie: one names the device for good, the other its present session as the
host. This list has their hashes. The session's hash includes the device that entered the PIN (`device_at`), so a cookie
that is used from another device needs the PIN again. Leaving removes the session from the list, so that copies of the
cookie become invalid too, even after a restart; a new PIN ends all sessions. A device that was once the host's may try
a PIN even if others at its address have tried too often (`web.auth.rate_limit`).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from threading import Lock

from web.auth.private_file import PrivateFile

DEVICES_KEPT = 32
"""Number of devices in the list; beyond it, the device that signed in longest ago must enter the PIN again."""


class HostDevices:
    """The last devices of the host, in a private file; safe from any thread."""

    def __init__(self, kept: PrivateFile) -> None:
        self._kept = kept
        # Held for reading and writing together: two devices that sign in at once must not undo each other.
        self._lock = Lock()

    def sign_in(self, device: object, mark: str, at: str = "") -> tuple[str, str]:
        """Make a *device* at address *at* the host's under the PIN of *mark*; return the names of device and session.

        A device that is already in the list keeps its name.
        """
        with self._lock:
            known = self._known()
            name = device if isinstance(device, str) and _fingerprint(device) in known else secrets.token_urlsafe(24)
            session = secrets.token_urlsafe(24)
            # Insert it at the end: the first ones are dropped.
            known.pop(_fingerprint(name), None)
            known[_fingerprint(name)] = _fingerprint(session + mark + at)
            self._write(dict(list(known.items())[-DEVICES_KEPT:]))
            return name, session

    def leave(self, device: object) -> None:
        """End the session of a device, if it has one."""
        with self._lock:
            known = self._known()
            if isinstance(device, str) and known.get(_fingerprint(device)):
                self._write({**known, _fingerprint(device): ""})

    def is_host(self, device: object, session: object, mark: str, at: str = "") -> bool:
        """Tell whether *session* of *device* at address *at* is the host's under the PIN of *mark*."""
        if not isinstance(device, str) or not isinstance(session, str):
            return False
        open_one = self._known().get(_fingerprint(device), "")
        return hmac.compare_digest(open_one, _fingerprint(session + mark + at))

    def known(self, device: object) -> str:
        """Return the hash of a device that has been the host's, empty for any other."""
        if not isinstance(device, str):
            return ""
        own = _fingerprint(device)
        return own if own in self._known() else ""

    def _write(self, known: Mapping[str, str]) -> None:
        self._kept.remember(json.dumps(known, indent=1) + "\n")

    def _known(self) -> dict[str, str]:
        try:
            found = json.loads(self._kept.text() or "{}")
            return {str(device): str(session) for device, session in found.items()}
        except (ValueError, AttributeError):
            # A damaged list counts as empty: the host enters the PIN again.
            return {}


def _fingerprint(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()
