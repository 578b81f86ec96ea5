"""The cookie that a browser keeps: signed by this house, and without a time.

A Pi has no clock that runs without power: it may come back an hour, a month
or two years from where it was, and stay so without internet. What a cookie is
worth is therefore never a matter of its age: the house says what it honours
(`web.auth.host_devices`, `web.auth.seats`), and a new PIN ends it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

KEPT_UNTIL = datetime(2100, 1, 1, tzinfo=UTC)  # by the browser's own clock; it keeps no cookie as long as that


class LastingCookie(SecureCookieSessionInterface):
    """Sessions in signed cookies that no clock can end."""

    def get_signing_serializer(self, app: Flask) -> Seal:  # type: ignore[override]  # all that Flask asks of one
        """Return what signs and reads the cookies of *app*."""
        return Seal(str(app.secret_key), super().get_signing_serializer(app))

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:
        """Return until when a browser keeps the cookie, None for as long as its window is open."""
        return KEPT_UNTIL if session.permanent else None


class Seal:
    """Signs what a session holds; reads too what earlier versions of this program signed together with a time."""

    def __init__(self, secret: str, timed: URLSafeTimedSerializer | None) -> None:
        signed = {"key_derivation": "hmac", "digest_method": sha256}
        made = SecureCookieSessionInterface.serializer
        self._lasting = URLSafeSerializer(secret, salt="lasting-session", serializer=made, signer_kwargs=signed)
        self._timed = timed

    def dumps(self, session: dict[str, Any]) -> str | bytes:
        """Return the cookie's text."""
        return self._lasting.dumps(session)

    def loads(self, text: str, max_age: int | None = None) -> Any:
        """Return what was signed, however long ago that seems to be, or raise `BadSignature`."""
        try:
            return self._lasting.loads(text)
        except BadSignature:
            if self._timed is None:
                raise
            return self._timed.loads(text)
