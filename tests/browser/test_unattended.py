"""A tablet is told when a thread stops and when it runs again, without any event in the game."""

from __future__ import annotations

from pathlib import Path
from queue import Queue
from threading import Thread

from playwright.sync_api import Browser, expect

from companion.app.bootstrap import WebServer, ledger_and_ring
from companion.app.power_off import PowerOff
from companion.model.snapshot import Who
from tests.browser.moments import HEADER
from tests.browser.tablet import PHONE, Tablet
from tests.pauses import PATIENCE_S
from web import HostPin


def test_a_sentence_comes_and_goes_with_its_thread(chromium: Browser, tmp_path: Path) -> None:
    """The tablet's message about a stopped thread appears at once, and disappears when the thread is back."""
    with ledger_and_ring(tmp_path, "none") as opened:
        opened.table.open(HEADER, Who("host", "tablet"))
        access, ports = HostPin(tmp_path), Queue[int]()
        house = WebServer(opened, access, "127.0.0.1", 0, PowerOff(()), lambda sentence: None, tmp_path)
        serving = Thread(target=house.service.run, args=(ports.put,))
        serving.start()
        tablet = Tablet(chromium, f"http://127.0.0.1:{ports.get(timeout=PATIENCE_S)}", PHONE)
        tablet.enter_pin(access.pin)
        tablet.open("/table")
        shown = tablet.page.locator("#page").get_by_text("The console stopped.")

        opened.table.show_unattended(["The console stopped."])
        expect(shown).to_be_visible()
        opened.table.show_unattended([])
        expect(shown).to_have_count(0)

        tablet.close()
        house.stop()
        serving.join(PATIENCE_S)
