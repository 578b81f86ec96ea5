"""`companion firmware build`: the firmware, as it lies on a board."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.bridge_faults import firmware_faults
from companion.app.cli.firmware.custom import add_custom, custom_of
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add where it goes, and what is the owner's own in it."""
    parser.add_argument("--to", type=Path, required=True, metavar="DIR")
    add_custom(parser)


@firmware_faults()
def run(args: Namespace) -> int:
    """Write the firmware into a folder."""
    from firmware_bridge.firmware_image.build import build

    manifest = build(args.to, custom_of(args))
    print(f"Firmware {manifest.version} (protocol {manifest.protocol}, {len(manifest.files)} files) is in {args.to}.")
    return FINE
