"""Check the service that may be running on this ledger: its address, and its own report about its status."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, NamedTuple

from companion.app.data_folder import LEDGER, SERVICE
from companion.app.exit_codes import BadUse, Failed
from companion.app.health.finding import HealthFinding, care, fine, note
from companion.app.health.machine import Machine
from companion.app.running_service import RunningService, answering, running_service
from companion.kernel.program import VERSION
from companion.kernel.supervisor import ThreadState

LISTENING = "0A"

STARTING_S, LOOKS_S = 45.0, 0.5
"""How long to wait for a service that has just started, and the pause between two attempts, in seconds.

A start takes seconds on a small computer, and longer while its package is being installed.
"""
RESTART = "Restart it (sudo systemctl restart ring-companion, or stop and start it)"
PAGES_FIRST = "If its pages say that nothing is being saved, download the log there first"


class ServiceStatus(NamedTuple):
    """The results of looking for the service.

    *holds* is true if a process owns the ledger; *process* is its ID, or 0 if unknown. *url* and *reported* are the
    address and the status of a service that answers; otherwise they are empty. *silence* says why an answering service
    sent no status. *noted* is false if the service was found through its process and not through its address file.
    """

    holds: bool
    process: int = 0
    url: str = ""
    reported: Mapping[str, Any] = {}
    silence: str = ""
    noted: bool = True

    @property
    def ring(self) -> Mapping[str, Any]:
        """The part about the ring in the service's report; it is empty if there is no ring."""
        view: Mapping[str, Any] = self.reported.get("ring", {})
        return view if view.get("state", "none") != "none" else {}


def service_status(data: Path, machine: Machine) -> ServiceStatus:
    """Find the process that owns the ledger in *data*, and ask the service for its status. Nothing is written.

    If the service has just started, this waits for its answer, because the installation of the package runs `doctor` at
    once.
    """
    found = _looked(data, machine)
    while found.holds and not found.url and machine.age_s(found.process) < STARTING_S:
        machine.wait(LOOKS_S)
        found = _looked(data, machine)
    return found


def _looked(data: Path, machine: Machine) -> ServiceStatus:
    process = _process(data / LEDGER, machine)
    noted = running_service(data)
    service = noted or next(filter(None, (answering(data, url) for url in addresses(process, machine))), None)
    if service is None:
        return ServiceStatus(_held(data / LEDGER), process)
    try:
        return ServiceStatus(True, process, service.url, _status_of(service), noted=noted is not None)
    except (BadUse, Failed) as fault:
        return ServiceStatus(True, process, service.url, silence=str(fault))


def _status_of(service: RunningService) -> Mapping[str, Any]:
    return {**service.ask("/api/v1/table"), **service.ask("/healthz"), **service.ask("/api/v1/ring")}


def service_findings(found: ServiceStatus) -> Iterator[HealthFinding]:
    """Yield findings on whether a service runs, whether it saves its games, and whether it is the installed version."""
    who = f" (process {found.process})" if found.process else ""
    if found.silence:
        yield care(
            "service",
            f"The service at {found.url}{who} doesn't report its state: {found.silence}. {PAGES_FIRST}. {RESTART}.",
        )
    elif found.url:
        yield _keeping(found, who)
        yield from _threads(found.reported.get("threads", ()))
        yield from _links(found.reported.get("links", ()))
        yield from _program(found)
        if not found.noted:
            found_then = "once the card has room, or after its next start"
            yield note("service", f"Its address isn't in {SERVICE}: other commands find it {found_then}.")
    elif found.holds:
        why = f"but doesn't answer at an address in {SERVICE}"
        yield care("service", f"Another companion has the ledger open{who}, {why}. {PAGES_FIRST}. {RESTART}.")
    else:
        yield fine("service", "No service is running on this ledger.")


def _keeping(found: ServiceStatus, who: str) -> HealthFinding:
    if found.reported.get("kept"):
        return fine("service", f"The service answers at {found.url}{who} and saves everything.")
    storage = found.reported.get("storage", "")
    return care("service", f"The service answers at {found.url}{who}, and saves nothing. {storage}")


def _links(links: Sequence[Mapping[str, Any]]) -> Iterator[HealthFinding]:
    """Yield a finding for each connection to a club or a home."""
    for each in links:
        behind = f" {each['behind']} rows aren't there yet." if each["behind"] else ""
        if each["trouble"]:
            yield care("link", f"{each['name']}: {each['trouble']}{behind}")
        else:
            state = "connected" if each["connected"] else "connecting"
            yield fine("link", f"{each['name']}: {state}.{behind}")


def _threads(threads: Sequence[Mapping[str, Any]]) -> Iterator[HealthFinding]:
    """Yield one finding for all threads of the service that never failed, and one for each other thread."""
    well = [str(each["name"]) for each in threads if not each["last_error"]]
    if well:
        yield fine("threads", f"Threads that never failed: {', '.join(well)}.")
    for each in threads:
        if each["last_error"]:
            figures = f"{each['state']}, restarts {each['restarts']}, last error {each['last_error']}"
            failing = each["state"] in (ThreadState.WAITING, ThreadState.FAILED)
            advice = " The service's log has the whole error." if failing else ""
            yield (care if failing else note)("threads", f"Thread {each['name']}: {figures}.{advice}")


def _program(found: ServiceStatus) -> Iterator[HealthFinding]:
    runs = found.reported.get("program", "an older program")
    if runs != VERSION:
        sentence = f"The service still runs {runs}, while {VERSION} is installed. {RESTART} when no game is on."
        yield note("program", sentence)


def _held(ledger: Path) -> bool:
    """Return whether a process owns the ledger. This only tests the locks and does not change them."""
    return any(map(_locked, _locks(ledger)))


def _locked(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False  # the file is missing or unreadable; another check reports that
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _locks(ledger: Path) -> tuple[Path, ...]:
    """Return the files that an owner of *ledger* locks."""
    whole = Path(os.path.realpath(ledger))
    return ledger.with_name(ledger.name + ".lock"), whole.with_name(whole.name + ".lock"), whole


def _process(ledger: Path, machine: Machine) -> int:
    """Return the ID of the process that has locked these files according to Linux, or 0."""
    wanted = {f"{path.stat().st_ino}" for path in _locks(ledger) if path.exists()}
    for line in machine.text("proc/locks").splitlines():
        words = line.split()
        if "FLOCK" in words[1:2] and words[5].rpartition(":")[2] in wanted:
            return int(words[4])
    return 0


def addresses(process: int, machine: Machine) -> Iterator[str]:
    """Yield the addresses on which *process* listens. If the process belongs to another user, yield nothing."""
    sockets = {str(link.readlink()) for link in machine.found(f"proc/{process}/fd/*") if link.is_symlink()}
    for family in ("tcp", "tcp6"):
        for line in machine.text(f"proc/{process}/net/{family}").splitlines()[1:]:
            words = line.split()
            if len(words) > 9 and words[3] == LISTENING and f"socket:[{words[9]}]" in sockets:
                host, _, port = words[1].partition(":")
                yield f"http://{_reachable(host)}:{int(port, 16)}"


def _reachable(host: str) -> str:
    """Return the address for connecting to *host*, given in the kernel's format: hexadecimal, reversed bytes."""
    if len(host) != 8 or int(host, 16) == 0:
        return "127.0.0.1"  # the service listens on all addresses; listening on all IPv6 addresses includes IPv4
    return str(IPv4Address(bytes.fromhex(host)[::-1]))
