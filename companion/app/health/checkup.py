"""Run all checks of the command `doctor`. They change nothing and do not disturb a running service."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from companion.app.health.devices import CARD, StorageCard, device_findings, probed
from companion.app.health.finding import HealthFinding, care
from companion.app.health.ledger import looked_over
from companion.app.health.machine import MACHINE, Machine, computer
from companion.app.health.permissions import mode_findings, name_of
from companion.app.health.room import existing, room
from companion.app.health.service import ServiceStatus, service_findings, service_status
from companion.kernel.progress import ProgressWatch, unwatched


def findings(
    data: Path,
    ring: str | None = None,
    console: Path | None = None,
    watch: ProgressWatch = unwatched,
    machine: Machine = MACHINE,
    card: StorageCard = CARD,
) -> list[HealthFinding]:
    """Return the findings of all checks on *data*. Raises InputError if *ring* is not a valid address.

    *watch* is called for each row of the ledger.
    """
    if data.exists() and not os.access(data, os.R_OK | os.X_OK):
        return [_not_ours(data), *computer(machine, None)]
    service = service_status(data, machine)
    books = looked_over(data, watch)
    return [
        *service_findings(service),
        *_card(data, service, card),
        room(data, books.evenings),
        *books.findings,
        *mode_findings(data),
        *computer(machine, books.newest),
        *device_findings(data, service, ring, console, machine),
    ]


def _card(data: Path, service: ServiceStatus, card: StorageCard) -> Iterator[HealthFinding]:
    """Test the card, unless a service is running.

    A service tests the card itself, and the check must not write then.
    """
    if not service.holds:
        yield probed(existing(data), card)


def _not_ours(data: Path) -> HealthFinding:
    owner = name_of(data.stat().st_uid)
    return care("folder", f"{data} is only {owner}'s. Run: sudo -u {owner} companion doctor --data {data}")
