"""A phone's layout: at every moment, question, answers and main button are on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from companion.kernel.languages import LANGUAGES
from tests.browser.first_action import HEADER as FIRST
from tests.browser.looking import heavy
from tests.browser.moments import HEADER, LONG, SEATS, Moment, moments
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

SMALL_PHONE = ViewportSize(width=360, height=740)
UPRIGHT, FLAT = ViewportSize(width=768, height=1024), ViewportSize(width=1024, height=768)
SIZES = (PHONE, SMALL_PHONE, UPRIGHT, FLAT, TABLET)
READ_IN = tuple(reversed(LANGUAGES))
EVERY_SO_OFTEN = 13
"""A short run checks every 13th moment; 13 isn't a multiple of the number of languages, so every language is used."""
_OFF = """() => {
  const shown = [...document.querySelectorAll("[data-frame]")].filter((one) => one.checkVisibility());
  const dock = document.querySelector(".dock, .docks");
  const docked = dock?.checkVisibility() && getComputedStyle(dock).position === "sticky";
  const edge = docked ? dock.getBoundingClientRect().top : innerHeight;
  const words = (one) => one.textContent.trim().replace(/\\s+/g, " ").slice(0, 60);
  const named = (one) => `${one.dataset.frame ?? "score"}: ${words(one)}`;
  const off = shown.filter((one) => {
    const box = one.getBoundingClientRect(), least = dock?.contains(one) ? innerHeight : edge;
    return box.top < -1 || box.bottom > least + 1 || box.left < -1 || box.right > innerWidth + 1;
  });
  const told = innerWidth > 1088 || (innerWidth <= 700 && document.querySelector(".page.over"));
  const score = told && document.querySelector(".scores");
  if (score && score.getBoundingClientRect().bottom > edge + 1) off.push(score);
  const seats = document.querySelector(".chairs"), sheet = document.querySelector(".picks.asked-for");
  const above = sheet && getComputedStyle(sheet).position === "sticky" ? sheet.getBoundingClientRect().top : Infinity;
  if (seats && seats.getBoundingClientRect().bottom > above + 1) off.push(seats);
  return [...(shown.length || innerWidth > 1088 ? [] : ["nothing is asked"]), ...off.map(named)];
}"""
"""Elements that are off the screen or under the dock, though they are a question, an answer, a main button, the
score (on a wide screen or of a phone's result), or the seats above a sheet of cards."""
_CUT = """() => {
  const all = [...document.querySelectorAll("#page *")];
  const shown = all.filter((one) => one.checkVisibility() && !one.closest("svg, .vh"));
  const writes = (one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  const hides = (one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX) && writes(one);
  const runs = (one) => one.textContent.trim() && one.clientWidth > 1
    && (one.scrollWidth > one.clientWidth + 2);
  return shown.filter((one) => runs(one) && (hides(one) || one.matches(".btn, b, .name")))
    .map((one) => `cut: ${one.textContent.trim().replace(/\\s+/g, " ").slice(0, 60)}`);
}"""
_SPILT = """() => [...document.querySelectorAll("#page li .btn")]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.getBoundingClientRect().bottom > one.closest("li").getBoundingClientRect().bottom + 1)
  .map((one) => `out of its row: ${one.textContent.trim().replace(/\\s+/g, " ").slice(0, 60)}`)"""
"""Buttons that extend beyond their row into the next one."""
_BROKEN = """(names) => {
  const walker = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT), found = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    if (!one.checkVisibility() || one.closest("svg, .vh, select")) continue;
    for (const name of names) {
      const at = text.data.indexOf(name), range = document.createRange();
      if (at < 0) continue;
      range.setStart(text, at), range.setEnd(text, at + name.length);
      const tops = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
      if (tops.size > 1) found.push(`broken: ${name}`);
    }
  }
  return [...new Set(found)];
}"""
"""Players' names that wrap to two lines."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service without a ring: draws are typed in."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


class Hands:
    """The devices at one table, usable in any language: the host's, and a phone for each seat requested."""

    def __init__(self, browser: Browser, service: Service) -> None:
        self._browser, self._service = browser, service
        self._devices = {"": self._device()}
        self._devices[""].enter_pin(service.pin)

    def looked(self, moment: Moment, language: str, look: Callable[[Page], Iterable[str]]) -> list[str]:
        """Return what *look* finds on the page of *moment*, and let all devices show an empty page."""
        found = list(look(self.at(moment, language)))
        for device in self._devices.values():
            device.rest()
        return found

    def at(self, moment: Moment, language: str) -> Page:
        """Return the page of *moment* on its device."""
        device = self._devices.get(moment.seat) or self._joined(moment.seat)
        cookie = {"name": "language", "value": language, "url": self._service.url}
        device.page.context.add_cookies([cookie])  # type: ignore[list-item]  # a dictionary of its own kind
        device.open(moment.path)
        return device.page

    def _device(self) -> Tablet:
        return Tablet(self._browser, self._service.url, PHONE, still=True)

    def _joined(self, seat: str) -> Tablet:
        host, phone = self._devices[""], self._device()
        host.open("/join")
        phone.open(f"/join?pin={host.page.inner_text('.digits').strip()}")
        phone.tap(f".sit-down[value={seat}]")
        phone.page.wait_for_url("**/table")
        self._devices[seat] = phone
        return phone

    def close(self) -> None:
        """Close all devices."""
        for device in self._devices.values():
            device.close()


