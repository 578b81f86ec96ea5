"""Switching the computer off from the tablet: the only action that can't be undone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from companion.app.exit_codes import BadUse, Failed
from companion.app.power_off import SYSTEMS_OWN, PowerOff, command_for
from tests.web.applications import lent_app
from tests.web.plain_game import COVER
from tests.web.served_house import Browser, ServedHouse


@pytest.fixture
def asked() -> list[str]:
    """The list of requests to switch off."""
    return []


@pytest.fixture
def app(site: ServedHouse, asked: list[str]) -> Flask:
    """A server whose computer can be switched off."""
    return lent_app(site.table, None, {"andromeda": COVER}, site.access, power_off=lambda: asked.append("off"))


@pytest.fixture
def host(app: Flask, site: ServedHouse) -> Browser:
    """The host's tablet for that server."""
    browser = Browser(app.test_client())
    browser.post("/pin", pin=site.access.pin)
    return browser


def test_it_takes_two_different_buttons(host: Browser, asked: list[str]) -> None:
    """Power: the first button only opens the page that explains it; only that page's button switches off."""
    first, second = host.get("/device"), host.get("/house/off")

    assert 'href="/house/off"' in first
    assert 'action="/house/off"' not in first
    assert 'action="/house/off"' in second
    assert asked == []
    assert host.post("/house/off", follow=True)[0] == 200
    assert asked == ["off"]


def test_the_last_page_asks_nothing_of_a_house_that_closes(host: Browser) -> None:
    """Power: the final page says when to unplug, loads nothing more, and isn't live."""
    _, page = host.post("/house/off", follow=True)

    assert "for ten seconds, unplug it" in page
    assert "<script" not in page
    assert "stylesheet" not in page
    assert "waits where you left it" in page


def test_only_the_host_switches_off(app: Flask, asked: list[str]) -> None:
    """Power: a visitor reads that only the host can switch off, and is refused."""
    visitor = Browser(app.test_client())

    assert "Only the host can do that" in visitor.get("/house/off")
    assert visitor.post("/house/off")[0] == 403
    assert asked == []


def test_a_computer_that_stays_on_says_so(site: ServedHouse) -> None:
    """Power: if the computer can't be switched off from here, the page says what to do instead."""
    host = site.host()

    assert "switch this computer off here" in host.get("/house/off")
    assert "/house/off" not in host.get("/device")
    assert host.post("/house/off")[0] == 404


def test_a_raspberry_pi_knows_how(tmp_path: Path) -> None:
    """Power: a Pi is switched off by the system's command, other computers by the configured command, if any."""
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")

    assert command_for(None, model) == SYSTEMS_OWN
    assert command_for(None, tmp_path / "none") == ()
    assert command_for("sudo shutdown -h now", tmp_path / "none") == ("sudo", "shutdown", "-h", "now")
    assert command_for("", model) == ()
    with pytest.raises(BadUse, match="isn't a command"):
        command_for("'half", model)


def told(folder: Path) -> tuple[PowerOff, list[Callable[[], None]]]:
    """Return a switch whose command creates a file, and the list of its delayed calls."""
    later: list[Callable[[], None]] = []
    command = (sys.executable, "-c", f"open({str(folder / 'off')!r}, 'w')")
    return PowerOff(command, later.append), later


def test_the_service_ends_first_and_once(tmp_path: Path) -> None:
    """Power: a request ends the service once, shortly afterwards, and the command runs after that."""
    power, later = told(tmp_path)
    ended: list[str] = []
    power.ask(lambda: ended.append("service"))
    power.ask(lambda: ended.append("again"))

    for each in later:
        each()
    assert ended == ["service"]
    assert not (tmp_path / "off").exists()

    power.carry_out()
    assert (tmp_path / "off").exists()


def test_an_evening_that_just_ends_switches_nothing_off(tmp_path: Path) -> None:
    """Power: without a request, the end of the service doesn't switch the computer off."""
    power, _ = told(tmp_path)
    power.carry_out()

    assert not (tmp_path / "off").exists()


@pytest.mark.parametrize(
    "command", [("no-such-command-here",), (sys.executable, "-c", "raise SystemExit('not allowed')")]
)
def test_a_computer_that_refuses_is_told_about(command: tuple[str, ...]) -> None:
    """Power: a failing command ends the program with one sentence that says why."""
    power = PowerOff(command, lambda stop: stop())
    power.ask(lambda: None)

    with pytest.raises(Failed, match="couldn't be switched off"):
        power.carry_out()
