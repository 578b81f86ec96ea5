"""`python -m hardware.pi.package`: builds the Debian packages into build/deb."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from companion.ledger.schema import VERSION
from hardware.pi.package.lgpio import put_lgpio
from hardware.pi.package.site_packages import fill, our_wheel
from hardware.pi.package.targets import ARCHITECTURES, SUITES, Target
from hardware.pi.package.tree import Release, lay_out, put_control
from hardware.pi.package.version import made_at, package_version

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "build" / "deb"


def built(wheel: Path, scratch: Path, release: Release) -> Path:
    """Build one package from *wheel* in the folder *scratch*; return the package's path."""
    target, constraints, cache = release.target, ROOT / "constraints.txt", BUILD / "cache"
    site, tree = scratch / f"site-{target.name}", scratch / f"tree-{target.name}"
    cache.mkdir(parents=True, exist_ok=True)
    fill(site, wheel, constraints, target)
    put_lgpio(site, constraints, cache, target)
    lay_out(tree, site, ROOT)
    put_control(tree, release)
    package = BUILD / f"ring-companion_{release.version}_{target.architecture.name}.deb"
    aged = {**os.environ, "SOURCE_DATE_EPOCH": str(release.made_at)}
    command = ("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, package)
    subprocess.run(command, check=True, env=aged, stdout=subprocess.DEVNULL)
    return package


def main() -> int:
    """Build a package for each suite and architecture on the command line."""
    parser = argparse.ArgumentParser(prog="make deb", description=__doc__)
    parser.add_argument("--suite", action="append", choices=SUITES, help="Debian suite; may be repeated (default: all)")
    parser.add_argument("--architecture", action="append", choices=ARCHITECTURES, help="may be repeated (default: all)")
    parser.add_argument(
        "--version", help="version of the packages, to try upgrades (default: from pyproject.toml and the commits)"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        wheel = our_wheel(ROOT, Path(scratch))
        for suite in args.suite or SUITES:
            for architecture in args.architecture or ARCHITECTURES:
                target = Target(SUITES[suite], ARCHITECTURES[architecture])
                version = args.version or package_version(ROOT, target.suite)
                release = Release(version, target, VERSION, made_at(ROOT))
                print(built(wheel, Path(scratch), release).relative_to(ROOT), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
