"""One evening put together: ledger, table, ring and pages, opened in order and closed in order."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import SystemRandom

from companion.commands.exits import FINE, BadUse, Failed
from companion.commands.folder import LEDGER, SERVICE, make_folder
from companion.games.known import GAMES
from companion.ledger import Ledger, LedgerFault
from companion.ringport import Order, RingListener, RingPort
from companion.sight import Sight
from companion.table import Table
from companion.ticking import ticking
from firmware_bridge import BadInput, open_ring
from web import Access, Service, Streams, make_app
from web.games.andromeda import PAGES as ANDROMEDA_PAGES

SWITCH_S = 0.0002
"""How long a busy thread keeps the others waiting: news of a draw must not wait for a page being made."""
PAGES = {ANDROMEDA_PAGES.name: ANDROMEDA_PAGES}


class Evening:
    """A table with its ring: hears the ring, and keeps it armed for what the game wants."""

    def __init__(self, table: Table, open_ring: Callable[[RingListener], RingPort]) -> None:
        """Arm what *open_ring* opens for the game as it stands; the ring is heard from then on."""
        self.table = table
        self._arming = threading.Lock()
        self._armed: Order | None = None
        self.ring = open_ring(table)
        table.subscribe(self.arm)
        self.arm(table.sight)

    def arm(self, sight: Sight) -> None:
        """Tell the ring what the game wants of it now.

        While the table is being asked about a passage, that station is
        neither under the ring nor on the board: only a new token is told.
        """
        with self._arming:
            order = self.table.order()
            if order == self._armed or (sight.questions and _token(order) == _token(self._armed)):
                return
            self._armed = order
            if order is None:
                self.ring.disarm()
            else:
                self.ring.arm(order)


def _token(order: Order | None) -> int:
    return order.token if order else 0


@contextmanager
def evening(data: Path, ring_url: str) -> Iterator[Evening]:
    """Open the ledger in *data* and the ring at *ring_url*; both are let go of at the end."""
    with ExitStack() as closing:
        table = Table(Ledger.open(data / LEDGER), GAMES, time.monotonic, SystemRandom())
        closing.callback(table.close)
        opened = Evening(table, lambda listener: open_ring(ring_url, listener))
        closing.callback(opened.ring.close)
        closing.callback(ticking(table.tick, table.unattended))
        yield opened


def run_serve(args: Namespace) -> int:
    """Serve one evening until SIGTERM or SIGINT."""
    make_folder(args.data)
    sys.setswitchinterval(SWITCH_S)
    try:
        with evening(args.data, args.ring) as opened:
            _serve(opened, args)
    except BadInput as fault:
        raise BadUse(f"--ring: {fault}") from None
    except LedgerFault as fault:
        raise Failed(str(fault)) from None
    return FINE


def run_pin(args: Namespace) -> int:
    """Print the host's PIN, a new one with *args.renew*."""
    make_folder(args.data)
    access = Access(args.data)
    try:
        print(access.renew() if args.renew else access.pin)
    except OSError as fault:
        raise Failed(f"the PIN cannot be kept in {args.data}: {fault.strerror}") from None
    return FINE


def _serve(opened: Evening, args: Namespace) -> None:
    access = Access(args.data)
    streams = Streams(opened.table.sight)
    opened.table.subscribe(streams.tell)
    streams.tell(opened.table.sight)
    opened.table.subscribe_ring(streams.tell_ring)
    app = make_app(opened.table, opened.ring, PAGES, access)
    try:
        service = Service(app.wsgi_app, streams, args.bind, args.port)
    except OSError as fault:
        raise Failed(f"port {args.port} on {args.bind} cannot be opened: {fault.strerror}") from None
    note = args.data / SERVICE
    try:
        service.run(lambda port: _announce(args, port, access.pin, note))
    finally:
        note.unlink(missing_ok=True)


def _announce(args: Namespace, port: int, pin: str, note: Path) -> None:
    """Say where the table is, to people and, in a small file, to this program's other commands."""
    local = f"http://{_local(args.bind)}:{port}"
    print(f"The table is at {local}/", flush=True)
    if args.bind in ("0.0.0.0", "::") and (address := lan_address()):  # noqa: S104
        print(f"On the tablet: http://{address}:{port}/")
    print(f"Host PIN: {pin}", flush=True)
    try:
        note.write_text(json.dumps({"url": local, "pid": os.getpid()}), encoding="utf-8")
    except OSError as fault:
        print(f"companion: {note} cannot be written: {fault.strerror}", file=sys.stderr)


def _local(bind: str) -> str:
    if bind in ("0.0.0.0", "::", ""):  # noqa: S104
        return "127.0.0.1"
    return f"[{bind}]" if ":" in bind else bind


def lan_address() -> str | None:
    """Return this machine's address on the local network, or None without one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
