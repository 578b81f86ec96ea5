"""By which address the local network reaches this machine: asked anew each time, for networks come and go."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address

SOMEWHERE = ("192.0.2.1", 9)
"""An address of nobody's: the way there is the way out of the house."""


def lan_address() -> str | None:
    """Return this machine's address on the local network, or None without one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return _own_network()
        return str(probe.getsockname()[0])


def _own_network() -> str | None:
    """Return the address where no way leads out: a Pi that is the network itself has none."""
    import ifaddr  # only such a house needs it

    addresses = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4)
    return reachable(str(address) for address in addresses)


def reachable(addresses: Iterable[str]) -> str | None:
    """Return the first of *addresses* that other machines can have a way to."""
    fit = (each for each in map(IPv4Address, addresses) if not (each.is_loopback or each.is_link_local))
    return next(map(str, fit), None)
