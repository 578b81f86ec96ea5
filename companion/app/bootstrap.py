"""Open the ledger, the table, the ring and the web pages in this order, and close them in the reverse order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from random import SystemRandom

from companion.app.data_folder import CAPTURES, HOME, LEDGER, make_folder
from companion.app.exit_codes import BadUse, Failed, reason
from companion.app.ledger_rescue import table_of
from companion.app.page_process import command_for, environment
from companion.app.people import StoredPeople
from companion.app.power_off import PowerOff
from companion.app.ring_controller import HOME_PAUSE_S, RingController
from companion.app.workers import ticking
from companion.games.registry import GAMES
from companion.kernel.atomic_file import clear_unfinished
from companion.kernel.said import said
from companion.kernel.supervisor import Supervisor
from companion.ledger import LedgerFault
from companion.model.link import ClubSeat, LinkView
from companion.ports.ring import NoRing, RingListener, RingPort
from companion.session.live_game import LiveGame
from companion.session.table import Table
from web import HostPin, Mdns, Service, SseStreams, Workshop, lan_address, make_app
from web.games.registry import COVERS
from web.server.entrances import Entrances

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104


@contextmanager
def ledger_and_ring(data: Path, ring_url: str, threads: Supervisor | None = None) -> Iterator[RingController]:
    """Open the ledger in *data* and the ring at *ring_url*, and close both at the end.

    *threads* supervises all threads. The default is a new supervisor.
    """
    threads = threads or Supervisor()
    with ExitStack() as closing:
        table = table_of(data / LEDGER, lambda ledger: Table(LiveGame(ledger, GAMES, time.monotonic, SystemRandom())))
        with suppress(OSError):  # on a read-only card these files cannot be removed
            clear_unfinished(data)
        # These are closed in reverse order, because neither the tick nor the ring may use a closed ledger.
        closing.callback(table.close)
        pause_s = HOME_PAUSE_S if (data / HOME).exists() else 0.0
        opened = RingController(
            table, lambda listener: _ring_at(ring_url, listener, data / CAPTURES, threads), threads, pause_s
        )
        closing.callback(opened.close)
        closing.callback(ticking(threads, "tick", table.tick, said("The watch over storage and clock")))
        yield opened


@contextmanager
def opened_for(data: Path, ring_url: str, threads: Supervisor | None = None) -> Iterator[RingController]:
    """Open the ledger and the ring for a command. A missing data folder is created. Raises `BadUse` and `Failed`."""
    make_folder(data)
    try:
        with ledger_and_ring(data, ring_url, threads) as opened:
            yield opened
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


def _ring_at(url: str, listener: RingListener, captures: Path, threads: Supervisor) -> RingPort:
    """Open the ring at *url*, or raise `BadUse` for an invalid address.

    If no ring is used, its code is not imported.
    """
    if url == "none":
        return NoRing()
    from firmware_bridge import InputError, open_ring

    try:
        return open_ring(url, listener, captures=captures, threads=threads)
    except InputError as fault:
        raise BadUse(f"--ring: {fault}") from None


class WebServer:
    """The web server of a table, on one port, and its name in the local network (mDNS)."""

    def __init__(
        self,
        opened: RingController,
        access: HostPin,
        bind: str,
        port: int,
        power: PowerOff,
        unnamed: Callable[[str], None],
        data: Path,
        links: Sequence[Callable[[], LinkView]] = (),
        club: Callable[[], ClubSeat] | None = None,
    ) -> None:
        """Listen on *port* of the address *bind*, or raise `Failed`.

        *unnamed* is called with the reason if the mDNS name cannot be announced. *data* is the folder of the ledger.
        *links* are the connections to a club and a home. *club* returns the table's seat in a club.
        """
        streams = SseStreams(opened.table.snapshot)
        opened.table.subscribe(streams.publish, first=True)  # so that pages do not wait until the ring is armed
        # Publish once more, because a snapshot committed after `SseStreams` was made has not reached any subscriber.
        streams.publish(opened.table.snapshot)
        opened.table.subscribe_ring(streams.publish_ring)
        ends = partial(power.ask, self.stop) if power.possible else None
        people = StoredPeople(opened.table, data, access.seats.rename)
        workshop = Workshop(command_for(data), environment())
        app = make_app(
            *(opened.table, opened.ring, COVERS, access),
            power_off=ends,
            entrances=self.entrances,
            people=people,
            threads=opened.threads,
            workshop=workshop,
            links=lambda: tuple(link() for link in links),
            club=club,
        )
        try:
            self.service = Service(app, streams, bind, port)
        except OSError as fault:
            amiss = f"port {port} on {bind} can't be opened: {reason(fault)}."
            raise Failed(f"{amiss} Choose another one: --port 8080, or make run PORT=8080.") from None
        self.mdns = Mdns(seen_at(bind), self.service.port, unnamed, threads=opened.threads)

    def stop(self) -> None:
        """Ask the service to end soon. Returns at once."""
        self.service.stop()

    def entrances(self) -> Entrances:
        """Return the addresses by which other devices reach these pages."""
        return self.mdns.entrances


def seen_at(bind: str) -> Callable[[], str | None] | None:
    """Return a function that finds this machine's network address, or None if only this machine can connect."""
    if bind in EVERYWHERE:
        return lan_address
    try:
        return None if ip_address(bind).is_loopback else lambda: bind
    except ValueError:
        return None if bind.partition(".")[0] == "localhost" else lambda: bind  # *bind* is a host name
