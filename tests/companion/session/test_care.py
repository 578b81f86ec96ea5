"""Commands for a ledger when the ledger, its folder or the file with the service's address is wrong."""

from __future__ import annotations

import http.server
import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from tests.companion.app.processes import companion

RECORD = Path(__file__).parents[1] / "games" / "andromeda" / "records" / "a-quick-evening-of-three.jsonl"


class Stranger(http.server.BaseHTTPRequestHandler):
    """A server that is not a companion, and answers every request with a page."""

    def do_GET(self) -> None:
        """Answer with a page."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>Something else lives here now.")

    def log_message(self, *_: object) -> None:
        """Write no log."""


@pytest.fixture
def stranger() -> Iterator[str]:
    """The URL of a server that is not a companion."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Stranger)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_damaged_ledger_is_replaced_by_its_copy_and_kept(tmp_path: Path) -> None:
    """Restore: following the doctor's advice for a damaged ledger works, and the damaged file is kept."""
    companion("import", RECORD, "--data", tmp_path / "data")
    companion("backup", tmp_path / "copy", "--data", tmp_path / "data")
    ledger = tmp_path / "data" / "ledger.sqlite"
    ledger.write_bytes(b"no ledger at all")

    advised = companion("doctor", "--data", tmp_path / "data")
    restored = companion("restore", tmp_path / "copy", "--data", tmp_path / "data")

    assert (advised.returncode, restored.returncode) == (1, 0)
    assert "finished" in companion("games", "--data", tmp_path / "data").stdout
    assert [kept.read_bytes() for kept in ledger.parent.glob("ledger-*.sqlite")] == [b"no ledger at all"]


@pytest.mark.parametrize(
    "arguments",
    [("import", RECORD), ("restore", "copy"), ("serve",), ("pin",)],
    ids=lambda arguments: arguments[0],
)
def test_a_data_folder_that_cannot_be_made_gets_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Commands: a data folder that cannot be created is reported in one line, with status 2."""
    companion("import", RECORD, "--data", tmp_path / "data")
    companion("backup", tmp_path / "copy", "--data", tmp_path / "data")

    refused = companion(*arguments, "--data", tmp_path / "copy" / "data", cwd=tmp_path)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.splitlines()) == 1


def test_a_copy_that_has_no_place_gets_one_line(tmp_path: Path) -> None:
    """Backup: a target that cannot be created is reported in one line."""
    companion("import", RECORD, "--data", tmp_path)

    failed = companion("backup", tmp_path / "ledger.sqlite" / "copy", "--data", tmp_path)

    assert failed.returncode == 2
    assert len(failed.stderr.splitlines()) == 1


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:1", "no address"], ids=["a stranger", "nobody", "nonsense"])
def test_the_note_of_a_dead_service_misleads_nobody(tmp_path: Path, stranger: str, url: str) -> None:
    """Commands: a service.json that leads to no server, or to another server, counts as no service."""
    (tmp_path / "service.json").write_text(json.dumps({"url": url or stranger, "pid": 1}), encoding="utf-8")
    (tmp_path / "token").write_text("t", encoding="utf-8")

    taken = companion("import", RECORD, "--data", tmp_path)

    assert (taken.returncode, taken.stdout) == (0, "Imported as game 1.\n")
