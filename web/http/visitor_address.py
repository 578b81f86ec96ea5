"""Whose address a request comes from, for all that is counted by address."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

HERE = frozenset(("127.0.0.1", "::1"))
"""Who sits at the machine itself; another number of the loopback network is anybody's."""


@lru_cache(maxsize=1024)
def place(address: str) -> str:
    """Return what counts as one visitor: an IPv4 address, or a whole /64 of IPv6, in which a device takes any."""
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if not isinstance(number, IPv6Address):
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(number) if number.is_loopback else str(IPv6Network((int(number), 64), strict=False))


def device_at(address: str) -> str:
    """Return what tells a device from others on the network, as a fingerprint: its own address, and nothing else.

    The whole address counts, of IPv6 too: all devices of a home share its first half. A device whose address changes
    is asked for the PIN once. Nobody is followed by the browser, the fonts or the glass they have.
    """
    try:
        number: IPv4Address | IPv6Address | str = ip_address(address)
    except ValueError:
        number = address
    if isinstance(number, IPv6Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    return hashlib.sha256(str(number).encode()).hexdigest()


def at_the_machine(address: str) -> bool:
    """Tell whether somebody sits at the machine itself."""
    return place(address) in HERE
