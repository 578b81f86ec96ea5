"""Players' phones: they join with the game's PIN, play for their seat, disconnect and come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.first_action import SEATS
from tests.browser.looking import AXE, cut, faults
from tests.browser.tablet import PHONE, Tablet
from tests.companion.app.processes import Service

COLOURS = {name: colour for colour, name in SEATS}
RINGED = "[...document.querySelectorAll('button[name=line]')].find((one) => one.value.includes('p1'))"
HEARD_CUES = """document.addEventListener("DOMContentLoaded", () => { window.cues = [];
  document.addEventListener("cue", ({ detail }) => cues.push(detail)); });"""


class Phone(Tablet):
    """A player's phone that has joined with the PIN on the host's tablet."""

    def __init__(self, browser: Browser, url: str, pin: str, name: str) -> None:
        super().__init__(browser, url, PHONE)
        self.page.add_init_script(HEARD_CUES)
        self.join(pin, COLOURS[name])
        self.open("/table")


class Phones(dict[str, Phone]):
    """The players' phones by name; a phone joins with the PIN on the host's tablet when it is first used."""

    def __init__(self, browser: Browser, url: str, pin: str) -> None:
        super().__init__()
        self._browser, self._url, self._pin = browser, url, pin

    def __missing__(self, name: str) -> Phone:
        self[name] = Phone(self._browser, self._url, self._pin, name)
        return self[name]


@pytest.fixture
def phones(chromium: Browser, table: Service, host: Tablet) -> Iterator[Phones]:
    """The phones of Ana, Ben and Cem."""
    phones = Phones(chromium, table.url, host.join_pin())
    yield phones
    for phone in phones.values():
        phone.close()


def test_a_trading_phase_is_played_in_the_hands_of_three(phones: Phones) -> None:
    """In trading by phone each player plays from their own hand, and no card is shown before it is turned over."""
    ana, ben, cem = phones["Ana"].page, phones["Ben"].page, phones["Cem"].page
    expect(ana.locator("h1")).to_have_text("Your turn, Ana")
    expect(ben.locator("h1")).to_have_text("Ana trades")

    phones["Ana"].tap(".lay:has-text('Ringworld')")
    expect(ben.locator("h1")).to_have_text("Everyone plays")
    expect(cem.locator("h1")).to_have_text("Everyone plays")
    assert "your-turn" in ben.evaluate("cues")

    phones["Ben"].tap("text=Name my card")
    expect(ben.locator("button:disabled", has_text="Ringworld")).to_be_visible()
    phones["Ben"].tap(".lay:has-text('Twins')")
    expect(ben.locator("h1")).to_have_text("Waiting for Cem")
    cem.goto("/history")
    expect(cem.locator(".story")).not_to_contain_text("Twins")
    cem.goto("/table")
    phones["Cem"].tap("text=I've played")

    expect(ana.locator("h1")).to_have_text("Your turn, Ana")
    expect(ana.locator(".trading h2")).to_have_text("Play a second card face up")
    assert [phone.faults for phone in phones.values()] == [[], [], []]


def test_two_phones_press_at_the_same_moment(phones: Phones, table: Service) -> None:
    """If two phones play a card at the same time, from pages of the same version, neither is refused."""
    phones["Ana"].tap(".lay:has-text('Ringworld')")
    both = [phones[name].page for name in ("Ben", "Cem")]
    for page in both:
        expect(page.get_by_role("button", name="I've played")).to_be_visible()
    for page in both:
        page.evaluate("() => { document.querySelector('.dock button[name=seat]').click(); }")

    expect(phones["Ana"].page.locator(".trading h2")).to_have_text("Play a second card face up")
    for page in both:
        expect(page.locator(".refusal")).to_have_count(0)


def wait_until(done: Callable[[], bool], page: Page) -> None:
    """Wait for a condition of two pages, polling once per frame of one of them."""
    for _ in range(50):
        if done():
            return
        page.evaluate("() => new Promise((next) => requestAnimationFrame(() => setTimeout(next, 100)))")
    raise AssertionError("it did not come")


def test_one_of_two_wins_and_the_other_is_told_kindly(phones: Phones, host: Tablet, table: Service) -> None:
    """If a tablet and a phone play the same card at the same time, it is played once, and one gets a message."""
    host.open("/table")
    ana = phones["Ana"].page
    for page in (ana, host.page):
        page.wait_for_function(f"() => {RINGED}")
    at = ana.evaluate("() => Date.now() + 500")
    for page in (ana, host.page):
        page.evaluate(f"(at) => {{ const button = {RINGED}; setTimeout(() => button.click(), at - Date.now()); }}", at)

    expect(ana.locator("h1")).to_have_text("Waiting for Ben and Cem")
    told = [page.locator(".refusal", has_text="The game has moved on") for page in (ana, host.page)]
    wait_until(lambda: sum(one.count() for one in told) == 1, ana)
    assert [line.get("do") for line in table.record()].count("lay") == 1


def test_a_phone_drops_and_is_in_its_seat_again(phones: Phones, host: Tablet, table: Service) -> None:
    """A phone whose page is reopened keeps its seat; one whose seat was freed has to join again."""
    ana = phones["Ana"].page
    ana.goto("about:blank")
    ana.goto(f"{table.url}/table")
    expect(ana.locator("h1")).to_have_text("Your turn, Ana")

    host.open("/join")
    host.tap("[aria-label^='Free it: Ana']")
    expect(host.page.locator(".place", has_text="Ana")).to_contain_text("free")
    phones["Ana"].tap(".lay:has-text('Ringworld')")
    expect(ana.locator("#page")).to_contain_text("Join a seat")
    ana.goto("/join")
    expect(ana.locator("#page")).to_contain_text("was freed")


@pytest.mark.long
def test_the_pages_of_a_phone_shut_nobody_out(phones: Phones, host: Tablet) -> None:
    """On a phone's pages axe-core finds nothing, and nothing is too small or cut off."""
    assert AXE.is_file(), "axe-core is missing: sh tests/browser/axe.sh installs it"
    found = []
    for device, path in (
        (phones["Ana"], "/table"),
        (phones["Ben"], "/table"),
        (phones["Ben"], "/join"),
        (host, "/join"),
    ):
        device.open(path)
        found += faults(device.page, path) + cut(device.page, path)

    assert found == []


def test_who_corrects_a_wrong_number_is_told_below_more(phones: Phones) -> None:
    """The fold "More" ends with a note on who can correct a wrong number, and closes where it was opened."""
    ana = phones["Ana"].page
    row, words = ana.locator(".further summary"), ana.locator(".further .note")

    row.click()
    above, below = row.bounding_box(), words.bounding_box()
    row.click()

    assert above and below and below["y"] >= above["y"] + above["height"]
    expect(words).not_to_be_visible()
