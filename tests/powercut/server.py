"""A forgetful disk in a process of its own: mounted, cut at the requested moment, and mounted again.

Its argument is the number of a socket for commands. Each packet is a JSON object and is answered:

- `mount` (`place`): mounts the disk there.
- `arm` (`what`, `after`, `done`): the power fails at operation number *after* of those whose names match *what*
  (`fnmatch`): just before the operation, or with *done* just after it, before it is answered.
- `watch` (`pid`): a process to kill when the power fails; `forget` (`pid`): the process has ended by itself.
- `cut` (`lots`, `share`): the power fails now, unless it has failed already; unsynced data is lost except for a
  share, which is random by the seed *lots* if it is null. The disk can then be mounted again. The answer has the
  `moment` of the failure (empty means at this command) and the number of `unsynced` changes.
- `lay` (`at`): copies the disk's content into an ordinary folder.

It sends `failed` by itself when the moment has come, just before it kills all watched processes.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from random import Random
from typing import Any

from tests.powercut.disk import File, Folder, Link, empty_disk, mercy, unsynced
from tests.powercut.forgetful import Forgetful
from tests.powercut.fuse_messages import LARGEST_REQUEST, UNANSWERED, asked
from tests.powercut.mounting import mounted, unmount

MOST_TOLD = 10_000


class Server:
    """One disk, mounted or not, and the socket for commands of the campaign."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._disk = empty_disk()
        self._place: Path | None = None
        self._kernel: int | None = None
        self._mounted = Forgetful(self._disk)
        self._processes: set[int] = set()
        self._moment = ""
        self._what, self._left, self._after_it = "", 0, False
        self._buffer = bytearray(LARGEST_REQUEST)
        self._told: Mapping[str, Callable[..., Mapping[str, object]]] = {
            "mount": self._mount,
            "arm": self._arm,
            "watch": self._watch,
            "forget": self._forget,
            "cut": self._cut,
            "lay": self._lay,
        }

    def run(self) -> None:
        """Answer the kernel and the campaign until the campaign closes its socket."""
        while True:
            wanted = [self._control.fileno(), *(() if self._kernel is None else (self._kernel,))]
            ready, _, _ = select.select(wanted, [], [])
            if self._control.fileno() in ready and not self._hear():
                break
            if self._kernel is not None and self._kernel in ready:
                self._serve(self._kernel)
        self._off()
        if self._place is not None:
            unmount(self._place)

    # The kernel

    def _serve(self, kernel: int) -> None:
        try:
            size = os.readv(kernel, [self._buffer])
        except OSError:  # the request was cancelled
            return
        request = asked(memoryview(self._buffer)[:size])
        moment = self._mounted.moment(request)
        last = self._is_last(moment)
        if not last or self._after_it:
            answer = self._mounted.answer(request)
        if last:
            self._fail(moment)
        elif request.op not in UNANSWERED:
            with suppress(OSError):  # the requesting process was killed meanwhile
                os.write(kernel, answer)

    def _is_last(self, moment: str) -> bool:
        if not (moment and self._what and fnmatch(moment, self._what)):
            return False
        self._left -= 1
        return self._left == 0

    def _fail(self, moment: str) -> None:
        self._moment = moment
        # Sent before they are killed, so that the campaign knows why they end.
        self._say({"failed": moment})
        self._off()

    def _off(self) -> None:
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._processes.clear()
        self._what = ""
        if self._kernel is not None:
            os.close(self._kernel)  # ends their pending requests, so that they can die
            self._kernel = None

    # The campaign

    def _hear(self) -> bool:
        packet = self._control.recv(MOST_TOLD)
        if not packet:
            return False
        told: dict[str, Any] = json.loads(packet)
        self._say(self._told[told.pop("do")](**told))
        return True

    def _say(self, what: Mapping[str, object]) -> None:
        self._control.send(json.dumps(what).encode())

    def _mount(self, place: str) -> Mapping[str, object]:
        self._place, self._moment = Path(place), ""
        self._mounted = Forgetful(self._disk)
        self._kernel = mounted(self._place)
        return {}

    def _arm(self, what: str, after: int, done: bool) -> Mapping[str, object]:
        self._what, self._left, self._after_it = what, after, done
        return {}

    def _watch(self, pid: int) -> Mapping[str, object]:
        self._processes.add(pid)
        if self._kernel is None:  # the process was started while the power failed
            self._off()
        return {}

    def _forget(self, pid: int) -> Mapping[str, object]:
        self._processes.discard(pid)
        return {}

    def _cut(self, lots: int, share: float | None) -> Mapping[str, object]:
        self._off()
        assert self._place is not None
        unmount(self._place)
        self._place = None
        lost = unsynced(self._disk)
        self._disk = self._disk.after_cut(mercy(Random(lots), share))
        return {"moment": self._moment, "unsynced": lost}

    def _lay(self, at: str) -> Mapping[str, object]:
        lay(self._disk, Path(at))
        return {}


def lay(folder: Folder, at: Path) -> None:
    """Copy the content of *folder* into an ordinary folder."""
    at.mkdir(exist_ok=True)
    for name, node in folder.seen.items():
        path = at / os.fsdecode(name)
        match node:
            case Folder():
                lay(node, path)
            case File():
                path.write_bytes(node.seen)
                path.chmod(node.mode & 0o7777)
            case Link():
                path.symlink_to(os.fsdecode(node.target))


if __name__ == "__main__":
    Server(socket.socket(fileno=int(sys.argv[1]))).run()
