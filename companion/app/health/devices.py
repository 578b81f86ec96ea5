"""Check the devices: whether the service's user can open ring and console, and whether the storage works.

A running service reports its ring and console itself. To test the storage of the data folder, write it, read it back,
and measure how long a commit takes.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

from companion.app.data_folder import CONSOLE
from companion.app.health.finding import HealthFinding, care, fine, note
from companion.app.health.machine import Machine
from companion.app.health.permissions import may_open, name_of, player
from companion.app.health.service import ServiceStatus
from companion.kernel.private_file import private
from firmware_bridge import look_at
from firmware_bridge.pi_console import look_at_console

FAST_HZ = 400_000
"""The usual bus frequency. On a slower bus, reading the sensor takes over a quarter of the time of a frame."""
FASTER = "add `dtparam=i2c_arm_baudrate=400000` to /boot/firmware/config.txt, and restart"
PINS, SERIAL = "dev/gpiochip0", ("dev/ttyACM*", "dev/ttyUSB*")
NO_PORT = re.compile(r"[a-z]{4,}:")
"""Matches the beginning of a ring address that is not a serial port."""


def device_findings(
    data: Path, service: ServiceStatus, ring: str | None, console: Path | None, machine: Machine
) -> Iterator[HealthFinding]:
    """Yield findings on whether *console* and the ring at *ring* can be opened, and on their permissions."""
    usual = data / CONSOLE
    file = console or (usual if usual.is_file() else None)
    asked = ring or str(service.ring.get("port", ""))
    yield from may_open(player(data, service.process, machine), _wanted(asked, file is not None, machine))
    yield from bus_speed(asked, machine)
    if file is not None:
        yield _finding("console", *look_at_console(file, asked, in_use=service.holds))
    if service.ring and (ring is None or _same(ring, str(service.ring["port"]))):
        yield _in_use(service.ring, asked=ring is not None)
    elif service.reported and not service.ring and ring is None:
        yield fine("ring", "The service plays without a ring: type draws in.")
    elif ring:
        yield _finding("ring", *look_at(ring))


def bus_speed(ring: str, machine: Machine) -> Iterator[HealthFinding]:
    """Yield a note if *ring* is connected to the Pi's pins and its I2C bus is slower than its sensor.

    The kernel reports the speed of the bus on some computers only.
    """
    if not ring.startswith("gpio:"):
        return
    from firmware_bridge.pi_ring.gpio_address import parse_gpio_address

    for file in machine.found(f"sys/class/i2c-adapter/i2c-{parse_gpio_address(ring).bus}/of_node/clock-frequency"):
        hz = int.from_bytes(file.read_bytes(), "big")  # cells of the device tree are big-endian
        if hz < FAST_HZ:
            yield note("bus", f"The bus of the ring's sensor runs at {hz // 1000} kHz, not at 400: {FASTER}.")


def _wanted(ring: str, console: bool, machine: Machine) -> list[Path]:
    """Return the existing devices that a ring and a console need."""
    patterns = [PINS] if console else []
    if ring.startswith("gpio:"):
        from firmware_bridge.pi_ring.gpio_address import parse_gpio_address

        patterns += [PINS, f"dev/i2c-{parse_gpio_address(ring).bus}"]
    elif ring == "auto":
        patterns += SERIAL
    elif ring.startswith("/"):
        patterns.append(ring.removeprefix("/"))
    return list(dict.fromkeys(path for each in patterns for path in machine.found(each)))


def _same(asked: str, port: str) -> bool:
    """Return whether *asked*, the address of a ring, means the service's ring at *port*."""
    if asked == "auto":
        return not NO_PORT.match(port)
    if asked.startswith("gpio:"):
        return port.startswith("gpio:")
    return asked == port or (asked.startswith("/") and Path(asked).resolve() == Path(port).resolve())


def _in_use(view: Mapping[str, Any], asked: bool) -> HealthFinding:
    port, trouble = view["port"], str(view.get("trouble", "")) or "it doesn't answer yet."
    if view["state"] == "live" and not view.get("trouble"):
        who = f"device {view['device']}, firmware {view['firmware']}"
        return fine("ring", f"The service is using the ring at {port}, and it answers: {who}.")
    sentence = f"The service is using the ring at {port}: {trouble} You can type draws in."
    return care("ring", sentence) if asked else note("ring", sentence)


