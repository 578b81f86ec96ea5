"""`companion ring ...`: find a ring, print information about it, watch its events, and check it."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from select import select
from typing import TYPE_CHECKING

from companion.app.arguments import add_json, add_method, add_ring
from companion.app.bridge_faults import bridge_faults
from companion.app.cli import bench_hour
from companion.app.exit_codes import FAILED, FINE, BadUse, Failed
from companion.app.named_file import write_output
from companion.app.progress import watching
from companion.kernel.moments import in_this_zone
from companion.kernel.said import percent
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor, Thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.ports.ring import RingEvent, RingView
    from firmware_bridge.conformance.result import Report


def add_list(parser: ArgumentParser) -> None:
    """Add no arguments, because the command lists all ports."""


@bridge_faults()
def run_list(args: Namespace) -> int:
    """Print the serial ports of this machine, likely rings first."""
    from firmware_bridge.transport.serial_ports import ports

    found = list(ports())
    for port in found:
        print(f"{port.path}  {port.description}{'  (may be a ring)' if port.likely else ''}")
    if not found:
        print("No serial ports.")
    return FINE


def add_info(parser: ArgumentParser) -> None:
    """Add the option for the ring."""
    add_ring(parser)


@bridge_faults()
def run_info(args: Namespace) -> int:
    """Print the information that a ring sends about itself and its connection.

    The status is 1 if it does not answer.
    """
    from firmware_bridge.factory.probe import visit

    found = visit(args.ring)
    if found is None:
        print("No ring: --ring is none.")
        return FINE
    if found.hello is None:
        raise Failed(found.sentence)
    _print_info(found.view, found.hello.sensor, found.hello.abilities, found.hello.boot)
    return FINE


def _print_info(view: RingView, sensor: str, abilities: str, boot: str) -> None:
    """Print one fact per line."""
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


def add_watch(parser: ArgumentParser) -> None:
    """Add the options for the ring, and for leaving its events unacknowledged."""
    add_ring(parser)
    parser.add_argument(
        "--peek", action="store_true", help="don't acknowledge events; the output ends after 64 of them"
    )


@bridge_faults()
def run_watch(args: Namespace) -> int:
    """Print the events of a ring until interrupted."""
    from companion.ports.ring import NoRing
    from firmware_bridge.factory.open import open_ring

    asked = threading.Event()
    # Install these before the ring is opened, because an interrupt must not leave the ring's thread running.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.set())
    ring = open_ring(args.ring, RingWatch(args.peek, asked.set))
    if isinstance(ring, NoRing):
        raise BadUse("--ring: none means no ring, so there is nothing to watch.")
    if not args.peek:
        _at_once("# This command takes the draws from the ring: they don't count for any game.")
    asked.wait()
    ring.close()
    return FINE


@shows("_trouble")
class RingWatch:
    """Prints the events of a ring."""

    def __init__(self, peek: bool, unheard: Callable[[], None]) -> None:
        """If *peek* is true, no events are acknowledged. *unheard* is called when nobody reads the output any more."""
        self._peek, self._unheard = peek, unheard
        self._trouble = ""

    def heard(self, *events: RingEvent) -> None:
        """Print each event. If an event could not be printed, it is not acknowledged."""
        from companion.ports.ring import Unrecorded

        for event in events:
            if not self._print(_event_text(event)):
                raise Unrecorded
        if self._peek:
            raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Print the trouble of the ring when it changes."""
        if view.trouble != self._trouble:
            self._print(f"# {view.trouble or 'all is well'}")
        self._trouble = view.trouble

    def _print(self, line: str) -> bool:
        try:
            _at_once(line)
        except OSError:  # the reader of the output has ended, as in `ring watch | head`
            self._unheard()
            return False
        return True


def _at_once(line: str) -> None:
    """Print *line* with a single write, because the ring's thread prints too."""
    print(f"{line}\n", end="", flush=True)


def _event_text(event: RingEvent) -> str:
    colour = ""
    if event.judgement is not None:
        shares = ", ".join(f"{name} {percent(share)}" for name, share in event.judgement.ranking[:2])
        colour = f" {event.judgement.colour or 'unsure'} ({shares})"
    detail = " ".join(f"{name}={value}" for name, value in event.detail.items())
    return f"{event.at_us / 1e6:12.3f} s  {event.seq:6}  {event.kind}{colour} {detail}".rstrip()


