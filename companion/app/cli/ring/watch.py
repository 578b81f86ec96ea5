"""`companion ring watch`: what a ring tells, as it happens."""

from __future__ import annotations

import signal
import threading
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_ring
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FINE, BadUse
from companion.kernel.i18n import percent
from companion.kernel.shown import shows

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.ports.ring import RingEvent, RingView


def add(parser: ArgumentParser) -> None:
    """Add which ring, and whether it shall keep what it tells."""
    add_ring(parser)
    parser.add_argument("--peek", action="store_true", help="acknowledge nothing: ends after 64 lines")


@bridge_faults()
def run(args: Namespace) -> int:
    """Print what a ring tells, until interrupted."""
    from companion.ports.ring import NoRing
    from firmware_bridge.factory.open import open_ring

    asked = threading.Event()
    # Before there is a ring: an interrupt must never find its thread at work and nobody to end it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.set())
    ring = open_ring(args.ring, RingWatch(args.peek, asked.set))
    if isinstance(ring, NoRing):
        raise BadUse("There's nothing to watch.")
    if not args.peek:
        _at_once("# Watching takes draws from the ring: no game gets them.")
    asked.wait()
    ring.close()
    return FINE


@shows("_trouble")
class RingWatch:
    """Prints what a ring tells."""

    def __init__(self, peek: bool, unheard: Callable[[], None]) -> None:
        """Acknowledge nothing when it is only to *peek*; *unheard* is called when nobody reads what is printed."""
        self._peek, self._unheard = peek, unheard
        self._trouble = ""

    def heard(self, *events: RingEvent) -> None:
        """Print each event; one that nobody reads is not taken."""
        from companion.ports.ring import Unrecorded

        for event in events:
            if not self._print(_told(event)):
                raise Unrecorded
        if self._peek:
            raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Print what is wrong, when that changes."""
        if view.trouble != self._trouble:
            self._print(f"# {view.trouble or 'all is well'}")
        self._trouble = view.trouble

    def _print(self, line: str) -> bool:
        try:
            _at_once(line)
        except OSError:  # `ring watch | head`: nobody reads any more
            self._unheard()
            return False
        return True


def _at_once(line: str) -> None:
    """Print *line* in one piece: the ring's thread prints too."""
    print(f"{line}\n", end="", flush=True)


def _told(event: RingEvent) -> str:
    colour = ""
    if event.judgement is not None:
        shares = ", ".join(f"{name} {percent(share)}" for name, share in event.judgement.ranking[:2])
        colour = f" {event.judgement.colour or 'unsure'} ({shares})"
    detail = " ".join(f"{name}={value}" for name, value in event.detail.items())
    return f"{event.at_us / 1e6:12.3f} s  {event.seq:6}  {event.kind}{colour} {detail}".rstrip()
