"""All attacks by name, with their share of the inputs."""

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
class Attack:
    """An attack: *run* tries a number of random inputs in a folder; *share* is its percentage of all inputs."""

    run: Callable[[Path, int, Random], Report]
    share: float


ATTACKS: Mapping[str, Attack] = {
    "access": Attack(access, 8),
    "hidden": Attack(hidden, 2),
    "sockets": Attack(sockets, 1),
    "bodies": Attack(bodies, 12),
    "pins": Attack(pins, 2),
    "smuggling": Attack(smuggling, 10),
    "crowd": Attack(crowd, 1),
    "described": Attack(described, 1),
    "ring": Attack(ring, 64),
    "ledger": Attack(ledger, 0.05),
    "kills": Attack(kills, 0.03),
}


def shared(inputs: int, only: Collection[str] | None = None) -> dict[str, int]:
    """Return how many of *inputs* each requested attack gets."""
    chosen = {name: each.share for name, each in ATTACKS.items() if not only or name in only}
    return {name: round(inputs * share / sum(chosen.values())) for name, share in chosen.items()}
