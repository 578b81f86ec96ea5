"""The console script that an installation creates: it finds the program from any folder."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("companion")
PATIENCE_S = 60


def test_the_installed_command_serves_until_it_is_told_to_end(tmp_path: Path) -> None:
    """Console script: `companion serve`, started in any folder, prints its address, answers and exits with status 0."""
    words = ("serve", "--bind", "127.0.0.1", "--port", "0", "--data", tmp_path / "data", "--no-mdns")
    with subprocess.Popen([SCRIPT, *words], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        try:
            url = service.stdout.readline().split()[-1]
            with urllib.request.urlopen(f"{url}healthz", timeout=PATIENCE_S) as answer:  # noqa: S310  # our own
                health = json.load(answer)
        finally:
            service.send_signal(signal.SIGTERM)
        status = service.wait(PATIENCE_S)

    assert (health["status"], status) == ("ok", 0)
