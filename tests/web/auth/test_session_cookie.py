"""The session cookie of a browser: it never expires by a clock, even if the server's clock is wrong."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from companion.session.commands import Switch
from tests.web.auth.test_host_devices import status
from tests.web.auth.test_seats import asks
from tests.web.served_house import HOST, Browser, ServedHouse

HOUR_S = 3600
AWAY_S = (HOUR_S, -31 * 24 * HOUR_S, 2 * 365 * 24 * HOUR_S)
"""By how much a cookie's time of signing is wrong, because the clock was too fast or too slow."""


def signed(site: ServedHouse, held: Mapping[str, Any], away_s: float) -> str:
    """Return a cookie as older versions signed it, with a timestamp that differs from now by *away_s* seconds."""

    class Away(TimestampSigner):
        def get_timestamp(self) -> int:
            return int(time.time() + away_s)

    flask = SecureCookieSessionInterface()
    how = {"key_derivation": flask.key_derivation, "digest_method": flask.digest_method}
    seal = URLSafeTimedSerializer(
        site.access.secret, salt=flask.salt, serializer=flask.serializer, signer=Away, signer_kwargs=how
    )
    return str(seal.dumps(dict(held)))


def held(browser: Browser) -> dict[str, Any]:
    """Return what is in the session of *browser*."""
    with browser.client.session_transaction() as session:
        return dict(session)


def with_cookie(site: ServedHouse, cookie: str) -> Browser:
    """Return a browser with this cookie."""
    browser = Browser(site.visitor())
    browser.client.set_cookie("companion", cookie)
    return browser


@pytest.mark.parametrize("away_s", AWAY_S)
def test_a_wrong_clock_ends_no_session_and_takes_no_seat(site: ServedHouse, away_s: float) -> None:
    """The clock: a cookie stays valid for the host and for seats, whatever the age of its timestamp."""
    host = with_cookie(site, signed(site, held(site.host()), away_s))
    phone = with_cookie(site, signed(site, held(site.phone("red")), away_s))

    assert status(host) == 400
    assert asks(phone, do="deal")[0] == 200


def test_a_cookie_says_nothing_of_the_time(site: ServedHouse) -> None:
    """The clock: the signed value contains no time, and the expiry date sent to browsers is fixed (2100)."""
    answer = site.host().client.get("/")
    cookie = answer.headers["Set-Cookie"]
    text = cookie.partition("=")[2].partition(";")[0].lstrip(".")  # a leading dot marks a compressed payload

    assert text.count(".") == 1  # two parts: payload and signature
    assert "Expires=Fri, 01 Jan 2100 00:00:00 GMT" in cookie
    assert "Max-Age" not in cookie


def test_a_cookie_of_the_version_before_costs_the_host_one_pin_and_a_seat_nothing(site: ServedHouse) -> None:
    """Updates: after an update the host enters the PIN again, a phone keeps its seat, and no page shows an error."""
    host = with_cookie(site, signed(site, {"_permanent": True, "csrf": "c", "host": site.access.session_mark}, 0))
    seat = {"_permanent": True, "csrf": "c", "seat": held(site.phone("red"))["seat"]}
    phone = with_cookie(site, signed(site, seat, 0))

    assert host.client.get("/table").status_code == 200
    assert status(host) == 401
    assert host.post("/pin", pin=site.access.pin) == (303, "/")
    assert status(host) == 400
    assert asks(phone, do="deal")[0] == 200


@pytest.mark.parametrize("cookie", ["", ".", "x", "e30.x", "e30.x.y", "\u00e9", "." * 4000, "eyJob3N0IjoxfQ.AAAA"])
def test_a_cookie_that_nobody_signed_is_no_error(site: ServedHouse, cookie: str) -> None:
    """Nonsense: a cookie that this server has not signed counts as no cookie."""
    answer = site.visitor().get("/table", headers={"Cookie": f"companion={cookie}"})

    assert answer.status_code == 200
    assert "You're the host" not in answer.get_data(as_text=True)


def test_the_own_phone_sits_down_on_its_own_seat_again(tmp_path: Path) -> None:
    """A phone gets its own seat again in every game that it joined, before and after a restart."""
    before = ServedHouse(tmp_path).play()
    phone, first = before.phone("red"), before.table.snapshot.game_id
    assert first is not None
    names = [{"colour": "red", "name": "Zoe"}, {"colour": "blue", "name": "Ana"}, {"colour": "green", "name": "Cem"}]
    before.table.open({**before.table.snapshot.header, "players": names}, HOST)
    phone.post("/join", pin=before.table_pin, seat="blue")
    cookie = phone.client.get_cookie("companion")
    before.table.close()
    after = ServedHouse(tmp_path)
    after.table.execute(Switch(first), HOST)
    assert cookie is not None

    again = with_cookie(after, cookie.value)

    assert again.post("/join", pin=after.table_pin, seat="red") == (303, "/table")
    assert asks(again, do="deal")[0] == 200
    after.ledger.close()
