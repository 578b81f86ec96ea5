"""QR codes and addresses are only shown if phones can reach them; otherwise one sentence says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.bootstrap import seen_at
from tests.web.applications import lent_app
from tests.web.games.andromeda.room import Page, Room
from web import HostPin
from web.games.andromeda import COVER
from web.server.entrances import Entrances
from web.server.mdns import Mdns

ALONE = "It's open to this device only. For phones, start the companion with BIND=0.0.0.0."
NO_NETWORK = "The companion is on no network. Connect it, and the code appears here."


def shown(tmp_path: Path, doors: Entrances, asked_at: str, path: str) -> Page:
    """Return the page at *path* as the host sees it at *asked_at*, on a server with the addresses *doors*."""
    room, access = Room(tmp_path), HostPin(tmp_path)
    room.app = lent_app(room.table, room.ring, {"andromeda": COVER}, access, lambda: room.now, entrances=lambda: doors)
    room.client = room.app.test_client()
    room.be_host(access.pin)
    answer = room.client.get(path, base_url=asked_at, follow_redirects=True)
    room.table.close()
    return Page(answer.get_data(as_text=True))


@pytest.mark.parametrize(
    ("doors", "asked_at", "code", "says"),
    [
        (Entrances(alone=True), "http://localhost", False, ALONE),
        (Entrances(), "http://localhost", False, NO_NETWORK),
        (Entrances("http://192.168.1.5:8000"), "http://localhost", True, "192.168.1.5:8000/join"),
        (Entrances("http://[fd00::5]:8000"), "http://localhost", True, "[fd00::5]:8000/join"),
    ],
)
def test_a_code_leads_where_phones_can_go(
    tmp_path: Path, doors: Entrances, asked_at: str, code: bool, says: str
) -> None:
    """Joining: the QR code is shown if other devices can reach the server; otherwise the page says why not."""
    page = shown(tmp_path, doors, asked_at, "/join")

    assert ('class="code"' in page.html) is code
    assert says in page.text
    assert "localhost/join" not in page.text and "127.0.0.1" not in page.html
    assert ("can't join yet" in shown(tmp_path, doors, asked_at, "/").text) is not code


@pytest.mark.parametrize(
    ("bind", "number", "alone"),
    [
        ("127.0.0.1", "", True),
        ("127.0.0.9", "", True),
        ("::1", "", True),
        ("localhost", "", True),
        ("192.168.1.5", "http://192.168.1.5:8000", False),
        ("fd00::5", "http://[fd00::5]:8000", False),
        ("table.lan", "http://table.lan:8000", False),
    ],
)
def test_where_a_service_is_found(bind: str, number: str, alone: bool) -> None:
    """Addresses: a server bound to one interface is found at its address; one bound to localhost isn't found."""
    doors = Mdns(seen_at(bind), 8000, lambda why: None).entrances

    assert (doors.number, doors.alone) == (number, alone)
