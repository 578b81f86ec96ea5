"""Switching off, with the whole program: the page is sent, the ledger is closed, and only then does the command run."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from companion.app.data_folder import LEDGER
from tests.companion.app.processes import Service

NOTE = "import pathlib, sys; ledger, note = map(pathlib.Path, sys.argv[1:]); "
NOTE += "note.write_text(' '.join(sorted(each.name for each in ledger.parent.iterdir())))"


def test_the_ledger_is_closed_before_the_computer_goes(tmp_path: Path) -> None:
    """Power: the service sends its page, closes the ledger, runs the command and exits with status 0."""
    data, note = tmp_path / "data", tmp_path / "note"
    script = tmp_path / "off.py"
    script.write_text(NOTE, encoding="utf-8")
    command = f"{sys.executable} {script} {data / LEDGER} {note}"
    service = Service(data, "none", "--power-off", command)

    connection = service.send("POST", "/house/off")
    answer = connection.getresponse()
    page = answer.read().decode()
    connection.close()

    assert answer.status == 200
    assert "for ten seconds, unplug it" in page
    assert service.ended() == 0
    assert f"{LEDGER}-wal" not in note.read_text(encoding="utf-8")
    assert sqlite3.connect(data / LEDGER).execute("pragma integrity_check").fetchone() == ("ok",)


def test_a_command_that_fails_is_told_where_the_program_runs(tmp_path: Path) -> None:
    """Power: if the command fails, the program exits with status 1, so that systemd starts it again."""
    service = Service(tmp_path / "data", "none", "--power-off", f"{sys.executable} -c 'raise SystemExit(3)'")
    connection = service.send("POST", "/house/off")
    connection.getresponse().read()
    connection.close()

    assert service.ended() == 1
