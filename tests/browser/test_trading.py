"""The clock of trading on real devices: one tap a step, and the same countdown for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.first_action import to_the_first_trade
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

MOST_APART_MS = 100
ASKED = "() => performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/clock')).map((e) => e.duration)"
"""How long this device's time requests take: its clock can't be more exact than half of a request's duration."""
END = "() => Date.now() + Number(document.getElementById('clock').dataset.ends) - housetime.now()"
"""The time at which this device sees the clock run out, by the wall clock that all devices share here."""
EMPTY = "() => Date.now() + Number(document.querySelector('.bank.runs').dataset.ends) - housetime.now()"
"""The time at which this device sees the active player's bank run out."""
KNOWN = "() => housetime.now() !== null && document.getElementById('clock').dataset.ends !== ''"
COVER = "[data-cover]"


@pytest.fixture
def host(host: Tablet) -> Tablet:
    """The host's tablet, showing the table."""
    host.open("/table")
    return host


@pytest.fixture
def watcher(chromium: Browser, table: Service) -> Iterator[Tablet]:
    """A phone without a seat."""
    watcher = Tablet(chromium, table.url, PHONE)
    watcher.open("/table")
    yield watcher
    watcher.close()


def ends(device: Tablet) -> float:
    """Return the wall clock's millisecond at which *device* sees the time run out."""
    device.page.wait_for_function(KNOWN)
    return float(device.page.evaluate(END))


def most_apart(*devices: Tablet) -> float:
    """Return how much *devices* may differ: 0.1 s, or the uncertainty of their clocks on a busy machine."""
    return max(MOST_APART_MS, sum(max(device.page.evaluate(ASKED)) / 2 for device in devices))


def test_a_step_is_one_tap_and_all_turn_over_on_every_device(host: Tablet, watcher: Tablet) -> None:
    """Two taps on the tablet, "Ana has played" and "All have played", start 3-2-1 on the phone too."""
    host.taps = 0
    watcher.page.evaluate("window.cues = []; document.addEventListener('cue', (event) => cues.push(event.detail))")
    host.tap("text=Ana has played")
    host.tap("button:visible:has-text('All have played')")

    for device in (host, watcher):
        expect(device.page.locator(COVER)).to_be_visible()
        assert device.page.inner_text("[data-count]") in ("3", "2", "1")
    for device in (host, watcher):
        expect(device.page.locator(COVER)).to_have_count(0)
        expect(device.page.locator("h2").first).to_have_text("Ana plays a second card")
    cues = [cue for cue in watcher.page.evaluate("cues") if cue.startswith("reveal")]
    assert cues == ["reveal-3", "reveal-2", "reveal-1", "reveal"][-len(cues) :]
    assert len(cues) >= 2
    assert host.taps == 2
    assert host.faults == watcher.faults == []


NOTES_COUNTS = """() => {
  window.counts = [];
  const look = () => {
    const count = document.querySelector('[data-cover] [data-count], [data-count]');
    if (count && count.checkVisibility()) counts.push(count.textContent.trim());
  };
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
}"""
"""Records each number that a page's cover shows."""
COUNTED_OR_LATE = """() => new Promise((done) => {
  const begun = performance.now();
  const look = () => (counts.length || performance.now() - begun > 4000 ? done() : setTimeout(look, 50));
  look();
})"""
"""Resolves when a page has counted, or when the three seconds are over."""


