"""Run the console (buttons and lamps) that is wired to this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.app.data_folder import CONSOLE
from companion.app.exit_codes import BadUse
from companion.app.ring_controller import RingController


def start_console(
    opened: RingController, data: Path, named: Path | None, ring_url: str, without: Callable[[str], None]
) -> Callable[[], None]:
    """Run the console that is wired to this machine, and return a function that ends it.

    If *named*, the file given in the command, is invalid, this raises `BadUse`. If the default file in the data folder
    is invalid, or the pins cannot be opened, the callback *without* gets the reason, and the game runs without a
    console.
    """
    path = named or data / CONSOLE
    if named is None and not path.is_file():
        return lambda: None
    from companion.console.controller import ConsoleController, keeping
    from firmware_bridge import InputError
    from firmware_bridge.pi_console import NoPins, open_console, read_plan, ring_pins

    try:
        plan = read_plan(path, ring_pins(ring_url))
        keeper = ConsoleController(opened.table, open_console(plan), time.monotonic)
    except (InputError, NoPins) as fault:
        if named is not None and isinstance(fault, InputError):
            raise BadUse(f"--console: {fault}") from None
        without(f"{fault} The game goes on without a console.")
        return lambda: None
    return keeping(keeper, opened.threads)
