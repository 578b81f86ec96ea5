"""The commands for the ledger: exports can be imported again, and bad usage prints one line."""

from __future__ import annotations

import csv
import json
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.ledger import Ledger, verify
from tests.companion.app.processes import Service, companion

RECORDS = sorted((Path(__file__).parents[2] / "games" / "andromeda" / "records").glob("*.jsonl"))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A running service with an empty ledger."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


@pytest.mark.parametrize(
    "record",
    [pytest.param(each, marks=[pytest.mark.long] if at else []) for at, each in enumerate(RECORDS[:4])],
    ids=lambda path: path.stem,
)
def test_what_was_imported_is_exported_with_the_same_final_state(tmp_path: Path, record: Path) -> None:
    """Import and export: an imported and exported record replays to the same final state."""
    taken = companion("import", record, "--data", tmp_path)
    number = taken.stdout.split()[-1].rstrip(".")

    exported = companion("export", number, "--data", tmp_path)
    (tmp_path / "out.jsonl").write_text(exported.stdout, encoding="utf-8")
    again = companion("replay", tmp_path / "out.jsonl", "--json")
    state = companion("export", number, "--to", "json", "--data", tmp_path)

    final = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
    assert json.loads(again.stdout) == json.loads(state.stdout) == final


def test_a_game_leaves_as_a_table_and_as_one_play(tmp_path: Path) -> None:
    """Export: CSV has one row per line, and a BG Stats play has scores, ranks and winners."""
    record = next(each for each in RECORDS if each.stem == "won-by-technology")
    companion("import", record, "--data", tmp_path)
    final = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))

    rows = list(csv.DictReader(companion("export", 1, "--to", "csv", "--data", tmp_path).stdout.splitlines()))
    play = json.loads(companion("export", 1, "--to", "bgstats", "--data", tmp_path).stdout)

    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()[1:]]
    told = [line for line in lines if line["do"] != "undo"]
    assert [(row["do"], row["player"]) for row in rows] == [(line["do"], line.get("player", "")) for line in told]
    assert [each["role"] for each in play["players"] if each["winner"]] == final["winners"]
    assert {each["role"]: each["score"] for each in play["players"]} == {
        colour: player["score"]["total"] for colour, player in final["players"].items()
    }
    assert min(each["rank"] for each in play["players"]) == 1
    assert sum(each["startPlayer"] for each in play["players"]) == 1


def test_a_game_that_is_not_over_is_no_play(tmp_path: Path) -> None:
    """Export: a game that isn't finished cannot be exported as a BG Stats play."""
    record = RECORDS[0].read_text(encoding="utf-8").splitlines(keepends=True)[:6]
    (tmp_path / "short.jsonl").write_text("".join(record), encoding="utf-8")
    companion("import", tmp_path / "short.jsonl", "--data", tmp_path)

    refused = companion("export", 1, "--to", "bgstats", "--data", tmp_path)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "isn't finished" in refused.stderr


def test_a_running_service_takes_the_record_in_itself(tmp_path: Path, service: Service) -> None:
    """Import: while a service has the ledger open, the record is imported through the service."""
    taken = companion("import", RECORDS[0], "--data", tmp_path / "data")

    assert taken.returncode == 0
    assert [each["id"] for each in service.ask("GET", "/api/v1/games")[1]["games"]] == [1]
    assert str(1) in companion("games", "--data", tmp_path / "data").stdout


