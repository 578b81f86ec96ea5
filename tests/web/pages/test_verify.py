"""The page of sealed draws: the seal, the players' words, every draw, and the check in the browser after the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from companion.games.draws import GAME
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.served_house import HOST, ServedHouse
from tests.web.served_house import Browser as Device
from web import HostPin
from web.games.registry import COVERS

HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}],
    "contents": {"red": 3, "blue": 2, "green": 1},
    "virtual": True,
}


class SealedHouse:
    """A server with an open table at which the companion draws."""

    def __init__(self, folder: Path) -> None:
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, {"draws": GAME}, lambda: 1.0, Random(3)))
        self.access = HostPin(folder)
        self.app = lent_app(self.table, None, {"draws": COVERS["draws"]}, self.access)
        self.table.open(HEADER, HOST)
        self.game = self.table.snapshot.game_id

    def host(self) -> Device:
        """Return a browser that has entered the PIN."""
        device = Device(self.app.test_client())
        device.post("/pin", pin=self.access.pin)
        return device

    def draw(self, times: int) -> None:
        """Let the companion draw *times* times."""
        for _ in range(times):
            self.table.do({"do": "draw"}, HOST)


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[SealedHouse]:
    """A server with sealed draws."""
    made = SealedHouse(tmp_path)
    yield made
    made.ledger.close()


def test_the_seal_is_on_the_glass_before_the_first_draw(sealed: SealedHouse) -> None:
    """The seal's page shows the seal from the start, and the seed only after the end."""
    page = sealed.host().get(f"/games/{sealed.game}/verify")

    assert sealed.table.snapshot.seal in page
    assert "opens when the game ends" in page
    assert 'href="/history"' in sealed.host().get("/table/menu")
    assert 'href="/fairness"' in sealed.host().get("/games/1/replay")
    assert f'href="/games/{sealed.game}/verify"' in sealed.host().get("/fairness")


def test_the_table_itself_shows_the_seal_until_something_is_drawn(sealed: SealedHouse) -> None:
    """Seal: before the first draw, the table links to the seal's page, without showing its digits."""
    before = sealed.host().get("/table")
    sealed.draw(1)
    after = sealed.host().get("/table")

    assert f'href="/games/{sealed.game}/verify"' in before
    assert "Draws sealed" in before
    assert sealed.table.snapshot.seal[:8] not in before
    assert "Draws sealed" not in after


def test_players_add_words(sealed: SealedHouse) -> None:
    """Words: players may add words, which are shown on the page and recorded."""
    assert sealed.host().post(f"/games/{sealed.game}/words", words="seven of nine") == (
        *(303, f"/games/{sealed.game}/verify"),
    )

    assert "seven of nine" in sealed.host().get(f"/games/{sealed.game}/verify")
    assert next(iter(sealed.table.archive.record()))["sealed"]["words"] == ["seven of nine"]


def test_a_game_without_a_seal_says_so(site: ServedHouse) -> None:
    """Seal: without virtual draws the page says that there is nothing to check; an unknown game gives 404."""
    assert "The companion drew nothing in this game." in site.host().get("/games/1/verify")
    assert site.visitor().get("/games/1/verify.html").status_code == 404
    assert site.visitor().get("/games/99/verify").status_code == 404


@pytest.mark.parametrize("chosen", [False, True])
def test_the_file_does_the_sums_from_a_disk(
    sealed: SealedHouse,
    tmp_path: Path,
    browser: Browser,
    chosen: bool,
) -> None:
    """File: opened from a disk without a network, the file says whether every draw follows from the seed."""
    sealed.draw(2)
    sealed.host().post(f"/games/{sealed.game}/words", words="Zoë: sieben")
    sealed.draw(2)
    sealed.table.do({"do": "finish"}, HOST)
    text = sealed.host().get(f"/games/{sealed.game}/verify.html")
    if chosen:
        lot = list(sealed.table.archive.record())[3]["lots"][0]
        other = next(colour for colour in ("red", "blue", "green") if colour != lot["colour"])
        mark = f"&#34;colour&#34;:&#34;{lot['colour']}&#34;"
        before, *after = text.split(mark) if mark in text else text.split(mark.replace("&#34;", "&quot;"))
        assert after, "the lots lie in the file"
        text = before + mark.replace(lot["colour"], other) + mark.join(after)
    (tmp_path / "draws.html").write_text(text, encoding="utf-8")
    page = browser.new_page(offline=True)
    page.goto((tmp_path / "draws.html").as_uri())

    assert page.locator("[data-fits]").is_visible() is not chosen
    assert page.locator("[data-broken]").is_visible() is chosen
    assert page.locator("[data-lot].right").count() == (3 if chosen else 4)
    page.close()
