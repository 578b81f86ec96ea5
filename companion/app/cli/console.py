"""The command line's words for a console: `try` shows each part in turn and names what is pressed."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
from pathlib import Path

from companion.ports.console import ConsolePort
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.pi_console import NoPins, open_console, read_plan
from firmware_bridge.pi_console.self_test import show_all, tell

FINE, FAILED, BAD = 0, 1, 2


def add_console_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `console` with its own command; it sets `run`, which returns the exit status."""
    console = subparsers.add_parser("console", help="try buttons and lamps on the Pi's pins")
    words = console.add_subparsers(dest="console_command", required=True, metavar="COMMAND")
    trying = words.add_parser("try", help="show each part in turn, then name each button that is pressed")
    trying.add_argument("file", type=Path, metavar="FILE", help="which pin has what (TOML)")
    trying.add_argument("--once", action="store_true", help="show the parts, and end")
    trying.set_defaults(run=console_try)


def console_try(options: argparse.Namespace) -> int:
    """Show each part, then tell what is pressed until interrupted or terminated."""
    bell = threading.Event()
    try:
        plan = read_plan(options.file)
        port = open_console(plan)(bell.set)
    except (BadInput, NoPins) as fault:
        print(f"companion: {fault}", file=sys.stderr)
        return BAD if isinstance(fault, BadInput) else FAILED
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        show_all(port, plan, _say, time.monotonic, lambda seconds: _wait(bell, seconds))
        if not options.once and plan.keys:
            _say("Press the buttons; Ctrl-C ends.")
            _listen(port, bell)
    except KeyboardInterrupt:
        _say("")
    finally:
        port.close()
    return FINE


def _listen(port: ConsolePort, bell: threading.Event) -> None:
    while True:
        tell(port.turn(), _say)
        _wait(bell, port.due_s())


def _wait(bell: threading.Event, seconds: float | None) -> None:
    bell.wait(seconds)
    bell.clear()  # before the turn that follows: what moves during it rings again


def _say(text: str) -> None:
    print(text, flush=True)
