"""The table's seat in a club has a page: the host takes it with a code and gives it up, and everybody sees it."""

from __future__ import annotations

import pytest

from companion.kernel.errors import Refused
from companion.kernel.values import replace
from companion.model.link import LinkView
from tests.web.served_house import ServedHouse

PAGE = "/device?show=club"


class Seat:
    """A seat in a club with one valid code."""

    def __init__(self) -> None:
        self.links: tuple[LinkView, ...] = ()

    def take(self, code: str) -> None:
        if code != "right":
            raise Refused("This isn't the code of a club.")
        self.links = (LinkView("Essen 2027", connected=True, behind=3, club=True),)

    def give_up(self) -> None:
        self.links = ()


@pytest.fixture
def seat(site: ServedHouse) -> Seat:
    found = Seat()
    services = site.app.extensions["house"]
    site.app.extensions["house"] = replace(services, club=lambda: found, links=lambda: found.links)
    return found


def test_a_host_joins_and_leaves(site: ServedHouse, seat: Seat) -> None:
    """Club: with the right code the page shows the club and what hasn't been sent; leaving shows the form again."""
    host = site.host()
    joined = host.post("/device/club", code="right")
    page, device = host.get(PAGE), host.get("/device")
    left = host.post("/device/club/leave")

    assert (joined[0], left[0]) == (303, 303)
    assert "Essen 2027" in page and "3 entries aren't there yet." in page and "Leave the club" in page
    assert f'href="{PAGE}"' in device and "Essen 2027" in device
    assert 'name="code"' in host.get(PAGE)


def test_a_wrong_code_is_said_and_stays(site: ServedHouse, seat: Seat) -> None:
    """After bad input, the page shows the reason and the text that was typed, and the table is in no club."""
    status, page = site.host().post("/device/club", code="wrong code", back=PAGE, follow=True)

    assert (status, seat.links) == (200, ())
    assert "This isn&#39;t the code of a club." in page
    assert "wrong code" in page


def test_only_the_host_joins(site: ServedHouse, seat: Seat) -> None:
    """Permissions: visitors see that the table is in no club, have no form and can't join; nothing else differs."""
    visitor = site.visitor()

    assert visitor.post("/device/club", data={"code": "right"}).status_code == 403
    assert 'name="code"' not in visitor.get(PAGE).text
    assert "/device?show=club" not in visitor.get("/device").text
    assert seat.links == ()


def test_a_table_that_cannot_join_says_so(site: ServedHouse) -> None:
    """Club: if no club can be joined, the device's page has no row for it, and a form is answered with 404."""
    host = site.host()

    assert PAGE not in host.get("/device")
    assert host.post("/device/club", code="right")[0] == 404


@pytest.mark.parametrize("path", ["/", "/table", "/table/menu", "/device", "/screen", "/games"])
def test_a_call_is_on_every_page(path: str, site: ServedHouse) -> None:
    """Club: a call of the club is shown on every page."""
    site.table.call()

    assert "The club calls this table." in site.host().get(path)
