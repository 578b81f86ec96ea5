"""A device at the table: opens pages, taps elements, and counts its taps."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Browser, Locator, Page, ViewportSize
from playwright.sync_api import TimeoutError as PlaywrightTimeout

TABLET = ViewportSize(width=1280, height=800)
TRANSPORT = "a[href='/table/act/transport']"
OWN_CARD = "a[href='/table?name=1']"
"""The links that lead to choices: directions of a transport as an action, or cards on a player's own phone."""
SENDS = """wanted => [...document.querySelectorAll("button[name=line]")]
  .findIndex((one) => one.offsetParent && window.__plain(one.value) === wanted)"""
"""Returns the number of the button that sends a line, or -1."""
PATIENCE_MS = 60_000
SOON_MS = 50
"""Interval of polling a page: polling with every frame, Playwright's default, would make it render frames."""
PHONE = ViewportSize(width=390, height=844)
TELEVISION = ViewportSize(width=1280, height=720)


class Tablet:
    """One browser window; *faults* lists the errors of its pages.

    *still*: reduced motion, since animations are most of the work of a browser without a graphics card.
    *hurried*: when the display of a result covers the page, it is closed before the next tap.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: ViewportSize,
        scheme: Any = "light",
        language: str = "en",
        still: bool = False,
        hurried: bool = True,
    ) -> None:
        motion: Any = "reduce" if still else "no-preference"
        self._context = browser.new_context(
            viewport=size, color_scheme=scheme, base_url=url, locale=language, reduced_motion=motion
        )
        # The question about sound is already answered, since it would cover every page.
        self._context.add_init_script("try { localStorage.sound ??= 'off'; } catch { /* a page of no house */ }")
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        self.taps = 0
        if hurried:
            self.page.add_locator_handler(self.page.locator("body > .stage"), self._seen)

    def _seen(self, stage: Locator) -> None:
        self.page.keyboard.press("Escape")

    def close(self) -> None:
        """Close the device."""
        self._context.close()

    def open(self, path: str) -> None:
        """Open *path*, and wait until no progress bar is shown."""
        self.page.goto(path)
        self.page.wait_for_selector("progress", state="detached")

    def rest(self) -> None:
        """Show an empty page, because a page that follows a game uses processor time even while nobody looks at it."""
        self.page.goto("about:blank")

    def enter_pin(self, pin: str) -> None:
        """Become the host by sending the PIN in a request, which saves opening two pages."""
        self._send("/pin", pin=pin)

    def join_pin(self) -> str:
        """Request and return the join PIN that the host sees, without opening its page."""
        shown = re.search(r'class="digits">(\d+)<', self._context.request.get("/join").text())
        assert shown is not None, "a host sees the PIN of the game"
        return shown[1]

    def join(self, pin: str, colour: str) -> None:
        """Join the seat of *colour* by a request, without opening a page."""
        self._send("/join", pin=pin, seat=colour)

    def _send(self, page: str, **fields: str) -> None:
        """Send the form of *page* with *fields*, by a request with this device's cookies."""
        asked = self._context.request.get(page)
        sign = re.search(r'name="csrf" value="([^"]+)"', asked.text())
        assert sign is not None, f"{page} has a form"
        entered = self._context.request.post(page, form={"csrf": sign[1], **fields}, max_redirects=0)
        assert entered.status == 303, entered.text()

    def tap(self, what: str | Locator) -> None:
        """Tap an element of the page."""
        self.taps += 1
        (self.page.locator(what) if isinstance(what, str) else what).first.click()

    @property
    def version(self) -> int:
        """The version of the table that the page shows."""
        return int(self.page.get_attribute("#page", "data-version") or 0)

    def await_version(self, version: int) -> None:
        """Wait until the page shows *version* or a later one, without a tap."""
        self.page.wait_for_function(
            "version => Number(document.getElementById('page').dataset.version) >= version",
            arg=version,
            polling=SOON_MS,
        )

    def say(self, line: Mapping[str, Any]) -> int:
        """Enter *line* from the current step by tapping, as a person would, and return the number of taps."""
        before, shown = self.taps, self.version
        match line["do"]:
            case "setup":
                self._turn_cards(line)
            case "establish" | "move" | "ship" | "technology":
                self._play_set(line)
            case "transport" if line["move"] != "pass" and self.page.locator(TRANSPORT).count():
                self.tap(TRANSPORT)
                self._press(line)
            case "lay":
                self._lay(line)
            case _:
                self._press(line)
        self.await_version(shown + 1)
        return self.taps - before

    def all_have_laid(self) -> int:
        """Tap "All have played", wait until the cards are turned over, and return the number of taps."""
        before, shown = self.taps, self.version
        self.tap("form[action='/table/all_ready'] button:visible")
        self.await_version(shown + 1)
        self.await_turned()
        return self.taps - before

    def await_turned(self) -> None:
        """Wait until the 3-2-1 countdown is over, if there is one."""
        self.page.wait_for_function("() => !document.getElementById('clock')?.dataset.leadEnds", polling=SOON_MS)

    def _turn_cards(self, line: Mapping[str, Any]) -> None:
        """Tap a planet for each card; the last tap enters all cards."""
        cards = [planet for planet, count in line["cards"].items() for _ in range(count)]
        for counted, planet in enumerate(cards, 1):
            self.tap(self.page.locator(".stile .add").nth(int(planet[1:]) - 1))
            if counted < len(cards):
                self.page.wait_for_selector(rf".srow.now small:text-matches('^\\D*{counted}\\D+{len(cards)}\\D*$')")

    def _lay(self, line: Mapping[str, Any]) -> None:
        """Tap the seat that plays, if its cards are not shown yet, then the card."""
        shown = "button[name=line][value*='\"lay\"']"
        for way in (f"{OWN_CARD}:visible", f".also a[href$='={line['player']}']"):
            if self.page.locator(way).count():
                self.tap(way)
                self.page.wait_for_selector(shown)
                break
        self._press(line)

    def _play_set(self, line: Mapping[str, Any]) -> None:
        """Tap a planet, what differs from the suggestion (jokers, stations, credit), and the button for the set."""
        do, planet = line["do"], f"?planet={line['planet']}"
        if not self.page.locator(f"a[href^='/table/act/{do}{planet}']:visible").count():
            self._follow(f"a[href='/table/act/{do}']:visible")
        if self.page.locator(f"a[href^='/table/act/{do}{planet}']:visible").count():
            self._follow(f"a[href^='/table/act/{do}{planet}']:visible")
        for kind in line.get("jokers", []):
            self._follow(f".jokers a:has-text('Add one {kind}')")
        moving = ".moving a:has-text('{} station')"
        if do == "move" and self.page.locator(moving.format(line["stations"])).count() and not self._offers(line):
            self._follow(moving.format(line["stations"]))
        if not line.get("bonus", True):
            self._follow("a.opt")
        self._press(line)

    def _follow(self, link: str) -> None:
        """Tap a link to a hand, and wait until the page shows that hand."""
        address = self.page.locator(link).first.get_attribute("href")
        self.tap(link)
        shown = "at => decodeURIComponent(document.querySelector('.hand')?.dataset.at ?? '') === decodeURIComponent(at)"
        self.page.wait_for_function(shown, arg=address, polling=SOON_MS)

    def _press(self, line: Mapping[str, Any]) -> None:
        """Press the button that sends *line*."""
        wanted = _plain(line)
        self._teach()
        try:
            self.page.wait_for_function(f"wanted => ({SENDS})(wanted) >= 0", arg=wanted, polling=SOON_MS)
        except PlaywrightTimeout:
            offered = self.page.eval_on_selector_all("button[name=line]", "all => all.map((one) => one.value)")
            raise AssertionError(f"no button for {line} at {self.page.url}, but {offered}") from None
        self.tap(self.page.locator("button[name=line]").nth(self.page.evaluate(SENDS, wanted)))

    def _offers(self, line: Mapping[str, Any]) -> bool:
        """Return whether the page has a button that sends *line*."""
        self._teach()
        return bool(self.page.evaluate(SENDS, _plain(line)) >= 0)

    def _teach(self) -> None:
        """Add a function to the page that normalises a line as `_plain` does."""
        self.page.evaluate(
            """() => { window.__plain = (text) => {
                 const line = JSON.parse(text);
                 if (line.bonus === true) delete line.bonus;
                 if (line.jokers && !line.jokers.length) delete line.jokers;
                 if (line.move === 'pass') delete line.planet;
                 return JSON.stringify(Object.fromEntries(Object.entries(line).sort()));
               }; }"""
        )


def _plain(line: Mapping[str, Any]) -> str:
    """Return *line* as JSON without optional values, with sorted keys."""
    kept = {name: value for name, value in line.items() if (name, value) not in (("bonus", True), ("jokers", []))}
    return json.dumps(dict(sorted(kept.items())), separators=(",", ":"), ensure_ascii=False)
