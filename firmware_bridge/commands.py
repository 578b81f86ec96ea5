"""The command line's words for rings: list, info, watch, mock."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TextIO

from companion.ringport import RingEvent, RingState, RingView, Unrecorded
from firmware_bridge.faults import BadInput
from firmware_bridge.opening import NoRing, boot_name, open_ring
from firmware_bridge.ring import Ring

ANSWER_S = 6.0
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
    mock = words.add_parser("mock", help="be a virtual ring behind a pseudo-terminal")
    mock.add_argument("--pty", required=True, type=Path, metavar="PATH", help="where the link to it will lie")
    mock.add_argument("--world", type=Path, metavar="FILE", help="the simulated world (TOML)")
    mock.add_argument("--script", type=Path, metavar="FILE", help="what the hand does (JSON Lines)")
    mock.add_argument("--truth", type=Path, metavar="FILE", help="write here what really happened (JSON Lines)")
    mock.add_argument("--seed", type=int, help="makes the lots repeatable")
    mock.add_argument("--damage", type=float, default=0.0, metavar="R", help="share of bytes damaged, each way")
    mock.set_defaults(run=ring_mock)


def ring_list(options: argparse.Namespace) -> int:
    """Print the serial ports of this machine, likely rings first."""
    from firmware_bridge.ports import ports

    found = list(ports())
    for port in found:
        print(f"{port.path}  {port.description}{'  (may be a ring)' if port.likely else ''}")
    if not found:
        print("No serial ports.")
    return FINE


class Onlooker:
    """Looks at a ring without taking anything from it; *patient* while ports are still being tried."""

    def __init__(self, patient: bool = False) -> None:
        self.settled = threading.Event()
        self._patient = patient

    def heard(self, *events: RingEvent) -> None:
        """Take nothing: a game will."""
        raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Note when the ring has answered, or will not."""
        answered = view.state is RingState.LIVE and view.round_trip_ms is not None
        hopeless = view.state is not RingState.LIVE and view.trouble and not self._patient
        if answered or hopeless:
            self.settled.set()


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
            print(f"# {view.trouble or 'all is well'}", flush=True)
        self._trouble = view.trouble


def ring_info(options: argparse.Namespace) -> int:
    """Print what a ring says of itself and how the link does; 1 when none answers."""
    onlooker = Onlooker(patient=options.ring == "auto")
    try:
        ring = open_ring(options.ring, onlooker)
    except BadInput as fault:
        return _complain(str(fault), BAD)
    if not isinstance(ring, Ring):
        print("No ring.")
        return FINE
    try:
        onlooker.settled.wait(ANSWER_S)
        view, hello = ring.view, ring.hello
    finally:
        ring.close()
    if view.state is not RingState.LIVE or hello is None:
        return _complain(view.trouble or f"Nothing on {options.ring} answers like a ring.", FAILED)
    _print_info(view, hello.sensor, hello.abilities, hello.boot)
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
    try:
        ring = open_ring(options.ring, Watcher(options.peek))
    except BadInput as fault:
        return _complain(str(fault), BAD)
    if isinstance(ring, NoRing):
        return _complain("There is nothing to watch.", BAD)
    if not options.peek:
        print("# What is shown here is taken from the ring: a game will not get it.", flush=True)
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        threading.Event().wait()
    except KeyboardInterrupt:
        return FINE
    finally:
        ring.close()
    return FINE


def _told(event: RingEvent) -> str:
    colour = ""
    if event.judgement is not None:
        shares = ", ".join(f"{name} {share:.0%}" for name, share in event.judgement.ranking[:2])
        colour = f" {event.judgement.colour or 'unsure'} ({shares})"
    detail = " ".join(f"{name}={value}" for name, value in event.detail.items())
    return f"{event.at_us / 1e6:12.3f} s  {event.seq:6}  {event.kind}{colour} {detail}".rstrip()


def ring_mock(options: argparse.Namespace) -> int:
    """Be a virtual ring behind a pseudo-terminal until interrupted or terminated."""
    try:
        with ExitStack() as stack:
            _be_a_ring(options, stack)
    except BadInput as fault:
        return _complain(str(fault), BAD)
    except OSError as fault:
        return _complain(str(fault), FAILED)
    return FINE


def _be_a_ring(options: argparse.Namespace, stack: ExitStack) -> None:
    import time

    from firmware_bridge.virtual.damage import Damage
    from firmware_bridge.virtual.hand import Hand
    from firmware_bridge.virtual.process import Ending, live, truth_to
    from firmware_bridge.virtual.ring import VirtualRing
    from firmware_bridge.virtual.script import check_colours, read_script
    from firmware_bridge.virtual.serving import tell_nobody
    from firmware_bridge.world import IDEAL, read_world

    if not 0 <= options.damage < 1:
        raise BadInput("--damage must be a share from 0 to 1")
    world = read_world(options.world) if options.world else IDEAL
    steps = read_script(options.script) if options.script else []
    check_colours(steps, world.reflectance)
    tell = truth_to(stack.enter_context(_truth_file(options.truth))) if options.truth else tell_nobody
    ring = VirtualRing(world, Random(options.seed), boot_name, time.monotonic())
    damage = Damage(options.damage, Random(options.seed))
    ending = Ending()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ending.come)
    plugged = f"A virtual ring is at {options.pty}."
    live(ring, Hand(steps), options.pty, damage, ending, tell, lambda: print(plugged, flush=True))


def _truth_file(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as fault:
        raise BadInput(f"{path}: {fault.strerror or fault}") from None


def _complain(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status
