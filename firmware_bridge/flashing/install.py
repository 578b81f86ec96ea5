"""Installs a firmware or restores a backup: the whole procedure, from the port to the ring's first hello."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from firmware_bridge.firmware_image.build import CUSTOM, MAIN
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.firmware_image.manifest import MANIFEST, Manifest, manifest_of, read_bundle
from firmware_bridge.flashing.backup import keep, saved_program
from firmware_bridge.flashing.find import greeted, to_prompt
from firmware_bridge.flashing.repl import BoardRepl
from firmware_bridge.flashing.upload import check, is_there, parts_of, put
from firmware_bridge.protocol.messages import Hello

Say = Callable[[str], None]
Program = Mapping[str, bytes]


def install(port: str, bundle: Path, keep_in: Path, say: Say) -> Hello:
    """Back up the board at *port* to *keep_in*, install the firmware in *bundle*, and return the first hello."""
    manifest = read_bundle(bundle)
    program = {path: (bundle / path).read_bytes() for path in (*manifest.files, MANIFEST)}
    board, firmware = to_prompt(port, say)
    with closing(board):
        _change(board, firmware, program, parts_of(CUSTOM in program), keep_in, say)
        say("Starting it.")
        board.reset()
    hello = _first_hello(port, keep_in, say)
    _expect(hello, manifest, keep_in)
    return hello


def restore(port: str, folder: Path, keep_in: Path, say: Say) -> Hello | None:
    """Restore the backup in *folder*. Return the first hello, or None if the backup contains no ring firmware."""
    program = saved_program(folder)
    board, firmware = to_prompt(port, say)
    with closing(board):
        _change(board, firmware, program, parts_of(True), keep_in, say)
        board.reset()
    return _first_hello(port, keep_in, say) if {MAIN, MANIFEST} <= program.keys() else None


def _change(board: BoardRepl, firmware: str, program: Program, parts: Sequence[str], keep_in: Path, say: Say) -> None:
    about = board.about()
    say(f"The board is {about.words}; on it: {_what_is_there(board, firmware)}.")
    check(about, say)
    if program and is_there(board, program, parts):
        say("The board already has all of it: nothing to copy.")
        return
    count = keep(board, about, firmware, keep_in)
    say(f"The board's {count} files are saved in {keep_in}.")
    put(board, program, parts, say)


def _what_is_there(board: BoardRepl, firmware: str) -> str:
    if firmware:
        return f"firmware {firmware}"
    files = board.files()
    if MANIFEST in files:
        manifest = manifest_of(board.read(MANIFEST).decode(errors="replace"), f"{MANIFEST} on the board")
        return f"firmware {manifest.version}"
    return "another program" if MAIN in files else "no program"


def _first_hello(port: str, keep_in: Path, say: Say) -> Hello:
    try:
        return greeted(port, say)
    except FirmwareFault as fault:
        raise FirmwareFault(f"{fault} {_way_back(keep_in)}") from None


def _expect(hello: Hello, manifest: Manifest, keep_in: Path) -> None:
    """Raise FirmwareFault if another firmware version answers. (The owner may have appended a name to the version.)"""
    if hello.firmware.split("+")[0] != manifest.version:
        raise FirmwareFault(
            f"The ring answers with firmware {hello.firmware}, not {manifest.version}. {_way_back(keep_in)}"
        )


def _way_back(keep_in: Path) -> str:
    return (
        f"To go back: companion firmware restore {keep_in}" if keep_in.exists() else "For more, see docs/firmware.md."
    )
