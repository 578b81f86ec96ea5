"""The command `rungs`: `proxy`, `replay` and `show`."""

from __future__ import annotations

import argparse
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from rungs import proxy, settings
from rungs.capture import BadCapture, Differs, ReplayWire, read_capture, write_pcap, written
from rungs.wire import Terminal, WireLost

LOOKS_S = 0.05  # how often a replay checks what is due, and whether all of its output has been read


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(prog="rungs", description="Trouble on a line, and recordings of it.")
    commands = made.add_subparsers(dest="command", required=True)
    on_line = commands.add_parser("proxy", help="sit between a program and its device")
    proxy.add_options(on_line)
    again = commands.add_parser("replay", help="be the device of a capture, at a pseudo-terminal")
    again.add_argument("capture", type=Path)
    again.add_argument("--pty", type=settings.FILE, metavar="LINK", required=True)
    again.add_argument("--loose", action="store_true", help="the program may leave lines out")
    shown = commands.add_parser("show", help="print a capture")
    shown.add_argument("capture", type=Path)
    shown.add_argument("--pcap", type=settings.FILE, metavar="FILE", help="write it for Wireshark instead")
    return made


def show(args: argparse.Namespace) -> int:
    """Print a capture, or write it as pcap."""
    capture = read_capture(args.capture)
    if args.pcap:
        with Path(args.pcap).open("wb") as file:
            write_pcap(capture, file)
        return 0
    sys.stdout.write(f"{capture.port}, started {capture.started}\n")
    for entry in capture.entries:
        sys.stdout.write(f"{written(entry)}\n")
    return 0


def replay(args: argparse.Namespace) -> int:
    """Act as the device of a capture until everything is replayed, with the recorded delays."""
    wire = ReplayWire(read_capture(args.capture), strict=not args.loose)
    if not wire.left:
        raise BadCapture(f"{args.capture} has no line from the device or to it, so there is nothing to replay.")
    with closing(Terminal(Path(args.pty))) as terminal:
        sys.stdout.write(f"{args.pty}\n")
        sys.stdout.flush()
        play(wire, terminal, time.monotonic)
    return 0


def play(wire: ReplayWire, terminal: Terminal, now: Callable[[], float]) -> None:
    """Send each of the device's lines when it is due by the clock *now*, until everything is replayed and read."""
    began = sent = now()
    while wire.left or terminal.unread or now() < sent + LOOKS_S:  # a pty passes on what is written a moment later
        wire.wait(now() - began - wire.now())
        if data := wire.read(0.0):
            terminal.wire.write(data)
            sent = now()
        elif select.select([terminal.wire.fileno()], [], [], min(wire.due - wire.now(), LOOKS_S))[0]:
            wire.wait(now() - began - wire.now())
            wire.write(terminal.wire.read(0.0))


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Let SIGTERM end the program as Ctrl+C does, so that it removes its links."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return 0. On failure, print one sentence to standard error and return 1."""
    args = parser().parse_args(arguments)
    try:
        with ended_by_signal():
            return {"proxy": proxy.main, "replay": replay, "show": show}[args.command](args)
    except KeyboardInterrupt:
        return 0
    except (BadCapture, Differs, WireLost, OSError) as fault:
        sys.stderr.write(f"rungs {args.command}: {fault}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