def add_check(parser: ArgumentParser) -> None:
    """Add the options for the ring, for a calibration to compare with, and for the output formats."""
    add_ring(parser)
    parser.add_argument("--ask", action="store_true", help="also run the checks that need a hand: a card, a slide")
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", help="compare the white shutter with this calibration"
    )
    add_json(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page with plots to this file")
    bench_hour.add_options(parser)


@bridge_faults()
def run_check(args: Namespace) -> int:
    """Check a ring. The status is 0 if it passes all checks, 1 if not, and 2 if there is no ring to check."""
    from firmware_bridge.conformance.text_report import as_text

    if args.bench_hour:
        return bench_hour.walk_through(args)
    if args.record or args.idle_minutes is not None:
        raise BadUse("--record and --idle-minutes only work with --bench-hour.")
    report = _report(args)
    if args.html:
        _write_page(args.html, report)
    print(json.dumps(report.line()) if args.json else "\n".join(as_text(report)))
    return FINE if report.passed else FAILED


def _report(args: Namespace) -> Report:
    from firmware_bridge.capture.reclassify import read_calibration
    from firmware_bridge.conformance.conversation import Conversation
    from firmware_bridge.conformance.suite import checked, nobody_there
    from firmware_bridge.factory.open import session_name, way_to
    from rungs.load import Load
    from rungs.wire import Bell

    if args.ring == "none":
        raise BadUse("--ring: none means no ring, so there is nothing to check.")
    calibration = read_calibration(args.calibration) if args.calibration else None
    if calibration and args.method:
        calibration = replace(calibration, method=args.method)
    opener = way_to(args.ring).opener
    with closing(Bell()) as bell, closing(opener(bell)) as wire, Load(run=_measuring) as load:
        talk = Conversation(wire, time.monotonic, session_name, load.owed_s)
        watch = watching("Checking the ring", "parts", quiet=args.json or args.ask)
        return checked(args.ring, talk, calibration, _asked if args.ask else nobody_there, load, watch)


def _measuring(work: Callable[[], object]) -> Thread:
    """Start the thread that measures for how long this machine gives the program no processor time."""
    return Supervisor().start("stall", work)


def _asked(deed: str) -> Callable[[], bool | None]:
    """Return a function that asks the person at the terminal to do something. An empty line means that it is done."""
    print(f"{deed} Then press Enter (n and Enter: skip it).", file=sys.stderr, flush=True)

    def answer() -> bool | None:
        if not select([sys.stdin], [], [], 0)[0]:
            return None
        line = sys.stdin.readline()
        return bool(line) and not line.strip().lower().startswith("n")

    return answer


def _write_page(path: Path, report: Report) -> None:
    from firmware_bridge.conformance.html_report import page

    write_output(path, page(report, in_this_zone(time.time())))


def add_judge(parser: ArgumentParser) -> None:
    """Add the arguments for the capture and the calibration."""
    parser.add_argument("log", type=Path, metavar="LOG", help="a recording of a ring (a capture)")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="judge with this calibration (default: none)")
    add_method(parser)
    add_json(parser)


@bridge_faults()
def run_judge(args: Namespace) -> int:
    """Recognise the colour of each recorded passage again and print it. Decisions in the ledger do not change."""
    from firmware_bridge.capture.reader import read_tape
    from firmware_bridge.capture.reclassify import as_json, as_text, judged_again, read_calibration
    from firmware_bridge.colour import Nominal, judge_of

    calibration = read_calibration(args.calibration) if args.calibration else None
    passages = judged_again(read_tape(args.log), judge_of(calibration) if calibration else Nominal())
    if args.json:
        print(json.dumps(as_json(str(args.log), calibration.id if calibration else "", passages)))
        return FINE
    judge = (
        f"calibration {calibration.id} of {calibration.made}"
        if calibration
        else "no calibration, by the names of colours"
    )
    print(f"Judged with {judge}.")
    print("\n".join(as_text(passages)))
    return FINE
