"""Find a broker by its name in the local network (mDNS), if its address has changed."""

from __future__ import annotations

from collections.abc import Sequence

ASKED_MS = 1500


def address_of(name: str, interfaces: Sequence[str] | None = None) -> str | None:
    """Return the IPv4 address of the computer called *name*, such as `ring-club.local`, or None if nobody answers.

    It asks on *interfaces*, by default on all interfaces of this computer.
    """
    try:
        from zeroconf import AddressResolverIPv4, Error, InterfaceChoice, IPVersion, Zeroconf  # type: ignore[attr-defined]
    except ImportError:
        return None
    chosen = InterfaceChoice.Default if interfaces is None else list(interfaces)
    try:
        with Zeroconf(interfaces=chosen, ip_version=IPVersion.V4Only) as network:
            asked = AddressResolverIPv4(f"{name}.")
            return next(iter(asked.parsed_addresses()), None) if asked.request(network, ASKED_MS) else None
    except (OSError, Error):
        return None  # without a network there is nobody to ask
