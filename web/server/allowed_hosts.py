"""Which names of this house are its own: a page elsewhere must not reach it by renaming itself.

DNS rebinding needs a public name that its owner can point at this machine.
Numbers, one-word names and the endings that only a home network gives out
cannot be pointed here by a stranger.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address

HOME_ENDINGS = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")


def bare(host: str) -> str:
    """Return the name in a Host header without its port and brackets, lower case."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def own(host: str, names: Collection[str] = ()) -> bool:
    """Tell whether *host*, as a browser sent it, can be this house; *names* are further ones of its own."""
    name = bare(host).rstrip(".")
    if not name:
        return False
    if name in names or name.endswith(HOME_ENDINGS):
        return True
    try:
        ip_address(name)
    except ValueError:
        return name.replace("-", "").replace("_", "").isalnum()
    return True
