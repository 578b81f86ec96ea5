"""The doctor asks a running service, doesn't test its card, and finds it even without service.json."""

from __future__ import annotations

import json
import math
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from companion.app.health import HealthFinding, HealthState, findings
from companion.app.health.devices import device_findings
from companion.app.health.ledger import why_not_opened
from companion.app.health.machine import MACHINE, Machine
from companion.app.health.permissions import mode_findings
from companion.app.health.service import ServiceStatus, service_findings, service_status
from companion.kernel.private_file import Modes
from companion.kernel.program import VERSION
from companion.ledger import Ledger, LedgerFault
from tests.companion.app.processes import Service, companion
from web import HostPin

RECORD = Path(__file__).parents[2] / "games" / "andromeda" / "records" / "a-shared-win.jsonl"
LIVE = {"state": "live", "port": "/dev/ttyACM0", "device": "e660", "firmware": "1.2", "trouble": ""}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A running service with an empty ledger and a virtual ring."""
    service = Service(tmp_path / "data", "mock:")
    yield service
    service.stop()


def about(word: str, found: list[HealthFinding]) -> list[HealthFinding]:
    """Return the findings about one subject."""
    return [each for each in found if each.about == word]


def test_a_running_service_is_asked_and_nothing_is_written_beside_it(tmp_path: Path, service: Service) -> None:
    """For a running service, the doctor names its address and ring, says that it saves, and doesn't test the card."""
    looked = companion("doctor", "--json", "--data", tmp_path / "data", "--ring", "mock:")

    told = json.loads(looked.stdout)
    by_word = {each["about"]: each for each in told["findings"]}
    assert (looked.returncode, told["well"]) == (0, True)
    assert by_word["service"]["state"] == "fine"
    assert f"answers at {service.url} (process {service.pid}) and saves everything" in by_word["service"]["sentence"]
    assert "The service is using the ring at mock:, and it answers" in by_word["ring"]["sentence"]
    assert not {"card", "program"} & set(by_word)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("running", HealthState.NOTE),
        ("ended", HealthState.NOTE),
        ("waiting", HealthState.CARE),
        ("failed", HealthState.CARE),
    ],
)
def test_threads_of_the_service_are_listed(state: str, kind: HealthState) -> None:
    """Doctor: threads that never failed share one line, each other thread has its own; a failing thread needs care."""
    well = [{"name": name, "state": "running", "last_error": "", "restarts": 0} for name in ("tick", "arming")]
    ring = {"name": "ring", "state": state, "last_error": "TypeError", "restarts": 3}
    told = {"kept": True, "program": VERSION, "threads": [*well, ring]}

    found = about("threads", list(service_findings(ServiceStatus(True, 1, "http://x", told))))

    assert [each.state for each in found] == [HealthState.FINE, kind]
    assert found[0].sentence == "Threads that never failed: tick, arming."
    assert found[1].sentence.startswith(f"Thread ring: {state}, restarts 3, last error TypeError.")


def test_a_running_service_lists_its_own_threads(tmp_path: Path, service: Service) -> None:
    """Doctor: the threads in the service's `/healthz` are printed."""
    looked = companion("doctor", "--data", tmp_path / "data")

    (line,) = [line for line in looked.stdout.splitlines() if "Threads that never failed" in line]
    assert looked.returncode == 0
    for name in ("ring", "virtual ring", "capture", "tick", "arming", "backups", "summaries", "ring journal"):
        assert re.search(rf"[:,] {name}[,.]", line), name


