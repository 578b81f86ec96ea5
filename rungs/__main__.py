"""The command `rungs`: `proxy`, `replay` and `show`."""

from __future__ import annotations

import argparse
import select
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rungs import proxy
from rungs.capture import BadCapture, Differs, ReplayWire, read_capture, write_pcap, written
from rungs.wire import Terminal, WireLost

LOOKS_S = 0.05  # how often a finished replay checks whether all of its output has been read


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(prog="rungs", description="Trouble on a line, and recordings of it.")
    commands = made.add_subparsers(dest="command", required=True)
    on_line = commands.add_parser("proxy", help="sit between a program and its device")
    proxy.add_options(on_line)
    again = commands.add_parser("replay", help="be the device of a capture, at a pseudo-terminal")
    again.add_argument("capture", type=Path)
    again.add_argument("--pty", type=Path, metavar="LINK", required=True)
    again.add_argument("--loose", action="store_true", help="the program may leave lines out")
    shown = commands.add_parser("show", help="print a capture")
    shown.add_argument("capture", type=Path)
    shown.add_argument("--pcap", type=Path, metavar="FILE", help="write it for Wireshark instead")
    return made


def show(args: argparse.Namespace) -> int:
    """Print a capture, or write it as pcap."""
    capture = read_capture(args.capture)
    if args.pcap:
        with args.pcap.open("wb") as file:
            write_pcap(capture, file)
        return 0
    sys.stdout.write(f"{capture.port}, started {capture.started}\n")
    for entry in capture.entries:
        sys.stdout.write(f"{written(entry)}\n")
    return 0


def replay(args: argparse.Namespace) -> int:
    """Act as the device of a capture until everything is replayed, without pauses between lines."""
    wire = ReplayWire(read_capture(args.capture), strict=not args.loose)
    with closing(Terminal(args.pty)) as terminal:
        sys.stdout.write(f"{args.pty}\n")
        sys.stdout.flush()
        while wire.left or terminal.unread:
            if data := wire.following():
                terminal.wire.write(data)
            elif select.select([terminal.wire.fileno()], [], [], LOOKS_S)[0]:
                wire.write(terminal.wire.read(0.0))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return 0. On failure, print one sentence to standard error and return 1."""
    args = parser().parse_args(arguments)
    try:
        return {"proxy": proxy.main, "replay": replay, "show": show}[args.command](args)
    except (BadCapture, Differs, WireLost, OSError) as fault:
        sys.stderr.write(f"rungs {args.command}: {fault}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
