"""Announce the server on the local network with multicast DNS: a name ending in .local, and a web service.

The library is imported in a thread after the first pages were served, so it doesn't delay them. The companion also
works without the library.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Backoff, Supervisor, Thread
from web.server.entrances import Entrances

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

# The address of this machine on the local network. It is looked up at each call, since networks change.

SOMEWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation. The route to it is the route out of the local network."""


def lan_address() -> str | None:
    """Return this machine's address on the local network, or None if it has none. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return _own_network()
        return str(probe.getsockname()[0])


def _own_network() -> str | None:
    """Return the address of a machine without a route out of its network, such as a Pi that is the access point."""
    import ifaddr  # imported late: rarely needed

    addresses = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4)
    return reachable(str(address) for address in addresses)


def reachable(addresses: Iterable[str]) -> str | None:
    """Return the first of *addresses* that other machines may be able to reach, or None."""
    fit = (each for each in map(IPv4Address, addresses) if not (each.is_loopback or each.is_link_local))
    return next(map(str, fit), None)


NAME = "andromeda"
"""The host name. It is the same for every game, since documents and bookmarks contain it."""
NAMES_MOST = 9
ASKED_MS = 500
SERVICE = "_http._tcp.local."
ENDS_S = 2.0
SETTLED_S = 3.0
"""Seconds before the announcement starts, so that it doesn't slow the first pages."""
LOOK_S = 10.0
"""Seconds between two checks of the address: the network may start after the server, or assign another address."""


@shows("name", "_port")
class Mdns:
    """The announcement of one port. *name* is the announced host name; it is empty while nothing is announced.

    *address* returns this machine's address, or None without a network. Pass None instead of the function if the server
    listens on this machine only. *say* is called with one line if the announcement fails.
    """

    def __init__(
        self,
        address: Callable[[], str | None] | None,
        port: int,
        say: Callable[[str], None],
        wanted: str = NAME,
        settled_s: float = SETTLED_S,
        look_s: float = LOOK_S,
        asked_ms: int = ASKED_MS,
        threads: Supervisor | None = None,
    ) -> None:
        self.name = ""
        self._alone = address is None
        self._address = address or (lambda: None)
        self._port = port
        self._say = say
        self._wanted = wanted
        self._settled_s = settled_s
        self._look_s = look_s
        self._asked_ms = asked_ms
        self._ended = Event()
        self._threads = threads or Supervisor()
        self._thread: Thread | None = None

    @property
    def entrances(self) -> Entrances:
        """The present URLs of this server for phones."""
        address = self._address()
        host = f"[{address}]" if address and ":" in address else address
        number = f"http://{host}:{self._port}" if host else ""
        return Entrances(number, f"http://{self.name}:{self._port}" if self.name else "", self._alone)

    def open(self) -> None:
        """Start the announcement in a thread, which waits for an IPv4 address. Returns at once."""
        if not self._alone:
            self._thread = self._threads.start("neighbourhood", self._announce, said("The name on the network"))

    def close(self) -> None:
        """Withdraw the announcement. Waits at most `ENDS_S` seconds."""
        self._ended.set()
        if self._thread is not None:
            self._thread.end(ENDS_S)

    def _announce(self) -> None:
        if self._ended.wait(self._settled_s):
            return
        try:
            from zeroconf import Error
        except ImportError as fault:
            self._say(f"reachable by number only, not by name: {fault}")
            return
        backoff, before = Backoff(self._look_s, 60.0), ""
        while not self._ended.is_set():
            began = monotonic()
            try:
                self._announce_all()
            except (OSError, Error) as fault:
                # A network problem, not a bug: try again later.
                why = f"reachable by number only, not by name: {fault or type(fault).__name__}"
                if why != before:
                    self._say(why)
                before = why
                self._ended.wait(backoff.after(monotonic() - began))

    def _announce_all(self) -> None:
        """Announce each address that this machine gets, one after another, until `close`."""
        while not self._ended.is_set():
            own = self._address()
            if own is not None and ":" not in own:
                self._announced(own)
            else:
                self._ended.wait(self._look_s)

    def _announced(self, own: str) -> None:
        """Announce the server at address *own* as long as the machine has it."""
        from zeroconf import IPVersion, Zeroconf

        with Zeroconf(interfaces=[own], ip_version=IPVersion.V4Only) as network:
            name = self._free_name(network, own)
            network.register_service(self._service(name, own), allow_name_change=True)
            self.name = f"{name}.local"
            try:
                while not self._ended.wait(self._look_s) and self._address() == own:
                    pass
            finally:
                self.name = ""
            network.unregister_all_services()

    def _free_name(self, network: Zeroconf, own: str) -> str:
        """Return the wanted name, or that name with the first number that no other machine uses."""
        names = (self._wanted, *(f"{self._wanted}-{number}" for number in range(2, NAMES_MOST + 1)))
        found = next((name for name in names if _free(network, name, own, self._asked_ms)), None)
        if found is None:
            raise OSError(f"{self._wanted}.local and its numbers are taken")
        return found

    def _service(self, name: str, own: str) -> ServiceInfo:
        from zeroconf import ServiceInfo

        return ServiceInfo(
            SERVICE,
            f"Ring companion ({name}).{SERVICE}",
            addresses=[socket.inet_aton(own)],
            port=self._port,
            properties={"path": "/"},
            server=f"{name}.local.",
        )


def _free(network: Zeroconf, name: str, own: str, asked_ms: int) -> bool:
    from zeroconf import AddressResolverIPv4  # type: ignore[attr-defined]

    asked = AddressResolverIPv4(f"{name}.local.")
    return not asked.request(network, asked_ms) or own in asked.parsed_addresses()
