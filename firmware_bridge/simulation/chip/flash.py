"""The flash contents of an emulated chip: the official MicroPython, and our firmware."""

from __future__ import annotations

import hashlib
import tempfile
import time
from binascii import b2a_base64
from collections.abc import Mapping
from pathlib import Path
from random import Random

from companion.kernel.shown import shows
from firmware_bridge.firmware_image.build import build
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.chip.board import STEP_S, ChipBoard
from firmware_bridge.simulation.chip.tools import HERE, home
from firmware_bridge.simulation.emulated.child_process import Crashed
from firmware_bridge.simulation.emulated.peripherals import Hand
from firmware_bridge.simulation.emulated.runtimes import BOARD
from firmware_bridge.simulation.physics.world import IDEAL, World
from firmware_bridge.simulation.testbench import SimulatedGate

# MicroPython's raw REPL on an emulated chip, in the chip's own time. It is used to write our firmware to the flash.
#
# The installer for real boards (`firmware_bridge.flashing`) cannot do that: it needs a serial port
# and wall-clock time.

STARTS_S = 3.0
MOST_S = 60.0  # how much of the chip's time one piece of code may take
PORTION = 768  # bytes of a file per piece of code
INTERRUPT, RAW, DONE = b"\r\x03\x03", b"\r\x01", b"\x04"
READY = b"raw REPL; CTRL-B to exit\r\n>"


@shows("_received")
class Prompt:
    """The raw REPL of *board*. No other program may be running on the board."""

    def __init__(self, board: ChipBoard, now: float = 0.0) -> None:
        self.now = now
        self._board = board
        self._received = b""
        self._listen(STARTS_S)
        self._received = b""
        self._say(INTERRUPT + RAW)
        self._until(READY)

    def run(self, code: str) -> str:
        """Run *code* on the board and return its output. Raise `Crashed` if it raises an exception."""
        self._received = b""
        self._say(code.encode() + DONE)
        self._until(b"\x04>")
        printed, raised = self._received.removeprefix(b"OK").split(DONE)[:2]
        if raised.strip():
            raise Crashed(raised.decode(errors="replace").strip())
        return printed.decode(errors="replace").strip()

    def write(self, path: str, data: bytes) -> None:
        """Write the file at *path*. Its folder must exist."""
        self.run(f"from binascii import a2b_base64\nfile = open({path!r}, 'wb')")
        for at in range(0, len(data), PORTION):
            portion = b2a_base64(data[at : at + PORTION], newline=False).decode()
            self.run(f"file.write(a2b_base64({portion!r}))")
        self.run("file.close()")

    def _say(self, data: bytes) -> None:
        self._board.receive(data, self.now)

    def _until(self, end: bytes) -> None:
        give_up = self.now + MOST_S
        while not self._received.endswith(end):
            if self.now > give_up:
                raise Crashed(f"No prompt came within {MOST_S:g} s; heard {self._received[-200:]!r}")
            self._listen(STEP_S)

    def _listen(self, seconds: float) -> None:
        self.now += seconds
        self._received += self._board.outgoing(self.now)


SIZE = 2 << 20  # bytes of flash on a Pico
SETTLES_S = 1.0  # how long the chip keeps running after the last file was written


@shows("_folder")
class ChipFlash:
    """The flash of a chip: *micropython* (from a UF2 file) at its start, and our firmware in its file system.

    MicroPython's own REPL writes the files. This takes the emulator about a minute, so the result is cached in
    *folder*, under the digest of the firmware's files and of MicroPython.
    """

    def __init__(self, micropython: bytes, folder: Path | None = None) -> None:
        if len(micropython) > SIZE:
            raise InputError("This MicroPython is larger than a Pico's flash.")
        self._micropython = micropython.ljust(SIZE, b"\xff")
        self._folder = folder or home() / "flash"

    def image(self, world: World = IDEAL) -> Path:
        """Return the file with the flash contents for a ring that was made in *world*. Build it if it is not cached."""
        files = {**_firmware(), **_known(world)}
        path = self._folder / f"{_digest(self._micropython, files)}.bin"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._make(path, files)
        return path

    def board(self, rig: SimulatedGate, hand: Hand, now: float) -> ChipBoard:
        """Return a chip with this flash at the gate of *rig*."""
        return ChipBoard(rig, hand, self.image(rig.world), now)

    def live(self, rig: SimulatedGate, hand: Hand, now: float) -> ChipBoard:
        """Return a chip with this flash that runs in wall-clock time."""
        image = self.image(rig.world)
        return ChipBoard(rig, hand, image, time.monotonic(), live=True)

    def bare(self, rig: SimulatedGate, hand: Hand, now: float) -> ChipBoard:
        """Return a chip that runs in wall-clock time and has only MicroPython, like a newly flashed board."""
        with tempfile.TemporaryDirectory() as folder:
            image = Path(folder) / "bare"
            image.write_bytes(self._micropython)
            return ChipBoard(rig, hand, image, time.monotonic(), live=True)

    def _make(self, path: Path, files: Mapping[str, bytes]) -> None:
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            blank, made = Path(folder) / "blank", Path(folder) / "made"
            blank.write_bytes(self._micropython)
            with ChipBoard(SimulatedGate(IDEAL, Random(1)), lambda words, at_us: 0, blank) as board:
                _put(Prompt(board), files)
                board.outgoing(board.at_us / 1e6 + SETTLES_S)
                board.save(made)
            made.replace(path)


def _put(prompt: Prompt, files: Mapping[str, bytes]) -> None:
    for folder in sorted({path.rsplit("/", 1)[0] for path in files if "/" in path}):
        prompt.run(f"import os\nos.mkdir({folder!r})")
    for path, data in sorted(files.items()):
        prompt.write(path, data)


def _firmware() -> dict[str, bytes]:
    """Return the firmware's files, including a `custom.py` that makes the ring report itself as simulated."""
    custom = (HERE / "board" / "custom.py").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        try:
            manifest = build(Path(name) / "firmware", custom=custom)
        except FirmwareFault as fault:
            raise InputError(str(fault)) from None
        found = {path: (Path(name) / "firmware" / path).read_bytes() for path in manifest.files}
    extra = {"outside.py": HERE / "board" / "outside.py", "base.py": BOARD / "custom.py"}
    return found | {path: file.read_bytes() for path, file in extra.items()}


def _known(world: World) -> dict[str, bytes]:
    """Return the files that a ring stores when it is made: the black card's reference and the sensor's gain."""
    stored = SimulatedGate(world, Random(1)).stored()
    return {what: ",".join(map(str, numbers)).encode() for what, numbers in stored.items()}


def _digest(micropython: bytes, files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256(micropython)
    for path, data in sorted(files.items()):
        digest.update(f"{path}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]
