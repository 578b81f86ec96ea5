"""A real browser on this machine for the service on a virtual machine: its connections go over a serial line."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from playwright.sync_api import sync_playwright

from tests.browser.conftest import launched
from tests.browser.tablet import TABLET
from tests.browser.tablet import Tablet as Glass
from tests.pi.guest.tunnel import HELLO, Tunnel
from tests.pi.house import House
from tests.pi.machine import Otherwise

DEVICE = "/dev/ttyS2"
SLOW_MS = 300_000
"""Timeout of a page, on a machine whose processor is shared with other programs."""


@contextmanager
def before(house: House) -> Iterator[Glass]:
    """Yield the browser of a tablet that uses the service on *house*'s machine."""
    house.beside("tunnel.py", DEVICE)
    with _door(house.machine.second_line) as port, sync_playwright() as playwright:
        glass = Glass(launched(playwright), f"http://127.0.0.1:{port}", TABLET)
        glass.page.set_default_timeout(SLOW_MS)
        yield glass
        glass.close()


@contextmanager
def _door(line: socket.socket) -> Iterator[int]:
    """Yield a port of this machine that leads over *line* to the service."""
    tunnel, words = Tunnel(line.sendall), line.makefile("rb")
    line.settimeout(SLOW_MS / 1000)
    if words.readline() != HELLO:
        raise Otherwise("the machine's end of the tunnel does not say hello")
    line.settimeout(None)
    threading.Thread(target=_heard, args=(words, tunnel), daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=_let_in, args=(door, tunnel), daemon=True).start()
        yield door.getsockname()[1]
        with suppress(OSError):
            door.shutdown(socket.SHUT_RDWR)


def _let_in(door: socket.socket, tunnel: Tunnel) -> None:
    with suppress(OSError):
        for number in itertools.count(1):
            tunnel.begin(number, door.accept()[0])


def _heard(words: IO[bytes], tunnel: Tunnel) -> None:
    with suppress(OSError), words:
        for word in words:
            tunnel.hear(word)