def test_every_page_of_every_device_counts(host: Tablet, chromium: Browser, table: Service) -> None:
    """A player's phone, a page of rules, a page with a form and a screen count 3-2-1 like the tablet."""
    seat, rules, still, screen = (Tablet(chromium, table.url, size) for size in (PHONE, PHONE, PHONE, TABLET))
    seat.open(f"/join?pin={host.join_pin()}")
    seat.tap(".sit-down:has-text('Ben')")
    seat.page.wait_for_url("**/table")
    for device, address in ((rules, "/help?cards"), (still, "/join"), (screen, "/screen")):
        device.open(address)
    host.rest()

    table.do({"do": "lay", "player": "red", "card": "p1"})
    devices = (seat, rules, still, screen)
    for device in devices:
        device.page.evaluate(NOTES_COUNTS)

    # Three seconds may be too short for four browsers on a busy machine; then the countdown is repeated.
    for _ in range(10):
        if all(device.page.evaluate("counts.length") for device in devices):
            break
        table.ask("POST", "/api/v1/deeds", {"deed": "all_ready"})
        for device in devices:
            device.page.evaluate(COUNTED_OR_LATE)
        table.ask("POST", "/api/v1/deeds", {"deed": "undo"})

    for device in devices:
        counted = set(device.page.evaluate("counts"))
        assert counted and counted <= {"3", "2", "1"}
    for device in devices:
        expect(device.page.locator(f"{COVER}:visible")).to_have_count(0)
        assert device.faults == []
        device.close()


def test_cards_lie_face_down_until_zero(host: Tablet, watcher: Tablet, table: Service) -> None:
    """During 3-2-1 no page shows face-down cards, and all do afterwards; a tap hides the cover."""
    for colour, card in (("red", "p1"), ("blue", "p3"), ("green", "p7")):
        table.do({"do": "lay", "player": colour, "card": card})

    watcher.page.wait_for_selector(".tcard.down")
    watcher.tap(COVER)
    expect(watcher.page.locator(COVER)).to_be_hidden()
    assert "Stripes" not in watcher.page.inner_text(".chairs")
    expect(watcher.page.locator(".chairs")).to_contain_text("Stripes")
    expect(host.page.locator(".chairs")).to_contain_text("Spiral")


@pytest.mark.long
def test_cards_turn_over_and_sets_cross_over(host: Tablet, watcher: Tablet, table: Service) -> None:
    """Cards turn after 3-2-1, and a swap shows no new set before both sets have crossed."""
    for device in (host, watcher):
        device.page.evaluate("document.documentElement.style.setProperty('--glide', '600000ms')")
    for colour, card in (("red", "p1"), ("blue", "p3"), ("green", "p7")):
        table.do({"do": "lay", "player": colour, "card": card})
    for device in (host, watcher):
        expect(device.page.locator(".tcard.open.turns")).to_have_count(2)
    for colour, card in (("red", "p2"), ("blue", "p4"), ("green", "p5")):
        table.do({"do": "lay", "player": colour, "card": card})
    for device in (host, watcher):
        expect(device.page.locator(".tcard.open")).to_have_count(6)

    table.do({"do": "swap", "player": "red", "with": "blue"})

    for device in (host, watcher):
        expect(device.page.locator(".flights-over .tcard")).to_have_count(4)
        expect(device.page.locator("[data-seat=blue] .cards")).to_be_hidden()
        device.page.keyboard.press("Escape")
        expect(device.page.locator(".flights-over")).to_have_count(0)
        expect(device.page.locator("[data-seat=blue] .cards")).to_contain_text("Ringworld")
        assert device.faults == []


def test_a_clock_is_held_and_given_more_time(host: Tablet, watcher: Tablet) -> None:
    """Pausing, resuming and adding ten seconds take one tap each, and every device follows."""
    before = ends(watcher)
    host.tap(".asks button:has-text('Pause')")
    expect(watcher.page.locator(".dial")).to_contain_text("stopped")
    stood = watcher.page.inner_text(".dial [data-seconds]")
    host.tap(".asks button:has-text('10 s')")
    watcher.page.wait_for_selector("#clock[data-limit='30000']", state="attached")
    assert int(watcher.page.inner_text(".dial [data-seconds]")) == int(stood) + 10

    host.tap(".asks button:has-text('Continue')")

    watcher.page.wait_for_selector("#clock[data-running=yes]", state="attached")
    assert ends(watcher) >= before + 10_000


