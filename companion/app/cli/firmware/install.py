"""`companion firmware install`: the firmware onto a board."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.bridge_faults import firmware_faults
from companion.app.cli.firmware.board import add_keep, add_port, board_of, kept_in, say
from companion.app.cli.firmware.custom import add_custom, custom_of
from companion.app.exit_codes import FINE, BadUse


def add(parser: ArgumentParser) -> None:
    """Add which firmware goes where, and where what was there is kept."""
    parser.add_argument("--from", type=Path, dest="bundle", metavar="DIR", help="one that was built before")
    add_custom(parser)
    add_port(parser)
    add_keep(parser)


@firmware_faults()
def run(args: Namespace) -> int:
    """Put the firmware on a board and print the ring's first hello."""
    from firmware_bridge.flashing.install import install

    if args.bundle and args.custom:
        raise BadUse("--custom goes into a firmware when it is built: give it without --from.")
    with TemporaryDirectory() as folder:
        bundle = _bundle(args, Path(folder))
        hello = install(board_of(args), bundle, kept_in(args), say)
    print(f"The ring says: device {hello.device}, firmware {hello.firmware}, sensor {hello.sensor}, boot {hello.boot}.")
    return FINE


def _bundle(args: Namespace, folder: Path) -> Path:
    """Return the firmware that was built before, or one that is built in *folder*."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.firmware_image.manifest import read_bundle

    if args.bundle:
        bundle: Path = args.bundle
        read_bundle(bundle)
        return bundle
    manifest = build(folder, custom_of(args))
    say(f"What comes: firmware {manifest.version}, protocol {manifest.protocol}.")
    return folder
