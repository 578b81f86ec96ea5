"""`companion firmware info`: which firmware this is, and which one a ring has."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.bridge_faults import firmware_faults
from companion.app.cli.firmware.board import add_port, board_of
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add which board."""
    add_port(parser)


@firmware_faults()
def run(args: Namespace) -> int:
    """Print which firmware this checkout holds and, with a port, which one the ring there has."""
    from firmware_bridge.firmware_image.build import build
    from firmware_bridge.flashing.find import greeted_now

    with TemporaryDirectory() as folder:
        manifest = build(Path(folder))
        size = sum((Path(folder) / path).stat().st_size for path in manifest.files)
    print(f"here: firmware {manifest.version}, protocol {manifest.protocol}, {len(manifest.files)} files, {size} bytes")
    if args.port:
        hello = greeted_now(board_of(args))
        kind = "a simulated ring" if hello.simulated else "a ring"
        print(f"{args.port}: {kind}, device {hello.device}, firmware {hello.firmware}, protocol {hello.version}")
    return FINE