class Starting(Machine):
    """A machine whose processes all started *age_s* ago and have no known ports; waiting takes no time."""

    def __init__(self, age_s: float, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._age_s = age_s
        self._meanwhile = meanwhile

    def text(self, path: str) -> str:
        """Return the content of a file, except the tables of ports."""
        return "" if "/net/" in path else super().text(path)

    def age_s(self, process: int) -> float:
        """Return the same age for every process."""
        return self._age_s

    def wait(self, seconds: float) -> None:
        """Add *seconds* to the age, and call *meanwhile*."""
        self._age_s += seconds
        self._meanwhile()


def test_a_service_that_was_just_started_is_given_time_to_answer(tmp_path: Path, service: Service) -> None:
    """Doctor: right after a service was started, doctor waits until the service has written its address."""
    note = tmp_path / "data" / "service.json"
    text = note.read_text()
    note.unlink()

    found = service_status(tmp_path / "data", Starting(2.0, meanwhile=partial(note.write_text, text)))

    assert (found.url, found.noted) == (service.url, True)


def test_a_service_that_never_answers_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    """Doctor waits for a new process until it is old enough to have answered, and doesn't wait for an old process."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    waits: list[int] = []
    waited = partial(waits.append, 1)

    found = service_status(tmp_path, Starting(40.0, meanwhile=waited))
    old = service_status(tmp_path, Starting(1e9, meanwhile=waited))
    ledger.close()

    assert (found.holds, found.url, old.url) == (True, "", "")
    assert len(waits) == 10


def test_the_age_of_a_process_is_told_by_the_machine() -> None:
    """Doctor: this process is younger than the machine, and an unknown process counts as infinitely old."""
    up = float(MACHINE.text("proc/uptime").split()[0])

    assert 0 < MACHINE.age_s(os.getpid()) < up
    assert MACHINE.age_s(0) == math.inf


def test_an_owner_without_an_address_is_found_by_its_lock(tmp_path: Path) -> None:
    """Doctor: a service without a known address is found by its lock on the ledger, and the card is not tested."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")

    found = findings(tmp_path, machine=Starting(1e9, meanwhile=list))
    ledger.close()
    after = findings(tmp_path)

    (finding,) = about("service", found)
    assert finding.state is HealthState.CARE
    assert f"Another companion has the ledger open (process {os.getpid()})" in finding.sentence
    assert about("card", found) == []
    assert [each.sentence for each in about("service", after)] == ["No service is running on this ledger."]
    assert len(about("card", after)) == 1


def test_a_service_that_could_not_note_its_address_is_asked_all_the_same(tmp_path: Path, service: Service) -> None:
    """Doctor: without service.json, the service's address is found by the process that has the ledger open."""
    (tmp_path / "data" / "service.json").unlink()

    told = about("service", findings(tmp_path / "data"))

    assert [each.state for each in told] == [HealthState.FINE, HealthState.NOTE]
    assert f"answers at {service.url} (process {service.pid}) and saves everything" in told[0].sentence
    assert "Its address isn't in service.json" in told[1].sentence


@pytest.mark.parametrize(
    ("told", "state", "says"),
    [
        ({"kept": True, "program": VERSION}, HealthState.FINE, "saves everything"),
        ({"kept": False, "storage": "The storage is full.", "program": VERSION}, HealthState.CARE, "saves nothing"),
        ({}, HealthState.CARE, "saves nothing"),
    ],
)
def test_a_service_that_keeps_nothing_is_care(told: dict[str, object], state: HealthState, says: str) -> None:
    """Doctor: the service's own report of its storage is repeated, and needs care unless everything is saved."""
    first = next(service_findings(ServiceStatus(True, 7, "http://127.0.0.1:8000", told)))

    assert first.state is state
    assert says in first.sentence
    assert str(told.get("storage", "")) in first.sentence


def test_a_service_of_another_version_is_named() -> None:
    """Doctor: after an update, a service that still runs the old version is reported with both versions."""
    told = {"kept": True, "program": "0.0.9"}

    _, program = service_findings(ServiceStatus(True, 7, "http://127.0.0.1:8000", told))

    assert program.state is HealthState.NOTE
    assert f"still runs 0.0.9, while {VERSION} is installed" in program.sentence


def test_a_service_that_does_not_tell_is_care() -> None:
    """Doctor: a service that refuses to answer needs care, and its reason is printed."""
    (finding,) = service_findings(ServiceStatus(True, 7, "http://127.0.0.1:8000", silence="This is for the host."))

    assert finding.state is HealthState.CARE
    assert "This is for the host." in finding.sentence


@pytest.mark.parametrize("asked", [None, "auto", "/dev/ttyACM0"])
def test_a_ring_in_use_by_the_service_is_told_by_it(tmp_path: Path, asked: str | None) -> None:
    """Doctor: a ring in use by the service is reported from the service's status instead of opening its port."""
    standing = ServiceStatus(True, 0, "http://127.0.0.1:8000", {"ring": LIVE})

    found = list(device_findings(tmp_path, standing, asked, None, MACHINE))

    (finding,) = about("ring", found)
    assert finding.state is HealthState.FINE
    assert "The service is using the ring at /dev/ttyACM0, and it answers: device e660" in finding.sentence


@pytest.mark.parametrize(("asked", "state"), [(None, HealthState.NOTE), ("gpio:", HealthState.CARE)])
def test_trouble_with_the_services_ring_is_told(tmp_path: Path, asked: str | None, state: HealthState) -> None:
    """Doctor: trouble with the service's ring is repeated; it needs care if the user asked for that ring."""
    view = {**LIVE, "state": "searching", "port": "gpio:?bus=22", "trouble": "gpio: no such bus."}
    standing = ServiceStatus(True, 0, "http://127.0.0.1:8000", {"ring": view})

    (finding,) = about("ring", list(device_findings(tmp_path, standing, asked, None, MACHINE)))

    assert finding.state is state
    assert "gpio: no such bus." in finding.sentence


