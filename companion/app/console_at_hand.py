"""The console that is wired to this machine, kept going beside the table."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.app.data_folder import CONSOLE
from companion.app.exit_codes import BadUse
from companion.app.ring_controller import RingController


def console_kept(
    opened: RingController, data: Path, named: Path | None, ring_url: str, without: Callable[[str], None]
) -> Callable[[], None]:
    """Keep the console going that is wired to this machine, and return its end; *without* its pins it is told why.

    A file that was named must be right (`BadUse`); one that merely lies in the data
    folder keeps nobody from playing.
    """
    path = named or data / CONSOLE
    if named is None and not path.is_file():
        return lambda: None
    from companion.console.controller import ConsoleController, keeping
    from firmware_bridge import BadInput
    from firmware_bridge.pi_console import NoPins, open_console, read_plan, ring_pins

    try:
        plan = read_plan(path, ring_pins(ring_url))
        keeper = ConsoleController(opened.table, open_console(plan), time.monotonic)
    except (BadInput, NoPins) as fault:
        if named is not None and isinstance(fault, BadInput):
            raise BadUse(f"--console: {fault}") from None
        without(f"{fault} The game goes on without a console.")
        return lambda: None
    return keeping(keeper, opened.threads)
