"""A Python that has imported the whole house once, and becomes each process that a test asks it for.

Started with the number of a socket on which requests come: a JSON object with `argv` (as after `python`: `-m`, a
module, its arguments), `cwd` and `env`, and with it standard input, output, error and a socket for what becomes of it.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

ROOMS = ("companion", "firmware_bridge", "web")
MOST_BYTES = 200_000
NUMBER = struct.Struct("i")


def import_all() -> None:
    """Import every module of the house that can be imported on this machine."""
    for room in ROOMS:
        for module in pkgutil.walk_packages(import_module(room).__path__, f"{room}."):
            if not module.name.endswith("__main__"):
                with suppress(ImportError):  # what only a Pi has
                    import_module(module.name)
    gc.collect()
    gc.freeze()  # a child that looks through all of this would copy it


def next_process(control: socket.socket) -> dict[str, Any]:
    """Fork for each request and go on; return the request in the process that is to carry it out."""
    signal.signal(signal.SIGCHLD, bury)
    while True:
        asked, files, *_ = socket.recv_fds(control, MOST_BYTES, 4)
        if not asked:
            os._exit(0)  # who asked has ended
        if os.fork() == 0:
            control.close()
            # Else `bury` would take the status that `watched` waits for.
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            watched(files)
            return dict(json.loads(asked))
        for file in files:
            os.close(file)


def bury(*_: object) -> None:
    """Wait for all that have ended, so that what they used is counted; ignored, they would vanish with it."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def watched(files: list[int]) -> None:
    """Go on as a child with these standard files, and let the parent tell its number and how it ends."""
    *standard, told = files
    # Twice: only a parent learns how it ended, and that stays beside it.
    if (child := os.fork()) == 0:
        for number, file in enumerate(standard):
            os.dup2(file, number)
    else:
        os.write(told, NUMBER.pack(child))
    for file in standard if child else files:
        os.close(file)
    if child:
        os.write(told, NUMBER.pack(os.waitpid(child, 0)[1]))
        os._exit(0)


def main() -> None:
    """Import everything, then become what is asked for."""
    control = socket.socket(fileno=int(sys.argv[1]))
    import_all()
    asked = next_process(control)
    os.environ.clear()
    os.environ.update(asked["env"])
    # The C library has read the zone already, before `env` came.
    time.tzset()
    os.chdir(asked["cwd"])
    _, module, *sys.argv[1:] = asked["argv"]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
