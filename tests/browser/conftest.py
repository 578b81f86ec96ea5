"""A table in a real browser: Chromium, the service as a process, and the ring as another behind a pseudo-terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser.camera import Camera
from tests.browser.first_action import to_the_first_trade
from tests.browser.tablet import PATIENCE_MS, PHONE, TABLET, Tablet
from tests.companion.app.processes import Service, VirtualRing

HAND = [{"wait_for": "armed"}, {"slide": 1}] * 2_000
POSING = [{"wait_for": "armed"}, {"wait_ms": 2_500}, {"slide": 1}] * 200
"""A hand slow enough for screenshots."""
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--in-process-gpu",  # one process less to start
)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright, closed after this folder, since its event loop would disturb other tests."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    browser = launched(playwright)
    yield browser
    browser.close()


def launched(playwright: Playwright, *more: str) -> Browser:
    """Return Debian's Chromium, started with QUIET and *more* flags; set our timeout for `expect`."""
    expect.set_options(timeout=PATIENCE_MS)
    return playwright.chromium.launch(executable_path=installed(), args=[*QUIET, *more])


def installed() -> str:
    """Return the path of Debian's Chromium: the headless shell, or the browser itself."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path, "Chromium is missing: sh tests/browser/chromium.sh installs it"
    return path


@pytest.fixture
def ring(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[VirtualRing]:
    """A virtual ring in a process of its own, whose hand slides a cube whenever an attempt is open."""
    ring = VirtualRing(tmp_path, POSING if request.config.getoption("--screenshots") else HAND, seed=4)
    yield ring
    ring.end()


@pytest.fixture
def service(tmp_path: Path, ring: VirtualRing) -> Iterator[Service]:
    """A running service that reads that ring over its serial line."""
    service = Service(tmp_path / "data", ring.path)
    yield service
    service.stop()


@pytest.fixture
def tablet(chromium: Browser, service: Service) -> Iterator[Tablet]:
    """The host's tablet."""
    tablet = Tablet(chromium, service.url, TABLET)
    tablet.enter_pin(service.pin)
    yield tablet
    tablet.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Service]:
    """A game of three in its first trading phase: Ana plays a card next."""
    service = Service(tmp_path / "data")
    to_the_first_trade(service)
    yield service
    service.stop()


@pytest.fixture
def host(chromium: Browser, table: Service) -> Iterator[Tablet]:
    """The host's tablet at that game."""
    host = Tablet(chromium, table.url, TABLET)
    host.enter_pin(table.pin)
    yield host
    host.close()


@pytest.fixture
def phone(chromium: Browser, service: Service) -> Iterator[Tablet]:
    """A spectator's phone."""
    phone = Tablet(chromium, service.url, PHONE)
    yield phone
    phone.close()


@pytest.fixture
def camera(chromium: Browser, service: Service, request: pytest.FixtureRequest) -> Iterator[Camera]:
    """A camera, loaded only with `--screenshots FOLDER`."""
    folder = request.config.getoption("--screenshots")
    camera = Camera(chromium, service, Path(folder) if folder else None)
    yield camera
    camera.close()


@pytest.fixture
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether every page is checked on every device (`--long`)."""
    return bool(request.config.getoption("long"))