@pytest.fixture
def hands(chromium: Browser, service: Service) -> Iterator[Hands]:
    """The devices at the table of *service*."""
    hands = Hands(chromium, service)
    yield hands
    hands.close()


def frame(path: str, sizes: Iterable[ViewportSize], page: Page) -> list[str]:
    """Return the faults of *page*, opened at *path*: too many bytes, or elements missing on screens of *sizes*."""
    return [*heavy(page, path), *(one for size in sizes for one in missing(page, size))]


def missing(page: Page, size: ViewportSize) -> list[str]:
    """Return the elements that are not visible on a screen of *size*."""
    page.set_viewport_size(size)
    found: list[str] = [one for each in (_OFF, _CUT, _SPILT) for one in page.evaluate(each)]
    found += page.evaluate(_BROKEN, LONG)
    return [f"{size['width']}x{size['height']} {one}" for one in found]


def test_question_answers_and_main_button_are_on_the_glass(hands: Hands, service: Service, thorough: bool) -> None:
    """With five names of twelve letters, in every language, nothing needs scrolling or is hidden by the dock."""
    found = [
        f"{moment.name} {language} {one}"
        for number, moment in enumerate(moments(service))
        if thorough or number % EVERY_SO_OFTEN == 0
        # In a short run each moment is checked in one language on two sizes, and the next one in the next language.
        for language in (READ_IN if thorough else READ_IN[number % len(READ_IN) :][:1])
        for sizes in [SIZES if thorough else (SMALL_PHONE, SIZES[number % len(SIZES)])]
        for one in hands.looked(moment, language, partial(frame, moment.path, sizes))
    ]

    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("form", ["andromeda&players=5", "hanse", "wreck&players=4", "draws&players=8"])
def test_the_button_that_starts_a_game_is_on_the_glass(form: str, hands: Hands) -> None:
    """A game for any number of players can be started without scrolling, on every device."""
    page = hands.at(Moment("new game", f"/new?game={form}"), "de")

    assert [one for size in SIZES for one in missing(page, size)] == []


def to_an_attempt_with_odds(service: Service) -> None:
    """Play up to red's attempt in a game of four with odds, with a first draw typed in."""
    four = {colour: name for colour, name in SEATS.items() if colour != "black"}
    header = HEADER | {"players": HEADER["players"][:4], "options": {"show_odds": True}}
    assert service.ask("POST", "/api/v1/games", header)[0] == 201
    for colour in four:
        service.do({"do": "setup", "player": colour, "cards": {"p1": 3, "p2": 3, "p3": 3}})
    service.do({"do": "deal"})
    for colour in four:
        service.do({"do": "transport", "player": colour, "move": "pass"})
    for _ in range(2):
        for colour in four:
            service.do({"do": "lay", "player": colour, "card": None})
    service.do({"do": "swap", "player": "red", "with": "blue"})
    service.do({"do": "keep", "player": "blue"})
    service.do({"do": "take_back", "player": "green"})
    service.do({"do": "establish", "player": "red", "planet": "p1", "cards": 5})
    service.do({"do": "draw", "colour": "blue"})


def test_odds_push_no_answer_off_the_glass(hands: Hands, service: Service) -> None:
    """With odds and typed-in draws, all answers fit on the screen, and so does the link for two cubes at once."""
    to_an_attempt_with_odds(service)

    for language in READ_IN:
        page = hands.at(Moment("attempt"), language)

        assert page.locator(".odds em").count() == 1
        assert [(language, one) for size in SIZES for one in missing(page, size)] == []
        page.set_viewport_size(TABLET)
        box = page.locator(".further .btn").last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= TABLET["height"], language


def test_a_spectator_reads_the_whole_panel_of_draws(chromium: Browser, service: Service) -> None:
    """Looking on: before the first draw, the words in the panel next to the board are inside the panel."""
    assert service.ask("POST", "/api/v1/games", FIRST)[0] == 201
    for colour in ("red", "blue", "green"):
        service.do({"do": "setup", "player": colour, "cards": {"p1": 3, "p2": 3}})
    service.do({"do": "deal"})
    spectator = Tablet(chromium, service.url, TABLET)
    spectator.open("/table")

    panel, words = (spectator.page.locator(one).bounding_box() for one in (".lately", ".lately .drawn p"))
    assert panel is not None
    assert words is not None
    assert panel["y"] < words["y"] < words["y"] + words["height"] < panel["y"] + panel["height"]
    spectator.close()
