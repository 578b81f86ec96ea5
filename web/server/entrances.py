"""The URLs at which other devices reach this server."""

from __future__ import annotations

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Entrances:
    """The server's URLs on the local network, as `http://...`, by IP address and by name; it is empty if unknown.

    *alone*: the server listens on this machine only, so other devices can't reach it.
    """

    number: str = ""
    name: str = ""
    alone: bool = False
