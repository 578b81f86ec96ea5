"""Takes screenshots of pages during a real game."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser

from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

SIZES = {"1280x800": TABLET, "390x844": PHONE}
PRACTISED = 40
"""Steps of the practice game before its screenshot."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Camera:
    """Host devices of both sizes, light and dark, at the same table; without a folder no screenshot is taken."""

    def __init__(self, browser: Browser, service: Service, folder: Path | None) -> None:
        self._folder = folder
        self._taken: set[str] = set()
        self._devices: dict[str, Tablet] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for size, viewport in SIZES.items():
                for scheme in SCHEMES:
                    device = Tablet(browser, service.url, viewport, scheme)
                    device.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    device.page.add_init_script("localStorage.setItem('sound', 'off')")  # the question is answered
                    device.enter_pin(service.pin)
                    self._devices[f"{size}-{scheme}"] = device

    def take(self, name: str, path: str = "/table") -> None:
        """Take screenshots of the page at *path* as *name*, once for each name."""
        if name in self._taken or self._folder is None:
            return
        self._taken.add(name)
        for kind, device in self._devices.items():
            device.page.goto(path)
            device.page.evaluate("document.fonts.ready")
            device.page.screenshot(path=self._folder / f"{name}-{kind}.png")

    def begin_practice(self) -> None:
        """Let a practice game play a while, and stop it for the screenshot."""
        device = next(iter(self._devices.values()))
        device.open("/practice")
        device.tap("form[action='/practice/begin'] button")
        for _ in range(PRACTISED):
            device.tap("form[action='/practice/step'] button:visible")
            device.page.wait_for_load_state()

    def close(self) -> None:
        """Close the devices."""
        for device in self._devices.values():
            device.close()