def test_the_dial_counts_down_by_itself(watcher: Tablet) -> None:
    """Dial and bank count every second without an event from the server."""
    bank = watcher.page.inner_text(".bank.runs [data-time]")
    watcher.page.evaluate("window.swaps = 0; document.addEventListener('swapped', () => { swaps++ })")
    shown = int(watcher.page.inner_text(".dial [data-seconds]"))
    watcher.page.wait_for_function(
        "shown => Number(document.querySelector('.dial [data-seconds]').textContent) <= shown - 2", arg=shown
    )

    assert watcher.page.evaluate("swaps") == 0
    assert watcher.page.inner_text(".bank.runs [data-time]") < bank


def test_a_reload_in_mid_countdown_shows_the_right_time(host: Tablet) -> None:
    """After a reload a page shows the right time, since it knows the end time and not just the seconds so far."""
    before, known_to = ends(host), most_apart(host)
    host.page.reload()

    assert abs(ends(host) - before) < max(known_to, most_apart(host))


def test_two_devices_count_alike(host: Tablet, watcher: Tablet) -> None:
    """On a tablet and a phone, step and bank run out within a tenth of a second of each other."""
    apart = abs(ends(host) - ends(watcher))
    banks = abs(host.page.evaluate(EMPTY) - watcher.page.evaluate(EMPTY))

    print(f"apart: {apart:.1f} ms, {banks:.1f} ms")
    assert max(apart, banks) < most_apart(host, watcher)


def test_a_restart_in_mid_countdown_costs_nobody_time(chromium: Browser, tmp_path: Path) -> None:
    """A restart stops the clock at its time, the page says why, and one tap starts it again."""
    service = Service(tmp_path / "data")
    to_the_first_trade(service)
    asked_at = monotonic()
    first = service.ask("GET", "/api/v1/clock")[1]
    service.stop()
    most_ms = (monotonic() - asked_at) * 1000
    service = Service(tmp_path / "data")
    again = service.ask("GET", "/api/v1/clock")[1]
    host = Tablet(chromium, service.url, TABLET)
    host.enter_pin(service.pin)
    host.open("/table")
    said = host.page.inner_text(".strip.held")
    host.tap(".strip.held button")
    host.page.wait_for_function(KNOWN)
    host.close()
    going = service.ask("GET", "/api/v1/clock")[1]
    service.stop()

    assert (again["running"], again["held"], again["ends_at_ms"]) == (False, "restart", None)
    assert 0 <= again["spent_ms"] - first["spent_ms"] <= most_ms
    assert "The clock is stopped." in said
    assert (going["running"], going["held"]) == (True, "")


def test_nothing_counts_down_on_a_page_that_may_be_old(host: Tablet) -> None:
    """On a stale page the seconds stop, and they are right again as soon as an event arrives."""
    ends(host)
    counted = """stale => {
      const root = document.documentElement;
      stale ? root.setAttribute("data-stale", "") : root.removeAttribute("data-stale");
      document.getElementById("clock").dataset.ends = String(housetime.now() + 7_500);
      document.dispatchEvent(new CustomEvent("housetime"));
      return document.querySelector(".dial [data-seconds]").textContent;
    }"""
    shown = host.page.inner_text(".dial [data-seconds]")

    assert host.page.evaluate(counted, True) in (shown, str(int(shown) - 1))
    assert host.page.evaluate(counted, False) == "8"


def test_a_house_that_counts_anew_is_believed_at_once(host: Tablet) -> None:
    """After a reboot the server's clock is different, so the page asks for the time again."""
    before = ends(host)
    host.page.evaluate("document.getElementById('clock').dataset.now = '5'")
    forgot = host.page.evaluate("() => { document.dispatchEvent(new CustomEvent('swapped')); return housetime.now(); }")

    assert forgot is None
    assert abs(ends(host) - before) < most_apart(host)
