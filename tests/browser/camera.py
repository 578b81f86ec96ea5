"""Takes pictures of the pages from a game that is really being played."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser

from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

SIZES = {"1280x800": TABLET, "390x844": PHONE}
PRACTISED = 40
"""Steps of the made-up game before its picture is taken."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Camera:
    """Host devices of both sizes, light and dark, that look at the same table; without a folder it takes nothing."""

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
                    device.page.add_init_script("localStorage.setItem('sound', 'off')")  # it has been asked
                    device.enter_pin(service.pin)
                    self._devices[f"{size}-{scheme}"] = device

    def take(self, name: str, path: str = "/table") -> None:
        """Take the page at *path*, once for each name."""
        if name in self._taken or self._folder is None:
            return
        self._taken.add(name)
        for kind, device in self._devices.items():
            device.page.goto(path)
            device.page.evaluate("document.fonts.ready")
            device.page.screenshot(path=self._folder / f"{name}-{kind}.png")

    def begin_practice(self) -> None:
        """Let the made-up game play a little, and stop it where it is worth a look."""
        device = next(iter(self._devices.values()))
        device.open("/practice")
        device.tap("form[action='/practice/begin'] button")
        for _ in range(PRACTISED):
            device.tap("form[action='/practice/step'] button:visible")
            device.page.wait_for_load_state()

    def close(self) -> None:
        """Put the devices away."""
        for device in self._devices.values():
            device.close()
