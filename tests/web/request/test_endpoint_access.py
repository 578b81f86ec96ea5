"""Permissions of every address of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.web.served_house import ServedHouse
from web.request.endpoint_access import ACCESS, SAFE, EndpointAccess, access_to, device_of

NAMES = {
    "path": "x",
    "deed": "pause",
    "change": "switch",
    "step": "stop",
    "game_id": 1,
    "key": "f00",
    "card": "x",
    "filename": "frame.css",
}


def changing(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Yield (endpoint, method, address) of every address that may change something."""
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - set(SAFE)):
            yield rule.endpoint, method, address_of(app, rule)


def address_of(app: Flask, rule: Rule) -> str:
    with app.test_request_context():
        values = {name: NAMES[name] for name in rule.arguments}
        return str(app.url_map.bind("localhost").build(rule.endpoint, values))


def test_every_address_has_its_row(site: ServedHouse) -> None:
    """Access: the table lists exactly the addresses of the application, except static files."""
    endpoints = {rule.endpoint for rule in site.app.url_map.iter_rules()}

    assert {endpoint for endpoint in endpoints if not endpoint.endswith(".static")} == set(ACCESS)
    assert access_to("somewhere.new") is EndpointAccess.HOST


def test_nobody_changes_anything_without_the_right(site: ServedHouse) -> None:
    """Rights: every address that changes something refuses a request without PIN and token, and changes nothing."""
    before = site.ledger.last
    visitor = site.visitor()
    addresses = list(changing(site.app))

    assert len(addresses) >= 9
    for endpoint, method, address in addresses:
        page = visitor.get("/pin").get_data(as_text=True)
        csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
        answer = visitor.open(address, method=method, data={"csrf": csrf}, json=None)
        if access_to(endpoint) in (EndpointAccess.HOST, EndpointAccess.SEAT):
            assert answer.status_code in (401, 403), address
        else:
            assert access_to(endpoint) is EndpointAccess.TRY
    assert site.ledger.last == before
    assert site.table.snapshot.status == "live"


@pytest.mark.parametrize("who", ["host", "phone"])
def test_an_answer_that_comes_late_leaves_the_forms_as_they_are(site: ServedHouse, who: str) -> None:
    """CSRF: a late answer to a device's first request doesn't invalidate the forms of a page loaded meanwhile."""
    device = site.play().host() if who == "host" else site.play().phone("red")
    asked_before = device.client.get("/api/v1/health", headers={"Accept": "application/json"})
    token = device.csrf

    (late,) = asked_before.headers.getlist("Set-Cookie")
    name, _, value = late.partition(";")[0].partition("=")
    device.client.set_cookie(name, value)

    assert device.client.post("/pin/leave", data={"csrf": token}).status_code == 303


def test_the_host_changes_nothing_without_the_forms_token(site: ServedHouse) -> None:
    """CSRF: a form that another site makes the host's browser send is refused at every address."""
    host = site.host()
    before = site.ledger.last

    for _, method, address in changing(site.app):
        for fields in ({}, {"csrf": "x"}, {"csrf": "é"}):
            assert host.client.open(address, method=method, data=fields).status_code == 403, address
    assert site.ledger.last == before


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:81"])
def test_another_origin_is_refused_even_with_the_forms_token(site: ServedHouse, origin: str) -> None:
    """CSRF: a form whose Origin is another site is refused."""
    host = site.host()
    answer = host.client.post("/table/pause", data={"csrf": host.csrf}, headers={"Origin": origin})

    assert answer.status_code == 403
    assert site.table.snapshot.status == "live"


def test_the_house_itself_is_an_origin(site: ServedHouse) -> None:
    """CSRF: a form with this server's Origin is accepted."""
    host = site.host()
    answer = host.client.post("/table/pause", data={"csrf": host.csrf}, headers={"Origin": "http://localhost"})

    assert answer.status_code == 303
    assert site.table.snapshot.status == "paused"


def test_a_page_of_the_host_may_use_the_programs_addresses(site: ServedHouse) -> None:
    """CSRF: with a session cookie, the token may be sent as a header."""
    host = site.host()
    refused = host.client.post("/api/v1/commands", json={"do": "deal"})
    done = host.client.post("/api/v1/commands", json={"do": "deal"}, headers={"X-CSRF-Token": host.csrf})

    assert (refused.status_code, done.status_code) == (403, 200)


def test_files_that_show_everything_are_the_hosts(site: ServedHouse) -> None:
    """Rights: a record contains hidden credits, so visitors can't fetch it."""
    for address in ("/api/v1/record", f"/games/{site.table.snapshot.game_id}/record"):
        assert site.visitor().get(address).status_code in (401, 403)
        assert site.host().client.get(address).status_code == 200
        assert site.visitor().get(address, headers=site.script).status_code == 200


