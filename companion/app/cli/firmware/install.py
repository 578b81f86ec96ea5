"""`companion firmware install`: the firmware onto a board."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.bridge_faults import firmware_faults
from companion.app.cli.firmware.board import KEPT, add_keep, add_port, board_of, kept_in, say
from companion.app.cli.firmware.custom import add_custom, custom_of
from companion.app.exit_codes import FINE, BadUse


def add(parser: ArgumentParser) -> None:
    """Add which firmware goes where, and where what was there is kept."""
    parser.add_argument("--from", type=Path, dest="bundle", metavar="DIR", help="a firmware built earlier")
    add_custom(parser)
    uf2 = "MicroPython for a blank board (drive RPI-RP2), as downloaded; saved for the next board"
    parser.add_argument("--uf2", type=Path, metavar="FILE", help=uf2)
    add_port(parser)
    add_keep(parser)


@firmware_faults()
def run(args: Namespace) -> int:
    """Put the firmware on a board and print the ring's first hello."""
    from firmware_bridge.flashing.install import install

    if args.bundle and args.custom:
        raise BadUse("--custom goes in when a firmware is built: leave out --from.")
    with TemporaryDirectory() as folder:
        bundle = _bundle(args, Path(folder))
        hello = install(_port(args), bundle, kept_in(args), say)
    print(f"The ring says: device {hello.device}, firmware {hello.firmware}, sensor {hello.sensor}, boot {hello.boot}.")
    return FINE


def _port(args: Namespace) -> str:
    """Return the board's port; one that is a drive yet is given MicroPython first."""
    from firmware_bridge.flashing.bootsel import blank, give, its_port, wanted

    waiting = None if args.port else blank()
    if waiting is None:
        if args.uf2:
            raise BadUse("--uf2: no board waits for a program: hold BOOTSEL while you plug it in, and it is a drive.")
        return board_of(args)
    kept = args.data / KEPT / "uf2"
    give(waiting, wanted(waiting, args.uf2, kept), kept, say)
    return its_port()


def _bundle(args: Namespace, folder: Path) -> Path:
    """Return the firmware that was built before, or one that is built in *folder*."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.firmware_image.manifest import read_bundle

    if args.bundle:
        bundle: Path = args.bundle
        read_bundle(bundle)
        return bundle
    manifest = build(folder, custom_of(args))
    say(f"New: firmware {manifest.version}, protocol {manifest.protocol}.")
    return folder
