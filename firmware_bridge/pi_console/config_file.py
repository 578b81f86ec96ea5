"""Parses a console's pin assignment from a TOML file. hardware/console.toml is an example that uses every part."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, is_number
from companion.kernel.said import said
from companion.kernel.text_file import read_text
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.pi_console.config import ConsoleConfig

PINS = range(2, 28)
"""BCM numbers. 0 and 1 are reserved for the EEPROM of boards that are plugged onto the Pi."""
HOLD_S = (0.5, 5.0)
LONGEST_SEAT = 60
KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("factory", "hold_s", "next", "pause", "seats", "buzzer", "lamp"),
    "next": ("button",),
    "pause": ("button",),
    "seats": ("button", "led"),
    "buzzer": ("pin", "kind"),
    "lamp": ("red", "green", "blue", "common"),
}
"""The keys that each table of the file may have."""
_BCM = said("a pin's BCM number from %(least)s to %(most)s", least=PINS[0], most=PINS[-1])
_SECONDS = said("a number of seconds from %(least)s to %(most)s", least=HOLD_S[0], most=HOLD_S[1])
Taken = Mapping[int, str]
"""Pins that are in use elsewhere, with the name of what uses each pin."""


def read_plan(path: Path, taken: Taken | None = None) -> ConsoleConfig:
    """Parse the file at *path*. Raise InputError with one sentence that names the file and the key or line."""
    try:
        return plan_of(tomllib.loads(read_text(path)), str(path), taken)
    except OSError as fault:
        raise InputError(said("%(file)s can't be read: %(why)s.", file=str(path), why=str(fault.strerror))) from None
    except Malformed as fault:
        raise InputError(said("%(file)s: %(why)s.", file=str(path), why=fault.reason)) from None
    except (ValueError, RecursionError) as fault:  # from the TOML parser, which names line and column
        raise InputError(said("%(file)s isn't a TOML file: %(why)s.", file=str(path), why=str(fault))) from None


def plan_of(tables: Mapping[str, Any], file: str, taken: Taken | None = None) -> ConsoleConfig:
    """Return the configuration in a file's tables.

    Raise InputError if it is invalid or uses one of the pins in *taken*.
    """
    try:
        made = _plan(Fields(tables).only(*KEYS[""]))
    except Malformed as fault:
        raise InputError(said("%(file)s: %(why)s.", file=file, why=fault.reason)) from None
    return _sound(made, file, taken or {})


def _plan(fields: Fields) -> ConsoleConfig:
    parts = {
        name: _table(fields, name).only(*KEYS[name]) for name in ("next", "pause", "buzzer", "lamp") if fields.has(name)
    }
    seats = _seats(fields)
    buzzer, lamp = parts.get("buzzer", Fields({})), parts.get("lamp")
    return ConsoleConfig(
        factory=fields.word("factory", ("lgpio", "mock"), "lgpio"),
        hold_s=float(fields.wanted("hold_s", _SECONDS, lambda value: is_number(value, *HOLD_S), 1.0)),
        next=_pin(parts["next"], "button") if "next" in parts else None,
        pause=_pin(parts["pause"], "button") if "pause" in parts else None,
        buttons={seat: _pin(each, "button") for seat, each in seats.items() if each.has("button")},
        leds={seat: _pin(each, "led") for seat, each in seats.items() if each.has("led")},
        buzzer=_pin(buzzer, "pin") if "buzzer" in parts else None,
        tonal=buzzer.word("kind", ("tone", "active"), "tone") == "tone",
        lamp=() if lamp is None else tuple(_pin(lamp, name) for name in ("red", "green", "blue")),
        common_anode=lamp is not None and lamp.word("common", ("cathode", "anode"), "cathode") == "anode",
    )


def _table(fields: Fields, name: str) -> Fields:
    wanted = said("a table with its settings below [%(key)s]", key=fields.where(name))
    return Fields(fields.wanted(name, wanted, lambda value: isinstance(value, dict)), fields.where(name))


def _seats(fields: Fields) -> Mapping[str, Fields]:
    if not fields.has("seats"):
        return {}
    seats = _table(fields, "seats")
    found = {seat: _table(seats, seat).only(*KEYS["seats"]) for seat in seats.names}
    if not all(0 < len(seat) <= LONGEST_SEAT for seat in found):
        raise Malformed(said("a seat has a colour's name, as in [seats.red]"))
    return found


def _pin(fields: Fields, name: str) -> int:
    pin: int = fields.wanted(name, _BCM, lambda value: type(value) is int and value in PINS)
    return pin


def _sound(made: ConsoleConfig, file: str, taken: Taken) -> ConsoleConfig:
    """Return *made* unchanged. Raise InputError if two parts share a pin."""
    owners = dict(taken)
    for name, pin in made.used:
        if pin in owners:
            raise InputError(
                said(
                    "%(file)s: %(one)s and %(other)s can't both be on pin %(pin)s.",
                    file=file,
                    one=owners[pin],
                    other=name,
                    pin=pin,
                )
            )
        owners[pin] = name
    return made