def test_a_second_service_on_one_ledger_is_refused(tmp_path: Path, service: Service) -> None:
    """Ledger: a second service on the same ledger prints one line and exits with status 1."""
    second = companion("serve", "--port", 0, "--bind", "127.0.0.1", "--data", tmp_path / "data")

    assert second.returncode == 1
    assert len(second.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_refused_with_a_way_out(tmp_path: Path) -> None:
    """Serve: a port that another program has is refused in one line, which names the option for another port."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        refused = companion("serve", "--port", port, "--bind", "127.0.0.1", "--data", tmp_path)

    assert refused.returncode == 1
    assert refused.stderr.splitlines() == [
        f"companion: port {port} on 127.0.0.1 can't be opened: Address already in use. "
        "Choose another one: --port 8080, or make run PORT=8080."
    ]


def test_a_ledger_from_a_newer_program_is_refused(tmp_path: Path) -> None:
    """Ledger: a ledger with a newer schema version is refused in one line that says so."""
    companion("import", RECORDS[0], "--data", tmp_path)
    with sqlite3.connect(tmp_path / "ledger.sqlite") as ledger:
        ledger.execute("PRAGMA user_version = 9")
    ledger.close()

    for command in (("games",), ("export", 1), ("serve", "--port", 0), ("import", RECORDS[0])):
        refused = companion(*command, "--data", tmp_path)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (1, 1)
        assert "newer" in refused.stderr


def test_a_backup_can_be_put_back(tmp_path: Path) -> None:
    """Backup and restore: the backup holds every game, and the replaced ledger remains as a file."""
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite"
    companion("import", RECORDS[0], "--data", data)
    assert companion("backup", copy, "--data", data).returncode == 0
    companion("import", RECORDS[1], "--data", data)

    restored = companion("restore", copy, "--data", data)

    assert restored.returncode == 0
    assert len(companion("games", "--data", data).stdout.splitlines()) == 1
    assert len(list(data.glob("ledger-*.sqlite"))) == 1


def test_a_restored_ledger_has_lost_nothing(tmp_path: Path) -> None:
    """A restore moves the old ledger's last row number aside with it, so that no rows are reported missing."""
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite"
    companion("import", RECORDS[0], "--data", data)
    companion("backup", copy, "--data", data)
    companion("import", RECORDS[1], "--data", data)
    companion("restore", copy, "--data", data)
    (aside,) = data.glob("ledger-*.sqlite")

    with closing(Ledger.open(data / "ledger.sqlite")) as ledger, closing(Ledger.open(aside)) as before:
        assert (ledger.found, before.found) == ((), ())
        assert (ledger.identity, verify(aside).findings) == (before.identity, ())
        assert before.last > ledger.last


def test_a_backup_is_made_while_the_service_runs_and_put_back_only_after(tmp_path: Path, service: Service) -> None:
    """Backup and restore: a backup works while the service runs; a restore is refused until it stops."""
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite"
    companion("import", RECORDS[0], "--data", data)

    assert companion("backup", copy, "--data", data).returncode == 0
    refused = companion("restore", copy, "--data", data)

    assert refused.returncode == 1
    assert "service" in refused.stderr.lower()


def test_the_doctor_says_how_things_stand(tmp_path: Path, service: Service) -> None:
    """While a service runs, doctor exits with status 0 and prints the service's address."""
    said = companion("doctor", "--data", tmp_path / "data")

    assert said.returncode == 0
    assert service.url in said.stdout


def test_a_lost_pin_is_renewed_on_the_machine(tmp_path: Path, service: Service) -> None:
    """PIN: `pin --renew` draws a new PIN while the service runs."""
    shown = companion("pin", "--data", tmp_path / "data").stdout.strip()
    renewed = companion("pin", "--renew", "--data", tmp_path / "data").stdout.strip()

    assert shown == service.pin
    assert len(renewed) == 8
    assert companion("pin", "--data", tmp_path / "data").stdout.strip() == renewed


BAD_USE = (
    ("fly",),
    (),
    ("replay",),
    ("replay", "nowhere.jsonl"),
    ("replay", ".", "--until", "0"),
    ("simulate", "--players", "6"),
    ("simulate", "--games", "-1"),
    ("odds", "--stations", "3", "--own", "4", "--draws", "1"),
    ("serve", "--port", "70000"),
    ("serve", "--ring", "gpio:?a=99"),
    ("serve", "--ring", "mock:?seed=x"),
    ("export", "one"),
    ("export", "99"),
    ("import", "nowhere.jsonl"),
    ("backup", "copy"),
    ("restore", "nowhere"),
    ("ring", "mock"),
    ("ring", "sing"),
)


@pytest.mark.parametrize("arguments", BAD_USE, ids=" ".join)
def test_bad_use_gets_one_clear_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Command line: bad usage gives status 2, one line on standard error, and nothing on standard output."""
    keeps = arguments[:1] and arguments[0] in ("serve", "export", "import", "backup", "restore")

    refused = companion(*arguments, *(("--data", tmp_path / "data") if keeps else ()), cwd=tmp_path)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.splitlines()) == 1


def test_a_file_that_cannot_even_be_looked_at_is_told_in_one_line(tmp_path: Path) -> None:
    """Backup and restore: a path that the system refuses is bad usage, reported in one line."""
    companion("import", RECORDS[0], "--data", tmp_path)
    nowhere = tmp_path / ("x" * 300)

    refused = [companion(word, nowhere, "--data", tmp_path) for word in ("backup", "restore")]

    assert [each.returncode for each in refused] == [2, 2]
    assert [each.stderr.count("\n") for each in refused] == [1, 1]
    assert "can't be written: File name too long" in refused[0].stderr
    assert "can't be read: File name too long" in refused[1].stderr
