"""`make chip`: the firmware on an emulated RP2040: edges, starts, restarts, a host that doesn't read, all promises.

Uses the given UF2, or as root builds one from Debian's sources. Prints what is missing, and what to do about it. The
status is 1 if anything is missing or broken.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.uf2 import read_uf2
from firmware_bridge.simulation.chip import lacking
from firmware_bridge.simulation.chip.tools import HERE

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "chip"
OURS = BUILD / "micropython.uf2"
NO_UF2 = """MicroPython for the Pico is missing. Either download its UF2, 1.24 or newer, from its makers
(docs/firmware.md says where) and say `make chip UF2=FILE`; or, on a Debian, say `make chip` as root: it builds one
of Debian's sources."""


def missing(uf2: Path, tools: Path | None = None) -> list[str]:
    """Return a sentence for each missing tool or file."""
    found = lacking(tools)
    if not uf2.exists():
        return [*found, NO_UF2 if uf2 == OURS else f"UF2: there is no file {uf2}."]
    try:
        read_uf2(uf2)
    except FirmwareFault as fault:
        return [*found, str(fault)]
    return found


def build() -> None:
    """Build MicroPython if that is possible; the caller checks the result."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(
            "No UF2 given: building MicroPython from Debian's sources. This takes 3 GB and a few minutes.", flush=True
        )
        subprocess.run(["sh", HERE / "build_uf2.sh", BUILD], check=False)


def main() -> int:
    """Run all tests, or print what is missing; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.chip", description=__doc__)
    parser.add_argument("uf2", nargs="?", type=Path, default=OURS)
    parser.add_argument("tests", nargs="*", default=["tests/chip", "tests/hil"], help="tests to run (default: all)")
    asked = parser.parse_args()
    if asked.uf2 == OURS and not OURS.exists() and not lacking():
        build()
    if found := missing(asked.uf2):
        print("\n".join(found), file=sys.stderr)
        return 1
    image = read_uf2(asked.uf2)
    print(f"{image.words}, SHA-256 {image.digest}", flush=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    packages = BUILD / "packages.txt"
    built = packages.read_text(encoding="utf-8").splitlines() if asked.uf2 == OURS and packages.exists() else []
    told = {"uf2": asked.uf2.name, "holds": image.words, "sha256": image.digest, "built of": built}
    (BUILD / "image.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    suite = [sys.executable, "-m", "pytest", "-q", "-s", *asked.tests, f"--chip={asked.uf2}", f"--rungs-report={BUILD}"]
    return subprocess.run(suite, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
