"""Reads the plan of a console from a TOML file, or says where it slips; hardware/console.toml has every part."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.kernel.i18n import said
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.pi_console.config import Plan

PINS = range(2, 28)
"""BCM numbers; 0 and 1 belong to the memory of boards that are put onto the Pi."""
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
"""What may stand in each table of the file."""
Taken = Mapping[int, str]
"""Pins that something else uses, and what."""


def read_plan(path: Path, taken: Taken | None = None) -> Plan:
    """Return what the file at *path* says; BadInput with one sentence that names file and key, or line."""
    try:
        text = path.read_text(encoding="utf-8")
        return plan_of(tomllib.loads(text), str(path), taken)
    except OSError as fault:
        raise BadInput(said("%(file)s cannot be read: %(why)s.", file=str(path), why=str(fault.strerror))) from None
    except ValueError as fault:  # of the letters or of the TOML, which names line and column
        raise BadInput(said("%(file)s is no TOML file: %(why)s.", file=str(path), why=str(fault))) from None


def plan_of(told: Mapping[str, Any], file: str, taken: Taken | None = None) -> Plan:
    """Return the plan that a file's tables make, or raise BadInput; *taken* are pins it must leave alone."""
    reading = _Reading(file)
    reading.known("", told)
    made = Plan(
        factory=reading.word("factory", told.get("factory", "lgpio"), ("lgpio", "mock")),
        hold_s=reading.seconds("hold_s", told.get("hold_s", 1.0)),
        next=reading.pin_in("next", told, "button"),
        pause=reading.pin_in("pause", told, "button"),
        buttons=reading.seats(told, "button"),
        leds=reading.seats(told, "led"),
        buzzer=reading.pin_in("buzzer", told, "pin"),
        tonal=reading.choice(told, "buzzer", "kind", ("tone", "active")) == "tone",
        lamp=reading.lamp(told),
        common_anode=reading.choice(told, "lamp", "common", ("cathode", "anode")) == "anode",
    )
    return _sound(made, file, taken or {})


class _Reading:
    """One file being understood; every complaint names it."""

    def __init__(self, file: str) -> None:
        self._file = file

    def table(self, place: str, value: object, kind: str) -> Mapping[str, Any]:
        """Return *value* as the table at *place*, which may hold what *kind* may."""
        if not isinstance(value, dict):
            raise BadInput(
                said("%(file)s: %(key)s is a table, with its settings below [%(key)s].", file=self._file, key=place)
            )
        self.known(kind, value, place)
        return value

    def known(self, kind: str, table: Mapping[str, Any], place: str = "") -> None:
        """Refuse what nobody knows: a slip of the pen would go unnoticed."""
        unknown = next((key for key in table if key not in KEYS[kind]), None)
        if unknown is not None:
            key, known = f"{place}.{unknown}".strip("."), ", ".join(KEYS[kind])
            raise BadInput(
                said("%(file)s: %(key)s is not known; here may stand %(known)s.", file=self._file, key=key, known=known)
            )

    def word(self, key: str, value: object, allowed: tuple[str, ...]) -> str:
        """Return one of the *allowed* words."""
        if not isinstance(value, str) or value not in allowed:
            words = ", ".join(f'"{word}"' for word in allowed)
            raise BadInput(said("%(file)s: %(key)s is one of %(words)s.", file=self._file, key=key, words=words))
        return value

    def seconds(self, key: str, value: object) -> float:
        """Return how long a long press takes."""
        least, most = HOLD_S
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise BadInput(
                said(
                    "%(file)s: %(key)s is a number of seconds from %(least)s to %(most)s.",
                    file=self._file,
                    key=key,
                    least=least,
                    most=most,
                )
            )
        return float(value)

    def pin(self, key: str, value: object) -> int:
        """Return the number of a pin."""
        if isinstance(value, bool) or not isinstance(value, int) or value not in PINS:
            raise BadInput(
                said(
                    "%(file)s: %(key)s is a pin's BCM number from %(least)s to %(most)s.",
                    file=self._file,
                    key=key,
                    least=PINS[0],
                    most=PINS[-1],
                )
            )
        return value

    def pin_in(self, name: str, told: Mapping[str, Any], key: str) -> int | None:
        """Return the pin of the part *name*, None where the file has no such part."""
        if name not in told:
            return None
        return self.pin(f"{name}.{key}", self.table(name, told[name], name).get(key))

    def choice(self, told: Mapping[str, Any], name: str, key: str, allowed: tuple[str, str]) -> str:
        """Return which of two kinds the part *name* is; the first, where nothing is said."""
        return self.word(f"{name}.{key}", told.get(name, {}).get(key, allowed[0]), allowed)

    def seats(self, told: Mapping[str, Any], key: str) -> Mapping[str, int]:
        """Return the pins of every seat's button or led."""
        if not isinstance(seats := told.get("seats", {}), dict):
            raise BadInput(
                said("%(file)s: %(key)s is a table, with its settings below [%(key)s].", file=self._file, key="seats")
            )
        tables = {seat: self.table(f"seats.{seat}", value, "seats") for seat, value in seats.items()}
        if not all(0 < len(seat) <= LONGEST_SEAT for seat in tables):
            raise BadInput(said("%(file)s: a seat has a colour's name, as in [seats.red].", file=self._file))
        return {seat: self.pin(f"seats.{seat}.{key}", each[key]) for seat, each in tables.items() if key in each}

    def lamp(self, told: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the lamp's three pins, nothing without a lamp."""
        if "lamp" not in told:
            return ()
        table = self.table("lamp", told["lamp"], "lamp")
        return tuple(self.pin(f"lamp.{name}", table.get(name)) for name in ("red", "green", "blue"))


def _sound(made: Plan, file: str, taken: Taken) -> Plan:
    """Return *made*, or say which two want the same pin."""
    owners = dict(taken)
    for name, pin in made.used:
        if pin in owners:
            raise BadInput(
                said(
                    "%(file)s: %(one)s and %(other)s cannot both be on pin %(pin)s.",
                    file=file,
                    one=owners[pin],
                    other=name,
                    pin=pin,
                )
            )
        owners[pin] = name
    return made
