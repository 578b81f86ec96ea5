"""Session cookies that are signed but never expire.

A Raspberry Pi without internet has no correct clock: after a power cut its time may be off by months. A cookie's age
therefore means nothing. The server decides what a cookie is worth (`web.auth.pin`, `web.auth.seats`), and a
new PIN ends it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

EXPIRES = datetime(2100, 1, 1, tzinfo=UTC)  # browsers limit this to about a year


class LastingCookie(SecureCookieSessionInterface):
    """Sessions in signed cookies without an expiry time."""

    def get_signing_serializer(self, app: Flask) -> Seal:  # type: ignore[override]  # all that Flask asks of one
        """Return the serialiser that signs and verifies the cookies of *app*."""
        return Seal(str(app.secret_key), super().get_signing_serializer(app))

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:
        """Return the cookie's expiry time for the browser; None means until its window is closed."""
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
