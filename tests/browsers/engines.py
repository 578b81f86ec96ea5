"""Starts the engines of browsers in living rooms: Debian's Firefox, WebKit and Chromium, each with its own profile.

Selenium controls all three: it is maintained by the authors of the WebDriver standard, knows each engine's
peculiarities, and its clicks fail if another element covers the target. Playwright, which the tests use, controls
neither Debian's Firefox nor Debian's WebKit.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions, FirefoxOptions, Remote
from selenium.webdriver.chrome.service import Service as ChromeService
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions
from selenium.webdriver.webkitgtk.service import Service as WebKitService
from selenium.webdriver.webkitgtk.webdriver import WebDriver as WebKit

from tests.browsers.glass import PATIENCE_S, SOON_S, Glass, Size
from tests.browsers.marionette import Marionette

WANTED = {
    "chromium": ("chromium", "chromedriver"),
    "firefox": ("firefox-esr",),
    "webkit": ("WebKitWebDriver", "Xvfb"),
}
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
CALM_GTK = "[Settings]\ngtk-enable-animations=false\n"
PREFERENCES = {
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.legacyUserProfileCustomizations.stylesheets": True,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
PAGE_ALONE = (
    ":root { min-width: 0 !important; min-height: 0 !important } #navigator-toolbox { display: none !important }"
)
"""Hides Firefox's own bars: its window is never narrower than they are, and must become as small as a phone."""


def missing(*engines: str) -> list[str]:
    """Return the missing programs that *engines* (all engines if none is named) need."""
    return [name for engine in engines or WANTED for name in WANTED[engine] if not shutil.which(name)]


@contextmanager
def firefox(calm: bool) -> Iterator[Glass]:
    """Yield a headless Firefox, controlled over Marionette."""
    with tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        profile, port = Path(folder), free_port()
        wishes = {
            **PREFERENCES,
            "marionette.port": port,
            "ui.prefersReducedMotion": int(calm),
            "ui.useOverlayScrollbars": 1,
        }
        lines = [f'user_pref("{name}", {_javascript(value)});\n' for name, value in wishes.items()]
        (profile / "user.js").write_text("".join(lines), encoding="utf-8")
        (profile / "chrome").mkdir()
        (profile / "chrome" / "userChrome.css").write_text(PAGE_ALONE, encoding="utf-8")
        words = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", folder]
        stack.callback(_ended, process := _quiet(words))
        line = _answered(port, process)
        stack.callback(line.close)
        driver = Remote(command_executor=line, options=FirefoxOptions())  # type: ignore[arg-type]
        yield _glass(driver, stack)


@contextmanager
def webkit(calm: bool) -> Iterator[Glass]:
    """Yield a WebKit on a virtual screen, controlled by its own driver."""
    with tempfile.TemporaryDirectory(prefix="webkit-") as folder, ExitStack() as stack:
        if calm:
            (Path(folder) / "gtk-3.0").mkdir()
            (Path(folder) / "gtk-3.0" / "settings.ini").write_text(CALM_GTK, encoding="ascii")
        screen = _quiet(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "2000x2000x24", "-nolisten", "tcp"], subprocess.PIPE
        )
        stack.callback(_ended, screen)
        assert screen.stdout is not None
        display = f":{screen.stdout.readline().decode().strip()}"
        surroundings = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": folder, "GDK_BACKEND": "x11"}
        options = WebKitOptions()
        options.binary_location = str(next(Path("/").glob(MINI_BROWSER[1:])))
        for word in ("--automation", "--private", "--full-screen"):  # the requested size, without bars
            options.add_argument(word)
        yield _glass(WebKit(options, WebKitService(env=surroundings, log_output=subprocess.DEVNULL)), stack)


@contextmanager
def chromium(calm: bool) -> Iterator[Glass]:
    """Yield a headless Chromium, controlled by chromedriver."""
    with ExitStack() as stack:
        options = ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        words = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--lang=en",
            "--hide-scrollbars",
        ]
        for word in (*words, *(["--force-prefers-reduced-motion"] if calm else [])):
            options.add_argument(word)
        driver = Chrome(options, ChromeService(shutil.which("chromedriver")))

        def resize(size: Size) -> None:
            metrics = {"width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

        yield _glass(driver, stack, resize)


Engine = Callable[[bool], AbstractContextManager[Glass]]
"""Starts a window of an engine; the argument says whether the user prefers no motion."""
ENGINES: dict[str, Engine] = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


def free_port() -> int:
    """Return a port that was free just now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _glass(driver: Remote, stack: ExitStack, resize: Callable[[Size], None] | None = None) -> Glass:
    """Return *driver*'s window, which is closed with *stack*."""
    stack.callback(driver.quit)
    driver.set_script_timeout(PATIENCE_S)
    return Glass(driver, resize or (lambda size: driver.set_window_rect(0, 0, *size) and None))


def _answered(port: int, process: subprocess.Popen[bytes]) -> Marionette:
    """Return the connection to the Firefox that is starting."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return Marionette(port, PATIENCE_S)
        except ConnectionRefusedError:
            assert process.poll() is None, "Firefox has ended while it was starting"
            assert time.monotonic() < until, "Firefox does not answer"
            time.sleep(SOON_S)


def _quiet(words: list[str], said: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.DEVNULL)


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _javascript(value: object) -> str:
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'
