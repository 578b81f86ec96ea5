"""The command line's words for rings: list, info and watch here, the others each in a module of its own."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable

from companion.app.cli.ring_check import add_check
from companion.app.cli.ring_emulate import add_emulate
from companion.app.cli.ring_judge import add_judge
from companion.app.cli.ring_mock import add_mock
from companion.app.cli.ring_recognise import add_recognise
from companion.ports.ring import RingEvent, RingView, Unrecorded
from firmware_bridge.factory.open import NoRing, open_ring
from firmware_bridge.factory.probe import Onlooker, visit
from firmware_bridge.kernel.errors import BadInput

FINE, FAILED, BAD = 0, 1, 2

Run = Callable[[argparse.Namespace], int]


def add_ring_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `ring` with its own commands; each sets `run`, which returns the exit status."""
    ring = subparsers.add_parser("ring", help="look at a ring, or be one")
    words = ring.add_subparsers(dest="ring_command", required=True, metavar="COMMAND")
    listing = words.add_parser("list", help="the serial ports that may be rings")
    listing.set_defaults(run=ring_list)
    info = words.add_parser("info", help="what a ring says of itself, and how the link does")
    info.add_argument("--ring", default="auto", metavar="URL")
    info.set_defaults(run=ring_info)
    watch = words.add_parser("watch", help="show what a ring tells, as it happens")
    watch.add_argument("--ring", default="auto", metavar="URL")
    watch.add_argument("--peek", action="store_true", help="acknowledge nothing: ends after 64 lines")
    watch.set_defaults(run=ring_watch)
    add_mock(words)
    add_emulate(words)
    add_check(words)
    add_judge(words)
    add_recognise(words)


def ring_list(options: argparse.Namespace) -> int:
    """Print the serial ports of this machine, likely rings first."""
    from firmware_bridge.transport.serial_ports import ports

    found = list(ports())
    for port in found:
        print(f"{port.path}  {port.description}{'  (may be a ring)' if port.likely else ''}")
    if not found:
        print("No serial ports.")
    return FINE


class Watcher(Onlooker):
    """Prints what a ring tells."""

    def __init__(self, peek: bool) -> None:
        super().__init__()
        self._peek = peek
        self._trouble = ""

    def heard(self, *events: RingEvent) -> None:
        """Print each event."""
        for event in events:
            print(_told(event), flush=True)
        if self._peek:
            raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Print what is wrong, when that changes."""
        if view.trouble != self._trouble:
            _at_once(f"# {view.trouble or 'all is well'}")
        self._trouble = view.trouble


def ring_info(options: argparse.Namespace) -> int:
    """Print what a ring says of itself and how the link does; 1 when none answers."""
    try:
        found = visit(options.ring)
    except BadInput as fault:
        return _complain(str(fault), BAD)
    if found is None:
        print("No ring.")
        return FINE
    if found.hello is None:
        return _complain(found.sentence, FAILED)
    _print_info(found.view, found.hello.sensor, found.hello.abilities, found.hello.boot)
    return FINE


def _print_info(view: RingView, sensor: str, abilities: str, boot: str) -> None:
    """Print one fact a line."""
    facts = {
        "port": view.port,
        "device": view.device,
        "simulated": "yes" if view.simulated else "no",
        "firmware": view.firmware,
        "protocol": view.protocol,
        "sensor": sensor,
        "abilities": abilities,
        "boot": boot,
        "round trip": f"{view.round_trip_ms:.2f} ms" if view.round_trip_ms is not None else "not measured",
        "lines heard": view.lines_in,
        "damaged lines": view.damaged,
        "repeated events": view.repeated,
    }
    for name, value in facts.items():
        print(f"{name + ':':18}{value}")


def ring_watch(options: argparse.Namespace) -> int:
    """Print what a ring tells, until interrupted."""
    asked = threading.Event()
    # Before there is a ring: an interrupt must never find its thread at work and nobody to end it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.set())
    try:
        ring = open_ring(options.ring, Watcher(options.peek))
    except BadInput as fault:
        return _complain(str(fault), BAD)
    if isinstance(ring, NoRing):
        return _complain("There is nothing to watch.", BAD)
    if not options.peek:
        _at_once("# What is shown here is taken from the ring: a game will not get it.")
    asked.wait()
    ring.close()
    return FINE


def _at_once(line: str) -> None:
    """Print *line* in one piece: the ring's thread prints too."""
    print(f"{line}\n", end="", flush=True)


def _told(event: RingEvent) -> str:
    colour = ""
    if event.judgement is not None:
        shares = ", ".join(f"{name} {share:.0%}" for name, share in event.judgement.ranking[:2])
        colour = f" {event.judgement.colour or 'unsure'} ({shares})"
    detail = " ".join(f"{name}={value}" for name, value in event.detail.items())
    return f"{event.at_us / 1e6:12.3f} s  {event.seq:6}  {event.kind}{colour} {detail}".rstrip()


def _complain(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status
