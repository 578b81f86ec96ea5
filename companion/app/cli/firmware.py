"""`companion firmware`: build it, look at it, put it on a board, and bring back what was there."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware_bridge.firmware_image.errors import BadFolder, FirmwareFault
from firmware_bridge.kernel.errors import BadInput, WireLost

FINE, FAILED, BAD = 0, 1, 2
KEPT = "firmware"  # below the data directory: one folder for each change


def add_firmware_commands(subparsers: Any, data: Callable[[], Path]) -> None:
    """Add `firmware` with its own commands; what a board had is kept below *data* unless told otherwise."""
    firmware = subparsers.add_parser("firmware", help="the firmware of a ring: build it, put it on a board, go back")
    words = firmware.add_subparsers(dest="firmware_command", required=True, metavar="COMMAND")
    info = words.add_parser("info", help="which firmware this is, and which one a ring has")
    build = words.add_parser("build", help="write the firmware into a folder, as it lies on a board")
    build.add_argument("--to", type=Path, required=True, metavar="DIR")
    install = words.add_parser("install", help="put the firmware on a board, and keep what was there")
    install.add_argument("--from", type=Path, dest="bundle", metavar="DIR", help="one that was built before")
    for parser in (build, install):
        parser.add_argument("--custom", type=Path, metavar="FILE", help="your own custom.py, see docs/firmware.md")
    restore = words.add_parser("restore", help="put back what a board had before")
    restore.add_argument("folder", type=Path, metavar="FOLDER", help="where it was kept")
    for parser in (info, install, restore):
        parser.add_argument("--port", metavar="PORT", help="the board's serial port (default: the only one there is)")
    for parser in (install, restore):
        parser.add_argument("--keep", type=Path, metavar="DIR", help="keep what is on the board there (a new folder)")
        parser.add_argument("--data", type=Path, default=data(), metavar="DIR", help="or below this one")
    for parser, run in ((info, firmware_info), (build, firmware_build), (install, firmware_install)):
        parser.set_defaults(run=_told(run))
    restore.set_defaults(run=_told(firmware_restore))


def firmware_info(options: argparse.Namespace) -> None:
    """Print which firmware this checkout holds and, with a port, which one the ring there has."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.flashing.find import greeted_now

    with TemporaryDirectory() as folder:
        manifest = build(Path(folder))
        size = sum((Path(folder) / path).stat().st_size for path in manifest.files)
    print(f"here: firmware {manifest.version}, protocol {manifest.protocol}, {len(manifest.files)} files, {size} bytes")
    if options.port:
        hello = greeted_now(_port(options))
        kind = "a simulated ring" if hello.simulated else "a ring"
        print(f"{options.port}: {kind}, device {hello.device}, firmware {hello.firmware}, protocol {hello.version}")


def firmware_build(options: argparse.Namespace) -> None:
    """Write the firmware into a folder."""
    from firmware_bridge.firmware_image.build import build

    manifest = build(options.to, _custom(options.custom))
    print(
        f"Firmware {manifest.version} (protocol {manifest.protocol}, {len(manifest.files)} files) is in {options.to}."
    )


def firmware_install(options: argparse.Namespace) -> None:
    """Put the firmware on a board and print the ring's first hello."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.firmware_image.manifest import read_bundle
    from firmware_bridge.flashing.install import install

    if options.bundle and options.custom:
        raise BadInput("--custom goes into a firmware when it is built: give it without --from.")
    with TemporaryDirectory() as folder:
        bundle = options.bundle or Path(folder)
        if options.bundle:
            read_bundle(bundle)
        else:
            manifest = build(bundle, _custom(options.custom))
            _say(f"What comes: firmware {manifest.version}, protocol {manifest.protocol}.")
        hello = install(_port(options), bundle, _kept_in(options), _say)
    print(f"The ring says: device {hello.device}, firmware {hello.firmware}, sensor {hello.sensor}, boot {hello.boot}.")


def firmware_restore(options: argparse.Namespace) -> None:
    """Put back what a board had before."""
    from firmware_bridge.flashing.backup import kept
    from firmware_bridge.flashing.install import restore

    kept(options.folder)  # a folder that is none is told before a board is looked for
    hello = restore(_port(options), options.folder, _kept_in(options), _say)
    if hello is None:
        print(f"What {options.folder} keeps is back. It is no firmware of a ring, so nothing greets.")
    else:
        print(f"What {options.folder} keeps is back: device {hello.device}, firmware {hello.firmware}.")


def _port(options: argparse.Namespace) -> str:
    """Return the port that was named, or the only one there is; BadInput for a kind of ring that has no board."""
    from firmware_bridge.flashing.find import the_port
    from firmware_bridge.transport.serial_ports import KIND

    named = str(options.port or "")
    if KIND.match(named) and "://" not in named and not Path(named).exists():
        raise BadInput(f"--port: {named} is no serial port, and only a board behind one has a firmware to look after.")
    return named or the_port()


def _kept_in(options: argparse.Namespace) -> Path:
    folder: Path = options.keep or options.data / KEPT / time.strftime("%Y-%m-%d-%H%M%S")
    if folder.exists():
        raise BadInput(f"--keep: {folder} is there already: name a new folder.")
    return folder


def _custom(path: Path | None) -> str | None:
    """Return the owner's file, once a board would understand it."""
    from firmware_bridge.firmware_image.build import CUSTOM
    from firmware_bridge.firmware_image.compile import compiled

    if path is None:
        return None
    try:
        compiled(path, CUSTOM)
        return path.read_text(encoding="utf-8")
    except FirmwareFault as fault:
        raise BadInput(f"--custom: {fault}") from None
    except (OSError, UnicodeError) as fault:
        raise BadInput(f"--custom: {path}: {getattr(fault, 'strerror', None) or fault}") from None


def _told(run: Callable[[argparse.Namespace], None]) -> Callable[[argparse.Namespace], int]:
    """Return *run* with its status: what goes wrong is one line on standard error."""

    def ran(options: argparse.Namespace) -> int:
        try:
            run(options)
        except (BadInput, BadFolder) as fault:
            return _complain(fault, BAD)
        except (FirmwareFault, WireLost) as fault:
            return _complain(fault, FAILED)
        return FINE

    return ran


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _complain(fault: Exception, status: int) -> int:
    print(fault, file=sys.stderr)
    return status
