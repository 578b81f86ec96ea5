"""Where phones find this house."""

from __future__ import annotations

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Entrances:
    """The addresses of this house on the local network, as `http://...`: by number and by name, empty for none.

    *alone*: it listens on this machine only, so that no other device ever reaches it.
    """

    number: str = ""
    name: str = ""
    alone: bool = False
