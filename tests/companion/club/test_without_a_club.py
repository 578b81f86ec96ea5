"""A table without a club uses nothing of the club's code."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from companion.app.data_folder import MEMBERSHIP, POSITION
from companion.club import membership, position
from tests.companion.app.processes import PATIENCE_S


def test_nothing_of_a_club_is_imported_or_started(tmp_path: Path) -> None:
    """Without a club, neither its modules nor its MQTT library are imported, and none of its threads are started."""
    words = ["serve", "--bind", "127.0.0.1", "--port", "0", "--no-mdns", "--data", str(tmp_path)]
    run = [sys.executable, "-X", "importtime", "-m", "companion", *words]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        address = service.stdout.readline().split()[-1]
        with urlopen(f"{address}healthz") as answer:  # noqa: S310 - an address of this machine
            threads = [each["name"] for each in json.load(answer)["threads"]]
        service.send_signal(signal.SIGTERM)
        _, imported = service.communicate(timeout=PATIENCE_S)

    assert "companion.app.bootstrap" in imported
    assert "companion.club" not in imported
    assert "paho" not in imported
    assert not [name for name in threads if name.startswith(("link", "broker", "club"))]


def test_the_service_looks_for_the_files_that_a_club_writes() -> None:
    """The file names that the service uses without importing the club equal the club's own."""
    assert (MEMBERSHIP, POSITION) == (membership.MEMBERSHIP, position.SENT)
