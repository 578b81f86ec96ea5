"""A Python that has imported the whole program once, and is forked for each process that a test requests.

Its argument is the number of a socket on which requests arrive. A request is a JSON object with `argv` (as after
`python`: `-m`, a module, its arguments), `cwd` and `env`. With it come the descriptors of standard input, output and
error, and of a socket for the process's number and exit status.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

ROOMS = ("companion", "firmware_bridge", "web")
MOST_BYTES = 200_000
NUMBER = struct.Struct("i")


def import_all() -> None:
    """Import every module of the program that can be imported on this machine."""
    for room in ROOMS:
        for module in pkgutil.walk_packages(import_module(room).__path__, f"{room}."):
            if not module.name.endswith("__main__"):
                with suppress(ImportError):  # modules that only work on a Pi
                    import_module(module.name)
    gc.collect()
    gc.freeze()  # otherwise a collection in a child would copy this memory


def next_process(control: socket.socket) -> dict[str, Any]:
    """Fork for each request; return the request in the new process, which executes it."""
    told: dict[int, int] = {}
    signal.signal(signal.SIGCHLD, lambda *_: tell_ends(told))
    while True:
        asked, files, *_ = socket.recv_fds(control, MOST_BYTES, 4)
        if not asked:
            os._exit(0)  # the requesting process has ended
        *standard, fate = files
        # A child that ends at once must not be waited for before the socket for its status is known.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        if (child := os.fork()) == 0:
            for number, file in enumerate(standard):
                os.dup2(file, number)
            for file in (control.detach(), *files, *told.values()):
                os.close(file)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            return dict(json.loads(asked))
        told[child] = fate
        tell(fate, child)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        for file in standard:
            os.close(file)


def tell_ends(told: dict[int, int]) -> None:
    """Wait for all children that have ended, and send their status to the requesting process."""
    with suppress(ChildProcessError):
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if not child:
                return
            fate = told.pop(child)
            tell(fate, status)
            os.close(fate)


def tell(fate: int, number: int) -> None:
    """Send a number to the requesting process, if it still listens."""
    with suppress(BrokenPipeError, ConnectionResetError):
        os.write(fate, NUMBER.pack(number))


def carried_out(module: str) -> NoReturn:
    """Run *module* as `python -m` does, and end as Python does, but without tearing down the imported modules.

    Tearing down thousands of modules writes to memory that is shared with the server, and costs more than most
    commands do.
    """
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as asked:
        if not isinstance(asked.code, int | None):
            raise
        status = asked.code or 0
    else:
        status = 0
    threading._shutdown()  # type: ignore[attr-defined]  # what multiprocessing ends its children with, too
    atexit._run_exitfuncs()
    for file in (sys.stdout, sys.stderr):
        with suppress(BrokenPipeError):
            file.flush()
    os._exit(status)


def main() -> None:
    """Import everything once, then run each requested program in a forked process."""
    control = socket.socket(fileno=int(sys.argv[1]))
    import_all()
    asked = next_process(control)
    os.environ.clear()
    os.environ.update(asked["env"])
    # The C library has already read the time zone, before `env` was set.
    time.tzset()
    os.chdir(asked["cwd"])
    _, module, *sys.argv[1:] = asked["argv"]
    carried_out(module)


if __name__ == "__main__":
    main()
