"""One evening put together: ledger, table, ring and pages, opened in order and closed in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from random import SystemRandom

from companion.app.data_folder import CAPTURES, LEDGER, make_folder
from companion.app.exit_codes import BadUse, Failed
from companion.app.ledger_rescue import table_of
from companion.app.page_process import command_for, environment
from companion.app.people import HousePeople
from companion.app.power_off import PowerOff
from companion.app.ring_controller import RingController
from companion.app.workers import ticking
from companion.games.registry import GAMES
from companion.kernel.atomic_file import clear_unfinished
from companion.kernel.i18n import said
from companion.kernel.supervisor import Supervisor
from companion.ledger import LedgerFault
from companion.ports.ring import NoRing, RingListener, RingPort
from companion.session.table import Table
from web import HostPin, Mdns, Service, SseStreams, Workshop, lan_address, make_app
from web.games.registry import COVERS
from web.server.entrances import Entrances

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104


@contextmanager
def evening(data: Path, ring_url: str, threads: Supervisor | None = None) -> Iterator[RingController]:
    """Open the ledger in *data* and the ring at *ring_url*; both are let go of at the end.

    *threads* supervises all threads, a new supervisor without it.
    """
    threads = threads or Supervisor()
    with ExitStack() as closing:
        table = table_of(data / LEDGER, lambda ledger: Table(ledger, GAMES, time.monotonic, SystemRandom()))
        with suppress(OSError):  # a card that can only be read keeps them
            clear_unfinished(data)
        # Closed the other way round: neither tick nor ring may come to a ledger that is closed.
        closing.callback(table.close)
        opened = RingController(table, lambda listener: _ring_at(ring_url, listener, data / CAPTURES, threads), threads)
        closing.callback(opened.close)
        closing.callback(ticking(threads, "tick", table.tick, said("The watch over storage and clock")))
        yield opened


@contextmanager
def opened_for(data: Path, ring_url: str, threads: Supervisor | None = None) -> Iterator[RingController]:
    """Open an evening for a command, in a folder that is made where it is missing; raises `BadUse` and `Failed`."""
    make_folder(data)
    try:
        with evening(data, ring_url, threads) as opened:
            yield opened
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


def _ring_at(url: str, listener: RingListener, captures: Path, threads: Supervisor) -> RingPort:
    """Open the ring at *url*, `BadUse` when it cannot be meant; an evening without one imports nothing of rings."""
    if url == "none":
        return NoRing()
    from firmware_bridge import BadInput, open_ring

    try:
        return open_ring(url, listener, captures=captures, threads=threads)
    except BadInput as fault:
        raise BadUse(f"--ring: {fault}") from None


class WebHouse:
    """The pages of an evening, at one port, and the name by which the local network finds them."""

    def __init__(
        self,
        opened: RingController,
        access: HostPin,
        bind: str,
        port: int,
        power: PowerOff,
        unnamed: Callable[[str], None],
        data: Path,
    ) -> None:
        """Take *port* of the address *bind*, or raise `Failed`; *unnamed* is told why there is no name.

        In *data* lie the ledger and its copies.
        """
        streams = SseStreams(opened.table.snapshot)
        opened.table.subscribe(streams.tell, first=True)  # pages wait for no ring that is armed
        # Once more: what was committed since `SseStreams` was made has told nobody.
        streams.tell(opened.table.snapshot)
        opened.table.subscribe_ring(streams.tell_ring)
        ends = partial(power.ask, self.stop) if power.possible else None
        people = HousePeople(opened.table, data, access.seats.rename)
        workshop = Workshop(command_for(data), environment())
        app = make_app(
            *(opened.table, opened.ring, COVERS, access),
            power_off=ends,
            doors=self.doors,
            people=people,
            threads=opened.threads,
            workshop=workshop,
        )
        try:
            self.service = Service(app, streams, bind, port)
        except OSError as fault:
            raise Failed(f"port {port} on {bind} can't be opened: {fault.strerror}") from None
        self.neighbourhood = Mdns(_seen_at(bind), self.service.port, unnamed, threads=opened.threads)

    def stop(self) -> None:
        """End the service, soon."""
        self.service.stop()

    def doors(self) -> Entrances:
        """Return the addresses by which others find these pages."""
        return self.neighbourhood.doors


def _seen_at(bind: str) -> Callable[[], str | None] | None:
    """Return what gives the address by which the local network reaches this house; None where nobody else does."""
    if bind in EVERYWHERE:
        return lan_address
    try:
        return None if ip_address(bind).is_loopback else lambda: bind
    except ValueError:
        return None if bind.partition(".")[0] == "localhost" else lambda: bind  # a name, by which others find it
