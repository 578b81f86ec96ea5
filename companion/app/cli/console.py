"""`companion console try`: test the parts of a console in turn, and print the name of each pressed button."""

from __future__ import annotations

import threading
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FINE, Failed

if TYPE_CHECKING:
    from companion.ports.console import ConsolePort
    from firmware_bridge.pi_console import ConsoleConfig


def add(parser: ArgumentParser) -> None:
    """Add the file that assigns the pins."""
    parser.add_argument("file", type=Path, metavar="FILE", help="file that assigns the pins (TOML)")
    parser.add_argument("--once", action="store_true", help="show the parts once, then end")


def run(args: Namespace) -> int:
    """Test each part, then print the pressed buttons until interrupted or terminated."""
    import signal

    bell = threading.Event()
    plan, port = _opened(args.file, bell)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _try(port, plan, bell, args.once)
    except KeyboardInterrupt:
        _say("")
    finally:
        port.close()
    return FINE


def _opened(file: Path, bell: threading.Event) -> tuple[ConsoleConfig, ConsolePort]:
    from firmware_bridge.pi_console import NoPins, open_console, read_plan

    try:
        with bridge_faults():
            plan = read_plan(file)
            return plan, open_console(plan)(bell.set)
    except NoPins as fault:
        raise Failed(str(fault)) from None


def _try(port: ConsolePort, plan: ConsoleConfig, bell: threading.Event, once: bool) -> None:
    from time import monotonic

    from firmware_bridge.pi_console.self_test import report, show_all

    show_all(port, plan, _say, monotonic, lambda seconds: _wait(bell, seconds))
    if once or not plan.keys:
        return
    _say("Press the buttons; Ctrl-C ends.")
    while True:
        report(port.turn(), _say)
        _wait(bell, port.due_s())


def _wait(bell: threading.Event, seconds: float | None) -> None:
    bell.wait(seconds)
    bell.clear()  # cleared before the next turn, so that a change during the turn is not lost


def _say(text: str) -> None:
    print(text, flush=True)