def _finding(about: str, well: bool, sentence: str) -> HealthFinding:
    return fine(about, sentence) if well else care(about, sentence)


COMMITS = 9
PAGE = 4096
SLOW_MS, TOO_SLOW_MS = 100.0, 1_000.0
"""Limits for the duration of a commit, in milliseconds.

From `SLOW_MS` on, a tap feels slow. From `TOO_SLOW_MS` on, nobody can play.
"""

_KEEP = "Copy the ledger to another disk first (companion backup FILE)"
_WORDS = {
    errno.ENOSPC: "{folder} is full: nothing can be saved. The ledger is safe: "
    "leave it there, and move other files away.",
    errno.EROFS: "{folder} is now read-only: nothing can be saved. " + _KEEP + ", then restart the computer; a "
    "card that does it again is worn out.",
    errno.EIO: "The card under {folder} fails ({why}): don't trust it. " + _KEEP + ", then use a new card.",
    errno.EACCES: "This user can't write in {folder}: nothing can be saved. It belongs to {owner}: run this and "
    "the service, as that user.",
}
_WORDS |= {errno.EDQUOT: _WORDS[errno.ENOSPC], errno.EPERM: _WORDS[errno.EACCES]}
_OTHER = "{folder} can't be written ({why}): nothing can be saved. " + _KEEP + "."
_OTHERWISE = "{folder} doesn't read back what was written: the card is worn out. " + _KEEP + ", then use a new card."


class StorageCard:
    """The storage operations of the check.

    Tests of this module replace it by a full, read-only, failing or slow card.
    """

    def make(self, path: Path) -> int:
        """Open a new file at *path*."""
        return private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)

    def commit(self, descriptor: int, page: bytes, at: int) -> None:
        """Write *page* in the same way as a commit of the ledger, and return when it is on the card."""
        os.pwrite(descriptor, page, at)
        os.fsync(descriptor)

    def read(self, descriptor: int, size: int) -> bytes:
        """Return the first *size* bytes.

        If the system allows it, they are read from the card and not from the page cache.
        """
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        return os.pread(descriptor, size, 0)

    def now(self) -> float:
        """Return a monotonic time in seconds."""
        return time.perf_counter()


CARD = StorageCard()


def probed(folder: Path, card: StorageCard = CARD) -> HealthFinding:
    """Write, sync, read back and delete a few pages in *folder*, and return the finding."""
    try:
        with _file_of_ours(folder, card) as descriptor:
            took = list(_commits(descriptor, card))
            whole = card.read(descriptor, COMMITS * PAGE) == _pages()
    except OSError as fault:
        return care("card", _why_not(fault, folder))
    if not whole:
        return care("card", _OTHERWISE.format(folder=folder))
    return _speed(folder, took)


def _why_not(fault: OSError, folder: Path) -> str:
    """Return a sentence that says what *fault* means, with advice. Following the advice never destroys data."""
    words = _WORDS.get(fault.errno or 0, _OTHER)
    return words.format(folder=folder, why=fault.strerror or fault, owner=name_of(folder.stat().st_uid))


@contextmanager
def _file_of_ours(folder: Path, card: StorageCard) -> Iterator[int]:
    path = folder / f".probe.{os.urandom(4).hex()}"
    descriptor = card.make(path)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
        with suppress(OSError):  # if the card has become read-only, that is reported anyway
            path.unlink()


def _commits(descriptor: int, card: StorageCard) -> Iterator[float]:
    """Yield the duration of each commit in milliseconds."""
    pages = _pages()
    for at in range(0, len(pages), PAGE):
        began = card.now()
        card.commit(descriptor, pages[at : at + PAGE], at)
        yield (card.now() - began) * 1000


def _pages() -> bytes:
    """Return the pages to write. They all differ, so that swapped pages are detected."""
    return b"".join(bytes([number]) * PAGE for number in range(1, COMMITS + 1))


def _speed(folder: Path, took: list[float]) -> HealthFinding:
    usual = median(took)
    measured = f"a commit takes {usual:.1f} ms ({max(took):.1f} at worst; up to {SLOW_MS:.0f} is fine)"
    if usual > SLOW_MS:
        finding = care if usual > TOO_SLOW_MS else note
        return finding("card", f"The card under {folder} is slow: {measured}. Use a faster one, of class A1 or A2.")
    return fine("card", f"{folder} reads back what was written; {measured}.")
