"""Old URLs: each redirects to the page that replaced it."""

from __future__ import annotations

import pytest

from tests.web.served_house import ServedHouse
from web.pages.moved import MOVED


@pytest.mark.parametrize(("old", "new"), MOVED.items(), ids=MOVED)
def test_an_old_address_leads_to_its_new_place(site: ServedHouse, old: str, new: str) -> None:
    """Old URLs: a removed page answers GET with 308, and the page that replaced it exists for the host."""
    path = old.replace("<int:game_id>", "1").replace("<card>", "establish")
    parts = {"game_id": 1, "card": "establish"}
    host = site.host()
    answer = host.client.get(path)

    assert (answer.status_code, answer.headers["Location"]) == (308, new.format(**parts))
    assert host.client.get(answer.headers["Location"]).status_code == 200


def test_the_query_moves_along(site: ServedHouse) -> None:
    """Old URLs: the redirect keeps the query."""
    answer = site.visitor().get("/table/times?from=/history&of=A%20b")

    assert answer.headers["Location"] == "/table/clock?from=/history&of=A%20b"


def test_forms_do_not_move(site: ServedHouse) -> None:
    """Old URLs: only GET is redirected; a form sent to a read-only page is refused."""
    assert site.host().client.post("/table/times").status_code in (403, 404, 405)