def test_anybody_may_look(site: ServedHouse) -> None:
    """Rights: every page for reading can be opened by a visitor, and has no form that acts on the table."""
    for address in ("/", "/games", "/games/1/replay", "/ring", "/pin", "/table/menu", "/api/v1/state", "/api/v1/games"):
        answer = site.visitor().get(address)
        assert answer.status_code == 200, address


@pytest.mark.parametrize("authorization", ["Bearer ", "Bearer wrong", "Basic aG9zdDox", "Bearer é", "x"])
def test_a_wrong_token_is_refused_everywhere(site: ServedHouse, authorization: str) -> None:
    """Token: an unknown token is refused even where none is needed, so that a script notices its mistake."""
    headers = {"Authorization": authorization}

    assert site.visitor().get("/api/v1/state", headers=headers).status_code == 401
    assert site.visitor().post("/api/v1/commands", json={"do": "deal"}, headers=headers).status_code == 401


def test_a_wrong_pin_makes_no_host(site: ServedHouse) -> None:
    """PIN: a wrong PIN returns to the form with a message; after five, the next try must wait."""
    visitor = site.visitor()
    wrong = "000000" if site.access.pin != "000000" else "111111"
    page = visitor.get("/pin").get_data(as_text=True)
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    first = visitor.post("/pin", data={"csrf": csrf, "pin": wrong}, follow_redirects=True)
    nonsense = visitor.post("/pin", data={"csrf": csrf, "pin": "nonsense"}, follow_redirects=True)
    answers = [visitor.post("/pin", data={"csrf": csrf, "pin": wrong}) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [303] * 3 + [429]
    assert answers[3].headers["Retry-After"] == "30"
    assert "Wrong PIN" in first.get_data(as_text=True)
    assert "Wrong PIN" in nonsense.get_data(as_text=True)
    assert "pattern=" not in page, "the browser's word about a format would come first, and says nothing"
    assert visitor.post("/table/pause", data={"csrf": csrf}).status_code == 403


def test_leaving_ends_the_session(site: ServedHouse) -> None:
    """PIN: a device that signs out can only watch from then on."""
    host = site.host()
    host.post("/pin/leave")

    assert host.post("/table/pause")[0] == 403


def test_a_renewed_pin_ends_the_session(site: ServedHouse, tmp_path: Path) -> None:
    """Renewing the PIN on the machine ends every session immediately."""
    host = site.host()
    site.access.renew()

    assert host.post("/table/pause")[0] == 403


def test_the_session_is_out_of_reach_of_scripts(site: ServedHouse) -> None:
    """Session: the cookie is not sent by requests of other sites, and scripts can't read it."""
    page = site.visitor().get("/pin")
    cookie = page.headers["Set-Cookie"]

    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize("onwards", ["//evil.example", "http://evil.example", "/\\evil.example", "javascript:x", ""])
def test_no_form_sends_anybody_away(site: ServedHouse, onwards: str) -> None:
    """After the PIN was entered, the redirect leads to a page of this server."""
    host = site.host()

    assert host.post("/pin", pin=site.access.pin, next=onwards) == (303, "/")


def test_every_answer_is_guarded(site: ServedHouse) -> None:
    """Headers: pages can only run this server's scripts, and can't be embedded in frames."""
    for address in ("/", "/table", "/nowhere", "/api/v1/state", "/static/live.js"):
        with site.visitor().get(address) as answer:
            headers = answer.headers
        assert "script-src 'self';" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_client_is_a_seat_or_device_by_a_cookie_that_is_good(site: ServedHouse) -> None:
    """Each seat and each device is one client; an invented, old or unsigned cookie doesn't count as a client."""
    site.play()
    red, blue, host, looks = site.phone("red"), site.phone("blue"), site.host(), site.visitor()
    looks.get("/join")

    def client(browser: FlaskClient) -> str:
        cookie = browser.get_cookie("companion")
        headers = [(b"cookie", f"companion={cookie and cookie.value}".encode())]
        return device_of(site.app, {"headers": headers, "client": ("127.0.0.1", 1)})

    known = [client(red.client), client(blue.client), client(host.client)]
    number = site.table.snapshot.game_id
    assert number is not None
    site.access.seats.free(number, "red")

    assert len(set(known)) == 3 and all(known)
    assert [client(red.client), client(blue.client)] == ["", known[1]]
    assert client(looks) == ""
    assert device_of(site.app, {"headers": [(b"cookie", b"companion=made.up.word")]}) == ""
    assert device_of(site.app, {"headers": [(b"authorization", b"Bearer made-up")]}) == ""
    assert device_of(site.app, {"headers": [(b"authorization", site.script["Authorization"].encode())]})
