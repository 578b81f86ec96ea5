"""One window of any engine: opens pages, taps what is seen on them, and tells what went wrong in their scripts."""

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
    """Of a glass, in CSS pixels."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


class Glass:
    """A window that *driver* moves, whose page is brought to a size by *resize*."""

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
        """Type an address."""
        self.driver.get(address)

    def evaluate(self, script: str, *given: Any) -> Any:
        """Return what *script*, the body of a function, returns."""
        return self.driver.execute_script(script, *given)

    def find(self, css: str, text: str = "") -> Any:
        """Return the first thing that is seen of *css* with *text*, as soon as there is one."""
        return self.wait_for(
            lambda: self.evaluate(FOUND, css, text), f"nothing is seen of {css} {text!r} at {self.address}"
        )

    def tap(self, css: str, text: str = "") -> None:
        """Tap it, as a finger would: what lies above it is in the way."""
        self.wait_for(lambda: self.tapped(css, text), f"{css} {text!r} cannot be tapped at {self.address}")

    def tapped(self, css: str, text: str = "") -> bool:
        """Tap it if it is seen and nothing lies above it; return whether it was."""
        found = self.evaluate(FOUND, css, text)
        try:
            if found:
                found.click()
        except (StaleElementReferenceException, ElementClickInterceptedException):
            return False  # the page was swapped under the finger, or a result is shown above it
        self.taps += bool(found)
        return bool(found)

    def type(self, css: str, words: str) -> None:
        """Type *words* into the first field of *css*."""
        self.find(css).send_keys(words)

    def wait(self, script: str, otherwise: str) -> Any:
        """Wait until *script* returns something true."""
        return self.wait_for(lambda: self.evaluate(script), f"{otherwise}, at {self.address}")

    def wait_for(self, looked: Callable[[], Any], otherwise: str) -> Any:
        """Return what *looked* finds, once it finds something."""
        until = time.monotonic() + PATIENCE_S
        while not (found := looked()):
            if time.monotonic() > until:
                raise AssertionError(otherwise)
            time.sleep(SOON_S)
        return found

    @property
    def address(self) -> str:
        """Where it is."""
        return str(self.driver.current_url)

    def steady(self) -> None:
        """Wait until all that is on its way has been painted."""
        self.driver.execute_async_script(STEADY)

    def picture(self, path: Path) -> None:
        """Keep what is seen."""
        self.steady()
        path.write_bytes(self.driver.get_screenshot_as_png())

    def faults(self) -> list[str]:
        """Return what the scripts of its pages complained of since the last time."""
        return list(self.evaluate(FAULTS))
