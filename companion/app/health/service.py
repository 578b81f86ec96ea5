"""The service that may be running on this ledger: whether there is one, its address, and what it says of itself."""

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
from companion.app.running_service import Neighbour, answering, neighbour
from companion.kernel.program import VERSION
from companion.kernel.supervisor import ThreadState

LISTENING = "0A"

STARTING_S, LOOKS_S = 45.0, 0.5
"""A start takes seconds on a small computer, and more while its package is still being settled."""
ANEW = "Restart it (sudo systemctl restart ring-companion, or stop and start it)"
PAGES_FIRST = "If its pages say that nothing is being saved, download the log there first"


class ServiceStanding(NamedTuple):
    """Whether somebody *holds* the ledger to write, the number of that *process*, and what the service at *url* told.

    *process* is 0 where nobody knows; *url* and *told* are empty where none answers, *silence* says why one that
    answers tells nothing. Not *noted*: it was found by its process.
    """

    holds: bool
    process: int = 0
    url: str = ""
    told: Mapping[str, Any] = {}
    silence: str = ""
    noted: bool = True

    @property
    def ring(self) -> Mapping[str, Any]:
        """Its ring as it told of it, empty where it has none."""
        view: Mapping[str, Any] = self.told.get("ring", {})
        return view if view.get("state", "none") != "none" else {}


def standing(data: Path, machine: Machine) -> ServiceStanding:
    """Look who has the ledger in *data*, and ask the service how it is; nothing is written, and it is not disturbed.

    One that was started just now is given the time to answer: whoever installs the package asks its doctor at once.
    """
    found = _looked(data, machine)
    while found.holds and not found.url and machine.age_s(found.process) < STARTING_S:
        machine.wait(LOOKS_S)
        found = _looked(data, machine)
    return found


def _looked(data: Path, machine: Machine) -> ServiceStanding:
    process = _process(data / LEDGER, machine)
    noted = neighbour(data)
    service = noted or next(filter(None, (answering(data, url) for url in addresses(process, machine))), None)
    if service is None:
        return ServiceStanding(_held(data / LEDGER), process)
    try:
        return ServiceStanding(True, process, service.url, _status_of(service), noted=noted is not None)
    except (BadUse, Failed) as fault:
        return ServiceStanding(True, process, service.url, silence=str(fault))


def _status_of(service: Neighbour) -> Mapping[str, Any]:
    return {**service.ask("/api/v1/table"), **service.ask("/healthz"), **service.ask("/api/v1/ring")}


def service_findings(found: ServiceStanding) -> Iterator[HealthFinding]:
    """Say whether a service runs, whether it keeps what is played, and whether it is the program that is installed."""
    who = f" (process {found.process})" if found.process else ""
    if found.silence:
        yield care(
            "service",
            f"The service at {found.url}{who} doesn't say how it is: {found.silence}. {PAGES_FIRST}. {ANEW}.",
        )
    elif found.url:
        yield _keeping(found, who)
        yield from _threads(found.told.get("threads", ()))
        yield from _program(found)
        if not found.noted:
            found_then = "once the card has room, or after its next start"
            yield note("service", f"No {SERVICE} says where it is: other commands find it {found_then}.")
    elif found.holds:
        why = f"but answers at no address in {SERVICE}"
        yield care("service", f"Another companion has the ledger open{who}, {why}. {PAGES_FIRST}. {ANEW}.")
    else:
        yield fine("service", "No service is running on this ledger.")


def _keeping(found: ServiceStanding, who: str) -> HealthFinding:
    if found.told.get("kept"):
        return fine("service", f"The service answers at {found.url}{who} and saves everything.")
    storage = found.told.get("storage", "")
    return care("service", f"The service answers at {found.url}{who}, and saves nothing. {storage}")


def _threads(threads: Sequence[Mapping[str, Any]]) -> Iterator[HealthFinding]:
    """List the service's threads: in one line those that never failed, and each other one in its own."""
    well = [str(each["name"]) for each in threads if not each["last_error"]]
    if well:
        yield fine("threads", f"Threads that never failed: {', '.join(well)}.")
    for each in threads:
        if each["last_error"]:
            figures = f"{each['state']}, restarts {each['restarts']}, last error {each['last_error']}"
            failing = each["state"] in (ThreadState.WAITING, ThreadState.FAILED)
            advice = " The service's log has the whole error." if failing else ""
            yield (care if failing else note)("threads", f"Thread {each['name']}: {figures}.{advice}")


def _program(found: ServiceStanding) -> Iterator[HealthFinding]:
    runs = found.told.get("program", "an older program")
    if runs != VERSION:
        sentence = f"The service still runs {runs}, while {VERSION} is installed. {ANEW} when no game is on."
        yield note("program", sentence)


def _held(ledger: Path) -> bool:
    """Tell whether a process has the ledger as its owner, by its locks; they are left as they are."""
    return any(map(_locked, _locks(ledger)))


def _locked(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False  # not there, or not ours to look at: that is said elsewhere
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _locks(ledger: Path) -> tuple[Path, ...]:
    """Return the files that an owner of *ledger* has locked."""
    whole = Path(os.path.realpath(ledger))
    return ledger.with_name(ledger.name + ".lock"), whole.with_name(whole.name + ".lock"), whole


def _process(ledger: Path, machine: Machine) -> int:
    """Return who has locked them, as Linux tells."""
    wanted = {f"{path.stat().st_ino}" for path in _locks(ledger) if path.exists()}
    for line in machine.text("proc/locks").splitlines():
        words = line.split()
        if "FLOCK" in words[1:2] and words[5].rpartition(":")[2] in wanted:
            return int(words[4])
    return 0


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
