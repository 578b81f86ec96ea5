"""Copied cookies: a cookie of a phone or of the host is invalid on another device until the PIN is entered there."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.web.served_house import Browser, ServedHouse

COOKIE = "companion"


def copied(site: ServedHouse, browser: Browser, address: str = "192.0.2.9") -> Browser:
    """Return a browser at another *address* with the cookie of *browser*."""
    cookie = browser.client.get_cookie(COOKIE)
    assert cookie is not None
    client = at(site, address)
    client.set_cookie(COOKIE, cookie.value)
    return Browser(client)


def at(site: ServedHouse, address: str) -> FlaskClient:
    """Return a client at *address*."""
    client = site.app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def sits(browser: Browser) -> bool:
    """Return whether a browser has a seat; only then does its page have a form for leaving."""
    return "/join/leave" in browser.get("/join")


def test_a_copied_cookie_has_no_seat_on_another_device(site: ServedHouse) -> None:
    """Cookies: a copied cookie gives no seat at another address, IPv6 included; the original phone goes on playing."""
    phone = site.phone("red")
    copies = [copied(site, phone), copied(site, phone, "fe80::1")]

    assert [sits(copy) for copy in copies] == [False, False]
    assert [copy.post("/table/do", line='{"do": "deal"}')[0] for copy in copies] == [403, 403]
    assert sits(phone)


def test_a_copied_cookie_does_not_follow_its_phone_to_another_seat(site: ServedHouse) -> None:
    """Cookies: a phone that takes another seat gets a new session mark, which invalidates earlier copies everywhere."""
    phone = site.phone("red")
    copy = copied(site, phone, "127.0.0.1")
    before = sits(copy)
    phone.post("/join", seat="blue")

    assert before  # until then, nothing distinguishes the two
    assert sits(phone)
    assert not sits(copy)


def test_a_phone_with_another_address_enters_the_pin_once(site: ServedHouse) -> None:
    """At a new address, a phone gets its seat back with the PIN, and the cookie for the old address becomes invalid."""
    phone = site.phone("red")
    moved = copied(site, phone)
    page = moved.get("/join")
    wrong = moved.post("/join", pin="000000", seat="red")

    assert "This device has a new address" in page
    assert 'value="red"' in page
    assert wrong == (303, "/join")
    assert moved.post("/join", pin=site.table_pin, seat="red") == (303, "/table")
    assert sits(moved)
    assert not sits(phone)


def test_a_phone_keeps_its_seats_in_games_played_before(site: ServedHouse) -> None:
    """A phone that enters the PIN again in a newer game keeps its seat in an older game."""
    phone = site.phone("red")
    first = site.table.snapshot.game_id
    site.play()
    phone.post("/join", seat="blue", pin=site.table_pin)
    site.host().post("/games/switch", game=str(first))

    assert site.table.snapshot.game_id == first
    assert sits(phone)


def test_a_copied_cookie_is_not_the_hosts(site: ServedHouse) -> None:
    """Cookies: like a seat's cookie, the host's is valid only on the device where the PIN was entered."""
    host = site.host()
    copy = copied(site, host)

    assert host.client.get("/games/1/record").status_code == 200
    assert copy.client.get("/games/1/record").status_code == 403
    assert copy.post("/pin", pin=site.access.pin)[0] == 303
    assert copy.client.get("/games/1/record").status_code == 200
