"""`companion ring check --bench-hour`: guide a person through the first hour with a new ring, and record it."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from select import select
from threading import Event
from typing import TYPE_CHECKING

from companion.app.arguments import measure
from companion.app.exit_codes import FAILED, FINE, BadUse, Failed
from companion.app.named_file import write_output
from companion.kernel.moments import in_this_zone
from companion.kernel.shown import shows

if TYPE_CHECKING:
    from firmware_bridge.bring_up.measurements import MeasuringBench
    from firmware_bridge.bring_up.record import BenchRecord
    from firmware_bridge.conformance.conversation import Conversation
    from rungs.wire import Bell, Wire

RECORD = Path("bench-hour.json")
IDLE_MINUTES = 10.0
REPLUG_S = 20.0
AGAIN_S = 0.2
PORTION = 4096


def add_options(parser: ArgumentParser) -> None:
    """Add the options for the first hour to the command `check`."""
    parser.add_argument("--bench-hour", action="store_true", help="walk through a new ring's first hour, step by step")
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help=f"file for the results of --bench-hour (JSON; default: {RECORD})"
    )
    idle = f"minutes of its step `idle` (default: {IDLE_MINUTES:g})"
    parser.add_argument("--idle-minutes", type=measure(0, 600), metavar="N", help=idle)


def walk_through(args: Namespace) -> int:
    """Guide the person through all steps, and write the record and its page.

    Return `FINE` if every step has passed or was skipped, otherwise `FAILED`.
    """
    from firmware_bridge.bring_up.record import read_record
    from firmware_bridge.bring_up.steps import STEPS
    from firmware_bridge.bring_up.walkthrough import summary
    from rungs.wire import WireLost

    args.record = args.record or RECORD
    args.idle_minutes = IDLE_MINUTES if args.idle_minutes is None else args.idle_minutes
    record = read_record(args.record)
    page = args.html or args.record.with_suffix(".html")
    try:
        _walk(args, record, page)
    except WireLost as fault:
        done = f" Your progress is in {args.record}: the same command continues." if record.outcomes else ""
        raise Failed(f"{fault}{done}") from None
    print(f"{summary(record)}\nAll results are in {args.record} and {page}.")
    settled = [name for name, outcome in record.outcomes.items() if outcome.settled]
    return FINE if len(settled) == len(STEPS) else FAILED


def _walk(args: Namespace, record: BenchRecord, page: Path) -> None:
    from firmware_bridge.bring_up.measurements import MeasuringBench
    from firmware_bridge.bring_up.record import write_record
    from firmware_bridge.bring_up.walkthrough import Walkthrough
    from rungs.wire import Bell

    with closing(Bell()) as bell, closing(Plug(args.ring, bell)) as plug:
        bench: MeasuringBench = MeasuringBench(
            plug.talk(), typed(sys.stdin.fileno()), args.idle_minutes * 60, plug.talk
        )
        write_record(args.record, record)  # fails now, and not after an hour, if the file cannot be written
        _write_page(page, record)
        try:
            record.is_of(bench.take_over())
            print("Draws during the bench hour don't count for any game.")
            Walkthrough(bench, record, lambda: write_record(args.record, record), _say, _now).through()
        finally:
            _write_page(page, record)


@shows("_wire")
class Plug:
    """A ring at *url* that may be unplugged. Each `talk` closes the last conversation and opens a new one."""

    def __init__(self, url: str, bell: Bell) -> None:
        from firmware_bridge.factory.open import way_to

        if url == "none":
            raise BadUse("--ring: none means no ring, so there is nothing to check.")
        self._bell = bell
        self._opener = way_to(url).opener
        self._wire: Wire | None = None

    def talk(self) -> Conversation:
        """Open the connection and start a conversation.

        From the second call on, wait up to `REPLUG_S` seconds for the board.
        """
        from firmware_bridge.conformance.conversation import Conversation
        from firmware_bridge.factory.open import session_name
        from rungs.wire import WireLost

        first = self._wire is None
        self.close()
        until = time.monotonic() + (0 if first else REPLUG_S)
        while True:
            try:
                self._wire = self._opener(self._bell)
                return Conversation(self._wire, time.monotonic, session_name)
            except WireLost:
                if time.monotonic() >= until:
                    raise
            Event().wait(AGAIN_S)

    def close(self) -> None:
        """Close the connection."""
        if self._wire is not None:
            self._wire.close()


def typed(fd: int) -> Callable[[str], Callable[[], str | None]]:
    """Return a function that prints a sentence and returns a non-blocking reader of the next line from *fd*.

    The reader returns None while no whole line has been typed, and `quit` at the end of the input.
    """
    waiting = [b""]

    def ask(sentence: str) -> Callable[[], str | None]:
        _say(sentence)

        def line() -> str | None:
            if b"\n" not in waiting[0] and select([fd], [], [], 0)[0]:
                data = os.read(fd, PORTION)
                if not data:
                    return "quit"
                waiting[0] += data
            first, newline, rest = waiting[0].partition(b"\n")
            if not newline:
                return None
            waiting[0] = rest
            return first.decode(errors="replace")

        return line

    return ask


def _write_page(path: Path, record: BenchRecord) -> None:
    from firmware_bridge.bring_up.html_report import bench_page

    write_output(path, bench_page(record, _now()))


def _now() -> str:
    return in_this_zone(time.time())


def _say(sentence: str) -> None:
    print(sentence, flush=True)
