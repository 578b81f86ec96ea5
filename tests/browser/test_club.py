"""The pages of a club in a browser: they are accessible, and the wall updates automatically."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser

from tests.browser.looking import faults
from tests.browser.tablet import PATIENCE_MS
from tests.club.hall import Hall, result
from web.server.service import PlainService


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    names = [("Annemargrete", 30), ("Bartholomew", 20), ("Constantijn", 12), ("Dieuwertje", 9), ("Emmanuelle", 4)]
    made = Hall(tmp_path, 12, [result("1", *names), result("2", *names[::-1])])
    for table in range(1, 12):
        made.say(table, points={"red": 12, "blue": 7}, round=4, turn=["blue"])
    made.say(7, asks="unsure")
    return made


@pytest.fixture
def address(hall: Hall) -> Iterator[str]:
    service = PlainService(hall.app, "127.0.0.1", 0)
    thread = Thread(target=service.run)
    thread.start()
    yield f"http://127.0.0.1:{service.port}"
    service.stop()
    thread.join()


def test_the_pages_of_a_club_shut_nobody_out(hall: Hall, address: str, chromium: Browser) -> None:
    """axe-core finds no fault on a club's pages, on tablet and phone, light and dark."""
    found = []
    with chromium.new_context(base_url=address) as context:
        page = context.new_page()
        page.goto("/club/pin")
        found += faults(page, "pin")
        page.fill("[name=pin]", hall.access.pin)
        page.click(".btn.go")
        for path in ("/club", "/club/table/7", "/club/results", "/club/league", "/club/people"):
            page.goto(path)
            found += faults(page, path)

    assert found == []


def test_the_wall_changes_by_itself(hall: Hall, address: str, chromium: Browser) -> None:
    """A table with a question appears on the wall without a tap, and the open list and the focus don't change."""
    with chromium.new_context(base_url=address) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto("/club")
        before = page.locator(".tile.urgent").count()
        page.locator(".wanted summary").click()
        page.locator(".over >> nth=4").focus()
        hall.say(3, kept=False)
        page.locator(".tile.urgent >> nth=1").wait_for()

        assert before == 1
        assert page.locator(".wanted summary").inner_text() == "Table 7: Asks: which cube came out?"
        assert page.locator(".wanted li >> nth=1").is_visible()
        assert page.evaluate("document.activeElement.getAttribute('href')") == "/club/table/5"
        assert page.locator("#told").text_content() == "Table 7: Asks: which cube came out?"
