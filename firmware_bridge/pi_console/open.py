"""Opens a console on its pins. The pin factory is chosen explicitly; gpiozero's automatic choice is not used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from companion.kernel.said import said, said_n
from companion.ports.console import ConsolePort, OpenConsole
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.pi_console.config import ConsoleConfig
from firmware_bridge.pi_console.config_file import Taken, read_plan
from firmware_bridge.pi_ring.lgpio_import import import_lgpio

Finding = tuple[bool, str]
I2C_PINS = {2: "the ring's SDA", 3: "the ring's SCL"}


class NoPins(Exception):
    """This machine's pins cannot be used. The message is one sentence that says why."""


def open_console(plan: ConsoleConfig, now: Callable[[], float] = monotonic, factory: Any = None) -> OpenConsole:
    """Return a function that opens the console of *plan*, on *factory* if given. That function may raise NoPins."""

    def opened(stir: Callable[[], None]) -> ConsolePort:
        pins = _factory(plan.factory) if factory is None else factory
        let_go = pins.close if factory is None else _not_ours
        try:
            from firmware_bridge.pi_console.console import PiConsole

            return PiConsole(plan, pins, now, stir, let_go)
        except _pin_faults() as fault:
            let_go()
            raise NoPins(said("The console can't use its pins (%(why)s).", why=str(fault))) from fault

    return opened


def ring_pins(ring_url: str) -> Taken:
    """Return the pins that the ring at *ring_url* uses. The result is empty unless the ring is on the Pi's pins."""
    if ring_url != "gpio:" and not ring_url.startswith("gpio:?"):
        return {}
    from firmware_bridge.pi_ring.gpio_address import parse_gpio_address

    asked = parse_gpio_address(ring_url)
    return {pin: f"the ring's {name}" for name, pin in asked.pins.items()} | (I2C_PINS if asked.bus == 1 else {})


def look_at_console(path: Path, ring_url: str = "", in_use: bool = False) -> Finding:
    """Return whether the console of the file at *path* can be opened, with a sentence about it.

    If the console is *in_use*, its pins are not opened, because pins can be opened only once.
    """
    try:
        asked = read_plan(path, ring_pins(ring_url))
        if not in_use:
            open_console(asked)(lambda: None).close()
    except (InputError, NoPins) as fault:
        return False, str(fault)
    return True, said_n(
        "Console wired as %(file)s says: %(num)s pin (%(pins)s).",
        "Console wired as %(file)s says: %(num)s pins (%(pins)s).",
        len(asked.used),
        file=str(path),
        pins=asked.factory,
    )


def _not_ours() -> None:
    """Do nothing, because the pins belong to the caller."""


def _factory(name: str) -> Any:
    if name == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)
    try:
        import_lgpio()
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as fault:
        why = said("A console needs the package lgpio: pip install 'ring-companion[pi]', on the Pi.")
        raise NoPins(why) from fault
    except OSError as fault:  # lgpio creates a pipe in that folder when it is imported
        why = said("lgpio can't write in the folder this started in (%(why)s).", why=str(fault))
        raise NoPins(why) from fault
    try:
        return LGPIOFactory()
    except _pin_faults() as fault:
        why = said("This computer has no Raspberry Pi pins to use (%(why)s).", why=str(fault))
        raise NoPins(why) from fault


def _pin_faults() -> tuple[type[Exception], ...]:
    from gpiozero.exc import GPIOZeroError

    try:
        from lgpio import error
    except (ImportError, OSError):
        return (OSError, GPIOZeroError)
    return (OSError, GPIOZeroError, error)