@pytest.mark.parametrize(
    ("code", "wanted", "unwanted"),
    [
        (sqlite3.SQLITE_IOERR, "leave the ledger as it is", "restore"),
        (sqlite3.SQLITE_FULL, "leave the ledger as it is", "restore"),
        (sqlite3.SQLITE_CANTOPEN, "leave the ledger as it is", "restore"),
        (sqlite3.SQLITE_CORRUPT, "the present one is saved in the same folder", "in its place"),
    ],
)
def test_a_ledger_is_never_advised_away(tmp_path: Path, code: int, wanted: str, unwanted: str) -> None:
    """Doctor: if the card is at fault, the advice is to leave the ledger; a corrupt one is saved before a restore."""
    error, fault = sqlite3.DatabaseError("as SQLite says it"), LedgerFault("The ledger can't be read.")
    error.sqlite_errorcode = code
    fault.__cause__ = error

    finding = why_not_opened(tmp_path / "ledger.sqlite", fault)

    assert finding.state is HealthState.CARE
    assert wanted in finding.sentence
    assert unwanted not in finding.sentence


@pytest.mark.parametrize(
    ("beside", "state"), [("", HealthState.NOTE), ("ledger.sqlite.newest", HealthState.CARE), ("pin", HealthState.CARE)]
)
def test_an_empty_ledger_is_no_whole_one(tmp_path: Path, beside: str, state: HealthState) -> None:
    """Doctor: an empty ledger file is a note, and needs care if other files show that games were played."""
    (tmp_path / "ledger.sqlite").touch(0o600)
    if beside:
        (tmp_path / beside).write_text("573")

    (finding,) = about("ledger", findings(tmp_path))

    assert finding.state is state
    assert "is empty" in finding.sentence


def test_rows_that_do_not_fit_are_care_each(tmp_path: Path) -> None:
    """Doctor: every row's checksum is verified; a changed row is named and needs care."""
    ledger = tmp_path / "ledger.sqlite"
    companion("import", RECORD, "--data", tmp_path)
    (whole,) = about("rows", findings(tmp_path))
    with closing(sqlite3.connect(ledger)) as card:
        card.execute("DROP TRIGGER row_stays")
        card.execute("UPDATE row SET wall_ms = wall_ms + 1 WHERE id = 7")
        card.commit()

    changed = about("rows", findings(tmp_path))

    assert (whole.state, "All rows match their checksums" in whole.sentence) == (HealthState.FINE, True)
    assert {each.state for each in changed} == {HealthState.CARE}
    assert any("changed row 7 " in each.sentence for each in changed)


def test_open_modes_are_a_note_and_said_once_where_there_are_none(tmp_path: Path) -> None:
    """Doctor: files that other users can open are a note, and so is a file system without permissions."""

    class Fat(Modes):
        def mode(self, path: Path) -> int:
            return 0o755

    (tmp_path / "ledger.sqlite").touch(0o600)
    closed = list(mode_findings(tmp_path))
    (tmp_path / "ledger.sqlite").chmod(0o644)

    (wide,) = mode_findings(tmp_path)
    (fat,) = mode_findings(tmp_path, Fat())

    assert [each.state for each in closed] == [HealthState.FINE]
    assert (wide.state, "ledger.sqlite (0644)" in wide.sentence) == (HealthState.NOTE, True)
    assert (fat.state, "file system without permissions" in fat.sentence) == (HealthState.NOTE, True)


def test_keys_that_others_could_read_are_care(tmp_path: Path) -> None:
    """Doctor: a PIN that other users could read needs care; a private one does not."""
    HostPin(tmp_path)
    assert about("keys", list(mode_findings(tmp_path))) == []
    (tmp_path / "pin").chmod(0o666)

    (finding,) = about("keys", list(mode_findings(tmp_path)))

    assert finding.state is HealthState.CARE
    assert f"{tmp_path / 'pin'} was open to others (mode 0666)" in finding.sentence


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_files_of_another_user_are_care(tmp_path: Path) -> None:
    """Doctor: files of another user need care, and the line contains the chown command."""
    (tmp_path / "ledger.sqlite").touch(0o600)
    os.chown(tmp_path / "ledger.sqlite", 4711, -1)

    finding = next(mode_findings(tmp_path))

    assert finding.state is HealthState.CARE
    assert f"sudo chown --recursive root: {tmp_path}" in finding.sentence
