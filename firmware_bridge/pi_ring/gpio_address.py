"""The pin assignment in a `gpio:` address. The default pins are those of hardware/pins.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from firmware_bridge.kernel.errors import InputError

HIGHEST = 27
NONE = "none"
OPTIONAL = frozenset({"gate", "lift", "shake", "emitters", "beeper"})
BUSES = range(23)


@dataclass(frozen=True)
class Pinout:
    """BCM numbers, or None for missing parts. *light* is red, green and blue. *bus* is the number of /dev/i2c-N."""

    a: int = 17
    b: int = 27
    gate: int | None = 5
    lift: int | None = 6
    shake: int | None = 13
    interrupt: int = 22
    lamp: int = 23
    emitters: int | None = 24
    bus: int = 1
    beeper: int | None = None
    light: tuple[int, ...] = ()

    @property
    def pins(self) -> Mapping[str, int]:
        """Every used pin, by its function."""
        named = {key: getattr(self, field) for key, field in ADDRESS_KEYS.items()}
        lights = dict(zip(("light red", "light green", "light blue"), self.light, strict=False))
        return {name: pin for name, pin in named.items() if pin is not None} | lights

    @property
    def abilities(self) -> str:
        """The abilities to report in the hello: gate, lift, lamp and beeper, or `x` if there are none."""
        there = (("g", self.gate is not None), ("l", self.lift is not None), ("m", self.light), ("b", self.beeper))
        return "".join(letter for letter, it_is in there if it_is) or "x"


ADDRESS_KEYS = {
    **{name: name for name in ("a", "b", "gate", "lift", "shake", "lamp", "emitters", "beeper")},
    "int": "interrupt",
}
"""The keys that an address may have, with the field of `Pinout` that each one sets."""


def parse_gpio_address(url: str) -> Pinout:
    """Parse a `gpio:` address. Pins that the address does not mention have their default numbers.

    Raise InputError if it is invalid.

    >>> parse_gpio_address("gpio:?a=4").a
    4
    """
    query = url.removeprefix("gpio:").removeprefix("?")
    settings = dict(parse_qsl(query, keep_blank_values=True))
    unknown = sorted(settings.keys() - {*ADDRESS_KEYS, "bus", "light"})
    if unknown or (query and not settings):
        known = ", ".join((*sorted(ADDRESS_KEYS), "light", "bus"))
        raise InputError(f"{url}: a gpio ring is `gpio:`, or `gpio:?` with a pin's number for some of {known}")
    changed = {ADDRESS_KEYS.get(name, name): _setting(url, name, text) for name, text in settings.items()}
    return _sound(url, replace(Pinout(), **changed))  # type: ignore[arg-type]  # each setting has the type of its name


def _setting(url: str, name: str, text: str) -> object:
    if name == "light":
        return () if text == NONE else _light(url, text)
    if name == "bus":
        return _number(url, name, text, BUSES)
    if text == NONE and name in OPTIONAL:
        return None
    return _number(url, name, text, range(HIGHEST + 1))


def _light(url: str, text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if len(parts) != 3:
        raise InputError(f"{url}: light must be three pins for red, green and blue, for example light=16,20,21")
    return tuple(_number(url, "light", part, range(HIGHEST + 1)) for part in parts)


def _number(url: str, name: str, text: str, allowed: range) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 3 or int(text) not in allowed:
        also = f", or `{NONE}`" if name in OPTIONAL else ""
        raise InputError(f"{url}: {name} is a number from {allowed[0]} to {allowed[-1]}{also}, not `{text}`")
    return int(text)


def _sound(url: str, asked: Pinout) -> Pinout:
    """Return *asked*. Raise InputError if two functions share a pin."""
    taken: dict[int, str] = {}
    for name, pin in asked.pins.items():
        if pin in taken:
            raise InputError(f"{url}: {taken[pin]} and {name} can't both be on pin {pin}")
        taken[pin] = name
    return asked
