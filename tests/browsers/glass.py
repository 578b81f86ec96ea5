"""One window of any engine: opens pages, taps visible elements, and reports errors of the pages' scripts."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from selenium.common.exceptions import ElementClickInterceptedException, StaleElementReferenceException
from selenium.webdriver import Remote

PATIENCE_S, SOON_S = 120.0, 0.05
FOUND = """const [css, text] = arguments;
  const seen = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden" && !one.disabled;
  const found = [...document.querySelectorAll(css)].find((one) => seen(one) && one.textContent.includes(text));
  found?.scrollIntoView({ block: "nearest" });
  return found ?? null;"""
STEADY = """const done = arguments[arguments.length - 1];
  const ready = document.fonts ? document.fonts.ready : Promise.resolve();
  ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));"""
FAULTS = "const all = sessionStorage.faults || '[]'; delete sessionStorage.faults; return JSON.parse(all);"


class Size(NamedTuple):
    """The size of a page, in CSS pixels."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


class Glass:
    """A window controlled by *driver*; *resize* gives its page a size."""

    def __init__(self, driver: Remote, resize: Callable[[Size], None]) -> None:
        self.driver, self._resize = driver, resize
        self.size = Size(0, 0)
        self.taps = 0

    def resize(self, size: Size) -> None:
        """Give the page exactly *size*."""
        if self.size != size:
            self._resize(size)
            self.wait(f"return innerWidth === {size.width} && innerHeight === {size.height};", f"never became {size}")
            self.size = size

    def open(self, address: str) -> None:
        """Open *address*."""
        self.driver.get(address)

    def evaluate(self, script: str, *given: Any) -> Any:
        """Run *script*, the body of a function, and return its result."""
        return self.driver.execute_script(script, *given)

    def find(self, css: str, text: str = "") -> Any:
        """Return the first visible element of *css* with *text*, as soon as there is one."""
        return self.wait_for(
            lambda: self.evaluate(FOUND, css, text), f"nothing is seen of {css} {text!r} at {self.address}"
        )

    def tap(self, css: str, text: str = "") -> None:
        """Tap such an element like a finger, which can't tap an element that is covered by another one."""
        self.wait_for(lambda: self.tapped(css, text), f"{css} {text!r} cannot be tapped at {self.address}")

    def tapped(self, css: str, text: str = "") -> bool:
        """Tap such an element if it is visible and not covered; return whether it was tapped."""
        found = self.evaluate(FOUND, css, text)
        try:
            if found:
                found.click()
        except (StaleElementReferenceException, ElementClickInterceptedException):
            return False  # the page was swapped under the finger, or a result is shown above it
        self.taps += bool(found)
        return bool(found)

    def type(self, css: str, words: str) -> None:
        """Type *words* into the first field that matches *css*."""
        self.find(css).send_keys(words)

    def wait(self, script: str, otherwise: str) -> Any:
        """Wait until *script* returns a true value."""
        return self.wait_for(lambda: self.evaluate(script), f"{otherwise}, at {self.address}")

    def wait_for(self, looked: Callable[[], Any], otherwise: str) -> Any:
        """Return the result of *looked* as soon as it is true."""
        until = time.monotonic() + PATIENCE_S
        while not (found := looked()):
            if time.monotonic() > until:
                raise AssertionError(otherwise)
            time.sleep(SOON_S)
        return found

    @property
    def address(self) -> str:
        """The address of the current page."""
        return str(self.driver.current_url)

    def steady(self) -> None:
        """Wait until all pending changes have been painted."""
        self.driver.execute_async_script(STEADY)

    def picture(self, path: Path) -> None:
        """Save a picture of the page as *path*."""
        self.steady()
        path.write_bytes(self.driver.get_screenshot_as_png())

    def faults(self) -> list[str]:
        """Return the errors that the pages' scripts have reported since the last call."""
        return list(self.evaluate(FAULTS))
