"""The address of this machine on the local network. It is looked up at each call, since networks change."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address

SOMEWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation: the route to it is the route out of the local network."""


def lan_address() -> str | None:
    """Return this machine's address on the local network, or None without one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return _own_network()
        return str(probe.getsockname()[0])


def _own_network() -> str | None:
    """Return the address of a machine without a route to elsewhere, such as a Pi that is itself the access point."""
    import ifaddr  # rarely needed

    addresses = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4)
    return reachable(str(address) for address in addresses)


def reachable(addresses: Iterable[str]) -> str | None:
    """Return the first of *addresses* that other machines may have a route to."""
    fit = (each for each in map(IPv4Address, addresses) if not (each.is_loopback or each.is_link_local))
    return next(map(str, fit), None)
