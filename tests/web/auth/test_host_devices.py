"""The host's devices: each has the host's rights until it signs out, which does not affect the others."""

from __future__ import annotations

import stat
from pathlib import Path

from tests.web.served_house import Browser, ServedHouse
from web.auth.pin import MOST_DEVICES, HostPin


def copied(browser: Browser, site: ServedHouse) -> Browser:
    """Return another browser with a copy of the cookie that *browser* has now."""
    cookie, other = browser.client.get_cookie("companion"), Browser(site.visitor())
    assert cookie is not None
    other.client.set_cookie("companion", cookie.value)
    return other


def status(browser: Browser) -> int:
    """Return the status of a request that only the host may send."""
    answer = browser.client.post("/api/v1/deeds", json={"deed": "left"}, headers={"X-CSRF-Token": browser.csrf})
    return answer.status_code


def test_leaving_ends_every_copy_of_the_cookie(site: ServedHouse) -> None:
    """Leaving: copies of the cookie also lose the host's rights, but the host's other devices keep them."""
    tablet, other = site.host(), site.host()
    copy = copied(tablet, site)
    before = status(copy)

    tablet.post("/pin/leave")

    assert before == 400  # 400: the host is allowed, but the request names no seat
    assert (status(copy), status(other)) == (401, 400)


def test_what_has_ended_stays_ended_after_a_restart(tmp_path: Path) -> None:
    """Leaving: the list of the host's sessions is saved in a private file, and survives a restart of the server."""
    before = ServedHouse(tmp_path).play()
    stays, left = before.host(), before.host()
    copies = [(browser.client.get_cookie("companion") or stays).value for browser in (stays, left)]
    left.post("/pin/leave")
    before.table.close()

    after = ServedHouse(tmp_path)
    answers = []
    for cookie in copies:
        browser = Browser(after.visitor())
        browser.client.set_cookie("companion", cookie)
        answers.append(status(browser))

    assert answers == [400, 401]
    assert stat.S_IMODE((tmp_path / "sessions.json").stat().st_mode) == 0o600
    after.ledger.close()


def test_entering_the_pin_again_ends_the_session_before(site: ServedHouse) -> None:
    """Entering: a device has one host session; entering the PIN again invalidates copies of its earlier cookie."""
    tablet = site.host()
    copy = copied(tablet, site)

    tablet.post("/pin", pin=site.access.pin)

    assert (status(tablet), status(copy)) == (400, 401)


def test_who_takes_a_seat_is_the_host_no_more(site: ServedHouse) -> None:
    """Joining: a host's device that takes a seat gives up its host session, and so do copies of its cookie."""
    tablet = site.host()
    copy = copied(tablet, site)

    tablet.post("/join", seat="red")

    assert (status(tablet), status(copy)) == (403, 401)


def test_the_list_is_bounded(tmp_path: Path) -> None:
    """Storage: at most MOST_DEVICES are stored; the one that signed in longest ago has to enter the PIN again."""
    access = HostPin(tmp_path)
    first = access.sign_in(None)
    second = access.sign_in(None)
    again = access.sign_in(first[0])
    for _ in range(MOST_DEVICES - 1):
        access.sign_in(None)

    assert not access.is_host(*second)
    assert access.is_host(*again)
    assert again[0] == first[0]
    assert (tmp_path / "sessions.json").stat().st_size < 8192


def test_a_damaged_list_makes_nobody_the_host(site: ServedHouse, tmp_path: Path) -> None:
    """Storage: if the file of sessions is unreadable, the host enters the PIN again, and the server keeps running."""
    tablet = site.host()
    (tmp_path / "sessions.json").write_text("[1,", encoding="utf-8")

    assert status(tablet) == 401
    assert status(site.host()) == 400
