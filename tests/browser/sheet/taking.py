"""Takes the pictures of one evening: chooses the device for each page, and the looks of each page."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import launched
from tests.browser.looking import PHONES
from tests.browser.moments import Moment
from tests.browser.sheet.index import Row
from tests.browser.sheet.looks import (
    EVERYWHERE,
    IN_A_HAND,
    IN_A_ROOM,
    READ_IN,
    SPECIAL,
    USUAL,
    Look,
    looked_through,
    pictures,
)
from tests.browser.sheet.other_games import TELEVISION
from tests.browser.sheet.scenes import ONLOOKER, SCENES, STRANGER
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.browser.tablet import TELEVISION as ROOM
from tests.companion.app.processes import Service


@dataclass
class Devices:
    """The devices of one evening: host, a phone for each seat, a watching device, a phone without a seat, a TV."""

    browser: Browser
    service: Service
    known: dict[str, Tablet] = field(default_factory=dict)

    def at(self, moment: Moment, language: str) -> Page:
        """Return the page of *moment* on its device."""
        device = self.known.get(moment.seat) or self.known.setdefault(moment.seat, self._new(moment.seat))
        cookie = {"name": "language", "value": language, "url": self.service.url}
        device.page.context.add_cookies([cookie])  # type: ignore[list-item]  # a dictionary of its own kind
        device.page.set_viewport_size(TABLET if moment.seat in ("", ONLOOKER) else PHONE)
        device.open(moment.path)
        return device.page

    def _new(self, seat: str) -> Tablet:
        size = ROOM if seat == TELEVISION else TABLET if seat in ("", ONLOOKER) else PHONE
        device = Tablet(self.browser, self.service.url, size, still=True)
        if seat == "":
            device.enter_pin(self.service.pin)
        elif seat not in (ONLOOKER, TELEVISION):
            device.open(f"/join?pin={self._code()}")
            if seat != STRANGER:
                device.tap(f".sit-down[value={seat}]")
                device.page.wait_for_url("**/table")
        return device

    def _code(self) -> str:
        host = self.known.get("") or self.known.setdefault("", self._new(""))
        host.open("/join")
        return host.page.inner_text(".digits").strip()

    def close(self) -> None:
        """Close all devices."""
        for device in self.known.values():
            device.close()


def looks_of(moment: Moment, language: str) -> tuple[Look, ...]:
    """Return the looks of *moment* in *language*."""
    if moment.seat == TELEVISION:
        return IN_A_ROOM
    usual = (*USUAL, *(SPECIAL if language == READ_IN[0] else ()))
    return usual if moment.seat in ("", ONLOOKER) else tuple(look for look in usual if look in IN_A_HAND)


def taken(
    scene: str, folder: Path, only: tuple[str, ...], languages: Sequence[str] = READ_IN
) -> tuple[list[Row], list[str]]:
    """Save the pictures of the evening *scene* in *folder*; return the rows and the faults."""
    rows, wrong = list[Row](), list[str]()
    try:
        _take(scene, folder, only, languages, rows, wrong)
    except Exception as fault:  # whatever the error: pictures taken before it are kept, and the other evenings go on
        wrong.append(f"{scene} stopped: {type(fault).__name__}: {fault}")
    return rows, wrong


def _take(
    scene: str, folder: Path, only: tuple[str, ...], languages: Sequence[str], rows: list[Row], wrong: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = launched(playwright)
        devices: Devices | None = None
        for service, moment in SCENES[scene](Path(data)):
            if only and moment.name not in only:
                continue
            if devices is None or devices.service is not service:
                devices = Devices(browser, service)
            row = Row(scene, moment.name, moment.path)
            for language in languages:
                page = devices.at(moment, language)
                if language == languages[0] and moment.seat != TELEVISION:
                    glasses = EVERYWHERE if moment.seat in ("", ONLOOKER) else PHONES
                    wrong += looked_through(page, f"{scene} {moment.name}", glasses)
                name = f"{scene}-{moment.name}-{language}"
                for picture, faults in pictures(page, looks_of(moment, language), folder, name):
                    row.pictures.append(picture)
                    wrong += faults
            rows.append(row)
        browser.close()
