"""`python -m tests.package`: a package's life cycle in a chroot, from installed to purged; prints each step."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from hardware.pi.package.__main__ import BUILD, ROOT, built
from hardware.pi.package.site_packages import our_wheel
from hardware.pi.package.targets import ARCHITECTURES, SUITES, Target
from hardware.pi.package.tree import Release
from hardware.pi.package.version import made_at, package_version
from tests.package.chroot import chroot
from tests.package.life import Life


def two_packages(target: Target, scratch: Path) -> tuple[Path, Path]:
    """Build this checkout's package twice, once with an older version."""
    from companion.ledger.schema import VERSION

    wheel, newer = our_wheel(ROOT, scratch), package_version(ROOT, target.suite)
    older, newest = (
        built(wheel, scratch / name, Release(version, target, VERSION, made_at(ROOT)))
        for name, version in (("older", f"0.0.1~deb{target.suite.number}"), ("newer", newer))
    )
    return older, newest


def main() -> int:
    """Run a package's life cycle in a chroot of each requested suite; needs root."""
    parser = argparse.ArgumentParser(prog="python -m tests.package", description=__doc__)
    parser.add_argument("--suite", action="append", choices=SUITES, help="Debian suite; may be repeated (default: all)")
    parser.add_argument(
        "--older", type=Path, metavar="FILE", help="first package to install, instead of a package built here"
    )
    parser.add_argument("--newer", type=Path, metavar="FILE", help="package to update to; needs --older")
    args = parser.parse_args()
    native = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
    for suite in args.suite or SUITES:
        target = Target(SUITES[suite], ARCHITECTURES[native])
        with tempfile.TemporaryDirectory() as scratch:
            older, newer = (args.older, args.newer) if args.older else two_packages(target, Path(scratch))
            with chroot(suite, native, BUILD / "cache", Path(scratch)) as system:
                print(f"== {target.name}: {older.name}, then {newer.name}", flush=True)
                for sentence in Life(system, older, newer).steps():
                    print(sentence, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
