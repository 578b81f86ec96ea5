"""Error pages for users: a sentence and the next step, without status codes and tokens."""

from __future__ import annotations

import re

import pytest

from tests.web.games.andromeda.room import Page
from tests.web.served_house import Browser, ServedHouse

OF_PROGRAMS = re.compile(r"\b(40\d|41\d|42\d|500|token|status|server|HTTP|request|URL)\b", re.IGNORECASE)
ELSEWHERE = (
    "/new",
    "/table/nowhere",
    "/games/99999/after",
    "/games/1.sqlite",
    "/ring/diagnostics.zip",
    "/names/x",
    "/demo",
)


def words(browser: Browser, path: str, post: bool = False) -> str:
    """Return the text of the error page at *path*."""
    answer = browser.client.post(path, data={"csrf": browser.csrf}) if post else browser.client.get(path)
    assert answer.status_code >= 400
    return Page(answer.get_data(as_text=True)).text


@pytest.mark.parametrize("path", ELSEWHERE)
def test_no_page_speaks_of_programs(site: ServedHouse, path: str) -> None:
    """Faults: error pages for players' phones and visitors contain no status code and no word about tokens."""
    for browser in (site.phone("red"), Browser(site.visitor())):
        assert OF_PROGRAMS.findall(words(browser, path)) == []


@pytest.mark.parametrize("path", ["/table/pause", "/demo", "/new", "/table/nonsense"])
def test_no_form_that_is_refused_speaks_of_programs(site: ServedHouse, path: str) -> None:
    """Faults: error pages after a POST contain no status code and no word about tokens."""
    assert OF_PROGRAMS.findall(words(Browser(site.visitor()), path, post=True)) == []


def test_what_is_the_hosts_is_said_once_and_offers_the_pin(site: ServedHouse) -> None:
    """Faults: the title says who may do it, the sentence what to do, and a button leads to the PIN."""
    text = words(site.phone("red"), "/new")

    assert text.count("Only the host can do that") == 2  # the window's title, and the heading
    assert "Enter the host's PIN, or ask at the tablet." in text
    assert "Enter the PIN" in text and "Join a seat" not in text


def test_what_is_for_players_offers_a_seat(site: ServedHouse) -> None:
    """Faults: a visitor is offered to join a seat or to enter the PIN."""
    text = words(Browser(site.visitor()), "/table/pause", post=True)

    assert text.count("Only players can do that") == 2
    assert "Join a seat" in text and "Enter the PIN" in text


def test_programs_are_told_of_the_token(site: ServedHouse) -> None:
    """Faults: an API address answers with JSON, the status, and what to send."""
    answer = site.visitor().get("/api/v1/record")

    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert "send a token" in answer.get_json()["reason"]
