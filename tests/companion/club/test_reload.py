"""A broker that is starting gets the signal to read its passwords again only when the signal can't kill it any more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from companion.club.broker_files import CONFIGURATION, PID, reload_broker

PATIENCE_S = 60.0
BROKER = """import signal, sys
print("started", flush=True)
for line in sys.stdin:
    signal.signal(signal.SIGHUP, lambda *_: print("read again", flush=True))
    break
sys.stdin.read()
"""


def test_the_signal_waits_for_its_handler(tmp_path: Path) -> None:
    """A broker gets SIGHUP as soon as it has a handler for it, and survives the signal."""
    command = [sys.executable, "-c", BROKER, os.fspath(tmp_path / CONFIGURATION)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        started = process.stdout.readline()
        (tmp_path / PID).write_text(str(process.pid), encoding="ascii")
        process.stdin.write("now\n")
        process.stdin.flush()
        told = reload_broker(tmp_path)
        said = process.stdout.readline()
        process.stdin.close()
        status = process.wait(PATIENCE_S)

    assert (started, told, said, status) == ("started\n", True, "read again\n", 0)
