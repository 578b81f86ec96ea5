"""Copies a program to a board.

The copy is first stored next to the old program and verified, then moved into its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil

from firmware_bridge.firmware_image.build import CUSTOM, MAIN
from firmware_bridge.firmware_image.compile import BYTECODE
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.firmware_image.manifest import MANIFEST, digest_of
from firmware_bridge.flashing.repl import About, BoardRepl, folders
from firmware_bridge.flashing.versions import CHIPS, OLDEST, known_fault, too_old

NEW, WAS = "ring.new", "ring.was"
PARTS = (MAIN, MANIFEST, "ring", "wire")
"""The parts of a firmware. The starting file is first: it is removed first and added last, so versions never mix."""
BLOCKS_OF_A_FOLDER = 2

CLEAR = """
import os
def there(path):
    try:
        return os.stat(path)
    except OSError:
        return None
def clear(path):
    found = there(path)
    if found is None:
        return
    if found[0] & 0x4000:
        for entry in list(os.ilistdir(path)):
            clear(path + "/" + entry[0])
        os.rmdir(path)
    else:
        os.remove(path)
"""
SWITCH = """
os.mkdir("/{was}")
for part in {parts}:
    if there("/" + part):
        os.rename("/" + part, "/{was}/" + part)
for part in reversed({parts}):
    if there("/{new}/" + part):
        os.rename("/{new}/" + part, "/" + part)
clear("/{was}")
clear("/{new}")
"""

Say = Callable[[str], None]


def check(about: About, say: Say) -> None:
    """Raise FirmwareFault if the firmware cannot run on the board that *about* describes.

    Pass a known fault to *say*.
    """
    if not any(chip in about.machine for chip in CHIPS):
        raise FirmwareFault(f"This is {about.words}: the firmware is for an RP2040 or an RP2350 (a Raspberry Pi Pico).")
    if too_old(about.version):
        wanted = ".".join(map(str, OLDEST))
        raise FirmwareFault(
            f"This is {about.words}: it needs at least {wanted}. docs/firmware.md says how to update it."
        )
    if about.bytecode != BYTECODE:
        raise FirmwareFault(f"{about.words} reads bytecode {about.bytecode}, and the firmware is bytecode {BYTECODE}.")
    if fault := known_fault(about.machine, about.version):
        say(f"{fault} The firmware still works on it, with a slower bus.")


def put(board: BoardRepl, program: Mapping[str, bytes], parts: Sequence[str], say: Say) -> None:
    """Replace all *parts* on *board* with *program*. A part that *program* does not have is deleted.

    Until the new program has been copied and verified completely, the old program is untouched and starts with the
    board. The change itself is a few renames on the board. If the power fails during the renames, the board has no
    program and starts its REPL, but it never has a mixture of two programs.
    """
    _clear_up(board)
    _check_room(board, program)
    try:
        _stage(board, program, say)
        _verify(board, program)
    except FirmwareFault:
        _leave_as_it_was(board)
        raise
    say("Switching to the new files.")
    board.run(CLEAR + SWITCH.format(was=WAS, new=NEW, parts=tuple(parts)))


def parts_of(custom: bool) -> tuple[str, ...]:
    """Return the parts to replace. The owner's file is one of them only if there is a new one (*custom*)."""
    return (*PARTS, CUSTOM) if custom else PARTS


def is_there(board: BoardRepl, program: Mapping[str, bytes], parts: Sequence[str]) -> bool:
    """Return whether the *parts* on *board* already equal those of *program*."""
    found = [path for path in board.files() if path.split("/")[0] in parts]
    return set(found) == program.keys() and board.digests(found) == _digests(program)


def blocks(program: Mapping[str, bytes], size: int) -> int:
    """Return how many flash blocks of *size* bytes *program* takes at most."""
    files = sum(max(ceil(len(data) / size), 1) for data in program.values())
    return files + BLOCKS_OF_A_FOLDER * (len(folders(program)) + 2)


def _check_room(board: BoardRepl, program: Mapping[str, bytes]) -> None:
    size, free = board.room()
    wanted = blocks(program, size)
    if wanted > free:
        kilo = [f"{count * size // 1024} kB" for count in (wanted, free)]
        raise FirmwareFault(f"The flash is too full: {kilo[0]} needed, {kilo[1]} free.")


def _stage(board: BoardRepl, program: Mapping[str, bytes], say: Say) -> None:
    made = "".join(f"os.mkdir('/{folder}')\n" for folder in [NEW, *(f"{NEW}/{each}" for each in folders(program))])
    board.run("import os\n" + made)
    for number, (path, data) in enumerate(sorted(program.items()), 1):
        say(f"Copying {number} of {len(program)}: {path}")
        board.write(f"{NEW}/{path}", data)


def _verify(board: BoardRepl, program: Mapping[str, bytes]) -> None:
    arrived = board.digests(f"{NEW}/{path}" for path in program)
    for path, digest in _digests(program).items():
        if arrived[f"{NEW}/{path}"] != digest:
            raise FirmwareFault(f"{path} arrived damaged: nothing changed. Try again.")


def _digests(program: Mapping[str, bytes]) -> dict[str, str]:
    return {path: digest_of(data) for path, data in program.items()}


def _clear_up(board: BoardRepl) -> None:
    """Delete the files that an interrupted installation has left."""
    board.run(CLEAR + f"clear('/{NEW}')\nclear('/{WAS}')")


def _leave_as_it_was(board: BoardRepl) -> None:
    """Delete the new program again, if the board still answers. If not, the next installation deletes it."""
    try:
        _clear_up(board)
    except FirmwareFault:
        return
