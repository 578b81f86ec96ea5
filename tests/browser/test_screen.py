"""A TV left on for a night: it follows the table through restarts and other games, and uses no more memory."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from tests.browser.gallery import HEADER, deed, to_the_trading
from tests.browser.tablet import TELEVISION, Tablet
from tests.companion.app.processes import Service

LARGE = "() => document.querySelectorAll('*').length"
NOT_GROWN = "large => document.querySelectorAll('*').length <= large"
SWAPS = 12


def test_a_television_follows_the_table_through_a_night(chromium: Browser, tmp_path: Path) -> None:
    """A screen opened before the first game shows this game, the next one, and the table after a restart."""
    service = Service(tmp_path / "data")
    television = Tablet(chromium, service.url, TELEVISION, still=True)
    television.open("/screen?parts=turn,score,board,bord")
    expect(television.page.locator("h1")).to_have_text("No game is on the table.")
    expect(television.page.locator("#said-once")).to_contain_text("no part called bord")

    to_the_trading(service)
    expect(television.page.locator(".standing")).to_contain_text("Dora")
    expect(television.page.locator(".worlds .world")).to_have_count(8)
    television.await_version(_paused_and_resumed(service))
    large = television.page.evaluate(LARGE)
    for _ in range(SWAPS):
        television.await_version(_paused_and_resumed(service))
    television.page.wait_for_function(NOT_GROWN, arg=large)

    others = {**HEADER, "players": [{**seat, "name": f"{seat['name']}-2"} for seat in HEADER["players"]]}
    assert service.ask("POST", "/api/v1/games", others)[0] == 201
    expect(television.page.locator(".standing")).to_contain_text("Dora-2")
    port = urlsplit(service.url).port
    service.stop()
    service = Service(tmp_path / "data", "none", "--port", port)
    service.do({"do": "setup", "player": "red", "cards": {f"p{number}": 1 + (number < 3) for number in range(1, 8)}})
    television.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
    expect(television.page.locator("#silence")).to_be_hidden()
    expect(television.page.locator(".world .there .red").first).to_be_visible()
    assert [fault for fault in television.faults if "Failed to load" not in fault and "ERR_" not in fault] == []
    television.close()
    service.stop()


def _paused_and_resumed(service: Service) -> int:
    deed(service, "pause")
    deed(service, "resume")
    return int(service.ask("GET", "/api/v1/state")[1]["version"])
