"""The devices on which the host's PIN was entered: which of them are the host's now, and which have been.

A browser carries two random words, signed into its cookie: one names the
device for good, the other its present session as the host. Here lie their
fingerprints, the session's together with that of the device that entered the
PIN (`device_at`): a cookie that comes from another one has to enter it again.
To leave takes the session out of this list, so that a copy of the cookie is
worth nothing either, after a restart too; a new PIN ends all of them. That a
device was the host's once lets it try a PIN though strangers at its address
have tried too often (`web.auth.rate_limit`).
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
"""So many devices are known; with one more, the one that signed in longest ago enters the PIN anew."""


class HostDevices:
    """The last devices of the host, in a private file; safe from any thread."""

    def __init__(self, kept: PrivateFile) -> None:
        self._kept = kept
        # Over reading and writing together: two devices that sign in at once must not undo each other.
        self._lock = Lock()

    def sign_in(self, device: object, mark: str, at: str = "") -> tuple[str, str]:
        """Make a device, which is *at*, the host's under the PIN of this *mark*; return its name, the one it has if we
        gave it, and that of its session.
        """
        with self._lock:
            known = self._known()
            name = device if isinstance(device, str) and _fingerprint(device) in known else secrets.token_urlsafe(24)
            session = secrets.token_urlsafe(24)
            # To the end: the last ones are those that are kept.
            known.pop(_fingerprint(name), None)
            known[_fingerprint(name)] = _fingerprint(session + mark + at)
            self._write(dict(list(known.items())[-DEVICES_KEPT:]))
            return name, session

    def leave(self, device: object) -> None:
        """End the session of a device; nothing for one that has none."""
        with self._lock:
            known = self._known()
            if isinstance(device, str) and known.get(_fingerprint(device)):
                self._write({**known, _fingerprint(device): ""})

    def is_host(self, device: object, session: object, mark: str, at: str = "") -> bool:
        """Tell whether *session* of *device*, which is *at*, is the host's, under the PIN of this *mark*."""
        if not isinstance(device, str) or not isinstance(session, str):
            return False
        open_one = self._known().get(_fingerprint(device), "")
        return hmac.compare_digest(open_one, _fingerprint(session + mark + at))

    def known(self, device: object) -> str:
        """Return the fingerprint of a device that has been the host's, empty for any other."""
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
            # A damaged list knows nobody: the host enters the PIN anew.
            return {}


def _fingerprint(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()
