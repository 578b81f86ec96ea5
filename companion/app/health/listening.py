"""Where a process answers, as Linux tells: for a service that could not note its address, on a full card say."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address

from companion.app.health.machine import Machine

LISTENING = "0A"


def addresses(process: int, machine: Machine) -> Iterator[str]:
    """Yield the addresses of pages that *process* may have open; none where it is another user's."""
    sockets = {str(link.readlink()) for link in machine.found(f"proc/{process}/fd/*") if link.is_symlink()}
    for family in ("tcp", "tcp6"):
        for line in machine.text(f"proc/{process}/net/{family}").splitlines()[1:]:
            words = line.split()
            if len(words) > 9 and words[3] == LISTENING and f"socket:[{words[9]}]" in sockets:
                host, _, port = words[1].partition(":")
                yield f"http://{_reachable(host)}:{int(port, 16)}"


def _reachable(host: str) -> str:
    """Return how this machine itself reaches a *host* that the kernel wrote in hexadecimal, its bytes the other way."""
    if len(host) != 8 or int(host, 16) == 0:
        return "127.0.0.1"  # everywhere; the service that listens on every IPv6 address takes IPv4 too
    return str(IPv4Address(bytes.fromhex(host)[::-1]))
