"""A device on the table: opens pages, taps what stands there, and counts its taps."""

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
"""Asked for before they show what can be chosen: a flight as an action, a card on a player's own phone."""
PATIENCE_MS = 60_000
SOON_MS = 50
"""How often a page is asked: with every frame, as Playwright would, it would draw frames for nothing else."""
PHONE = ViewportSize(width=390, height=844)
TELEVISION = ViewportSize(width=1280, height=720)


class Tablet:
    """One browser window; *faults* holds what its pages complained of.

    *still*: whoever looks at it wants no movement, which costs a browser without a graphics card most of its work.
    *hurried*: they have seen enough of a result as soon as they want to tap, and tap it away.
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
        # It has been asked about sound long ago: the question would lie above every page.
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
        """Put the device away."""
        self._context.close()

    def open(self, path: str) -> None:
        """Type an address, and wait while the page that comes is still being made."""
        self.page.goto(path)
        self.page.wait_for_selector("progress", state="detached")

    def rest(self) -> None:
        """Show nothing, and hear nothing of the table: a page that follows a game costs as much as one looked at."""
        self.page.goto("about:blank")

    def enter_pin(self, pin: str) -> None:
        """Become the host as the page for the PIN makes one, without opening it: that costs two pages."""
        self._send("/pin", pin=pin)

    def join_pin(self) -> str:
        """Return the PIN that the page of joining shows a host, without opening it."""
        shown = re.search(r'class="digits">(\d+)<', self._context.request.get("/join").text())
        assert shown is not None, "a host sees the PIN of the game"
        return shown[1]

    def join(self, pin: str, colour: str) -> None:
        """Join the seat of *colour* as the form of joining does, without opening its page."""
        self._send("/join", pin=pin, seat=colour)

    def _send(self, page: str, **fields: str) -> None:
        """Send the form of *page* with *fields*, by a request that has this device's cookies."""
        asked = self._context.request.get(page)
        sign = re.search(r'name="csrf" value="([^"]+)"', asked.text())
        assert sign is not None, f"{page} has a form"
        entered = self._context.request.post(page, form={"csrf": sign[1], **fields}, max_redirects=0)
        assert entered.status == 303, entered.text()

    def tap(self, what: str | Locator) -> None:
        """Tap something that stands on the page."""
        self.taps += 1
        (self.page.locator(what) if isinstance(what, str) else what).first.click()

    @property
    def version(self) -> int:
        """The version of the table that the page shows."""
        return int(self.page.get_attribute("#page", "data-version") or 0)

    def await_version(self, version: int) -> None:
        """Wait until the page shows *version* or a later one, by itself."""
        self.page.wait_for_function(
            "version => Number(document.getElementById('page').dataset.version) >= version",
            arg=version,
            polling=SOON_MS,
        )

    def say(self, line: Mapping[str, Any]) -> int:
        """Do *line* by tapping as a person would, from the step at hand; return how many taps it took."""
        before, shown = self.taps, self.version
        match line["do"]:
            case "setup":
                self._turn_cards(line)
            case "establish" | "move" | "ship" | "technology":
                self._play_set(line)
            case "transport" if line["move"] != "pass" and self.page.locator(TRANSPORT).count():
                self.tap(TRANSPORT)
                self._press(line)
            case "exchange" if self.page.locator(f"a[href='/table/act/exchange?cards={line['cards']}']").count():
                self.tap(f"a[href='/table/act/exchange?cards={line['cards']}']")
                self._press(line)
            case "lay":
                self._lay(line)
            case _:
                self._press(line)
        self.await_version(shown + 1)
        return self.taps - before

    def all_have_laid(self) -> int:
        """Tell with one tap that all have laid face down, and wait until they have turned over; return the taps."""
        before, shown = self.taps, self.version
        self.tap("form[action='/table/all_ready'] button:visible")
        self.await_version(shown + 1)
        self.await_turned()
        return self.taps - before

    def await_turned(self) -> None:
        """Wait until three, two, one has been counted, if it is."""
        self.page.wait_for_function("() => !document.getElementById('clock')?.dataset.leadEnds", polling=SOON_MS)

    def _turn_cards(self, line: Mapping[str, Any]) -> None:
        """Tap a planet for each card; the last tap enters them all."""
        cards = [planet for planet, count in line["cards"].items() for _ in range(count)]
        for counted, planet in enumerate(cards, 1):
            self.tap(self.page.locator(".stile .add").nth(int(planet[1:]) - 1))
            if counted < len(cards):
                self.page.wait_for_selector(rf".srow.now small:text-matches('^\\D*{counted}\\D+{len(cards)}\\D*$')")

    def _lay(self, line: Mapping[str, Any]) -> None:
        """Tap the seat whose card it is if its cards are not shown yet, then the card."""
        shown = f"a[href*='card={line['card']}'], button[name=line][value*='\"lay\"']"
        for way in (f"{OWN_CARD}:visible", f".also a[href$='={line['player']}']"):
            if self.page.locator(way).count():
                self.tap(way)
                self.page.wait_for_selector(shown)
                break
        # A card that nobody may know of is asked for by a link first: the rules look whether the hand has it.
        if self.page.locator(f"a[href*='card={line['card']}']").count():
            self.tap(f"a[href*='card={line['card']}']")
        self._press(line)

    def _play_set(self, line: Mapping[str, Any]) -> None:
        """Tap a planet, which brings cards with it, then what is different in *line*, and play."""
        do, planet = line["do"], f"?planet={line['planet']}"
        if not self.page.locator(f"a[href^='/table/act/{do}{planet}']:visible").count():
            self._follow(f"a[href='/table/act/{do}']:visible")
        self._follow(f"a[href^='/table/act/{do}{planet}']:visible")
        jokers = line.get("jokers", [])
        for kind in jokers:
            self._follow(f".jokers a:has-text('Add one {kind}')")
        size = line["cards"] + len(jokers)
        if (
            self.page.locator(".sizes:has-text('cards')").count()
            and not self.page.locator(f".sizes .sel:has-text('{size} cards')").count()
        ):
            self._follow(f".sizes a:has-text('{size} cards')")
        if do == "move" and not self.page.locator(f".moving .sel:has-text('{line['stations']} station')").count():
            self._follow(f".moving a:has-text('{line['stations']} station')")
        if not line.get("bonus", True):
            self._follow("a.opt")
        self._press(line)

    def _follow(self, link: str) -> None:
        """Tap a link to a hand, and wait until it is that hand which the page shows."""
        address = self.page.locator(link).first.get_attribute("href")
        self.tap(link)
        shown = "at => decodeURIComponent(document.querySelector('.hand')?.dataset.at ?? '') === decodeURIComponent(at)"
        self.page.wait_for_function(shown, arg=address, polling=SOON_MS)

    def _press(self, line: Mapping[str, Any]) -> None:
        """Press the button that means *line*."""
        wanted = _plain(line)
        self._teach()
        found = "wanted => [...document.querySelectorAll('button[name=line]')]"
        found += ".findIndex((one) => one.offsetParent && window.__plain(one.value) === wanted)"
        try:
            self.page.wait_for_function(f"wanted => ({found})(wanted) >= 0", arg=wanted, polling=SOON_MS)
        except PlaywrightTimeout:
            offered = self.page.eval_on_selector_all("button[name=line]", "all => all.map((one) => one.value)")
            raise AssertionError(f"no button for {line} at {self.page.url}, but {offered}") from None
        self.tap(self.page.locator("button[name=line]").nth(self.page.evaluate(found, wanted)))

    def _teach(self) -> None:
        """Teach the page to write a line the way `_plain` does."""
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
    """Return *line* without what may be left out, in one steady order."""
    kept = {name: value for name, value in line.items() if (name, value) not in (("bonus", True), ("jokers", []))}
    return json.dumps(dict(sorted(kept.items())), separators=(",", ":"), ensure_ascii=False)
