"""The address of a request's sender, for limits that count by address."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

HERE = frozenset(("127.0.0.1", "::1"))
"""Addresses of this machine. Other loopback addresses don't count."""


@lru_cache(maxsize=1024)
def place(address: str) -> str:
    """Return the key under which an address is counted: an IPv4 address, or the /64 network of an IPv6 address.

    A device can choose any address within its /64.
    """
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
    """Return a hash of a device's whole address, to tell devices apart.

    Only the address is used, no other properties of the browser, so people can't be tracked with it. If a device's
    address changes, it must enter the PIN once more.
    """
    try:
        number: IPv4Address | IPv6Address | str = ip_address(address)
    except ValueError:
        number = address
    if isinstance(number, IPv6Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    return hashlib.sha256(str(number).encode()).hexdigest()


def at_the_machine(address: str) -> bool:
    """Tell whether a request comes from this machine."""
    return place(address) in HERE
