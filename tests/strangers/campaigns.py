"""All campaigns by name, with their share of the inputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.strangers.access import access
from tests.strangers.beside import kills, ledger
from tests.strangers.bodies import bodies
from tests.strangers.crowd import crowd
from tests.strangers.described import described
from tests.strangers.hidden import hidden
from tests.strangers.hostile_ring import ring
from tests.strangers.pins import pins
from tests.strangers.report import Report
from tests.strangers.smuggling import smuggling
from tests.strangers.sockets import sockets


@dataclass(frozen=True)
class Campaign:
    """A campaign: *run* tries a number of random inputs in a folder; *share* is its percentage of all inputs."""

    run: Callable[[Path, int, Random], Report]
    share: float


CAMPAIGNS: Mapping[str, Campaign] = {
    "access": Campaign(access, 8),
    "hidden": Campaign(hidden, 2),
    "sockets": Campaign(sockets, 1),
    "bodies": Campaign(bodies, 12),
    "pins": Campaign(pins, 2),
    "smuggling": Campaign(smuggling, 10),
    "crowd": Campaign(crowd, 1),
    "described": Campaign(described, 1),
    "ring": Campaign(ring, 64),
    "ledger": Campaign(ledger, 0.05),
    "kills": Campaign(kills, 0.03),
}


def shared(inputs: int, only: Collection[str] | None = None) -> dict[str, int]:
    """Return how many of *inputs* each requested campaign gets."""
    chosen = {name: each.share for name, each in CAMPAIGNS.items() if not only or name in only}
    return {name: round(inputs * share / sum(chosen.values())) for name, share in chosen.items()}
