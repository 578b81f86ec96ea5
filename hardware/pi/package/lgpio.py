"""Builds lgpio, for the pins of a Pi, from its source package in a chroot of the suite. No suite has a wheel of it."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from hardware.pi.package.site_packages import PIP
from hardware.pi.package.targets import Target

BUILD = """
set -eu
cd /root/lgpio-*
swig -python -o wrapped.c lgpio.i
@TRIPLET@-gcc -shared -fPIC -O2 -g0 -pthread -Wno-stringop-truncation -Isrc -I/usr/include/python@PYTHON@ \\
    -o _lgpio.so wrapped.c src/lg*.c src/rgpiod.c -lrt -ldl
@TRIPLET@-strip --strip-unneeded _lgpio.so
cp lgpio.py _lgpio.so LICENSE /root/made
"""


def put_lgpio(site: Path, constraints: Path, cache: Path, target: Target) -> None:
    """Put lgpio for *target* into *site*; builds are cached in *cache*."""
    made = _made(_source(constraints, cache), cache, target)
    shutil.copy2(made / "lgpio.py", site / "lgpio.py")
    shutil.copy2(made / "_lgpio.so", site / f"_lgpio.{target.tag}.so")
    (site / "lgpio-licence").mkdir()
    shutil.copy2(made / "LICENSE", site / "lgpio-licence" / "LICENSE")


def _source(constraints: Path, cache: Path) -> Path:
    """Return the path of lgpio's source package in the version that *constraints* pins; download it if necessary."""
    named = re.search(r"^lgpio==(\S+)$", constraints.read_text(encoding="utf-8"), re.MULTILINE)
    if named is None:
        raise ValueError(f"{constraints} names no version of lgpio")
    archive = cache / f"lgpio-{named[1]}.tar.gz"
    if not archive.is_file():
        words = ("download", "--no-deps", "--no-binary", "lgpio", "--dest", cache, f"lgpio=={named[1]}")
        subprocess.run([*PIP, *words], check=True)
    return archive


def _made(archive: Path, cache: Path, target: Target) -> Path:
    script = script_for(target)
    of = hashlib.sha256(archive.read_bytes() + script.encode()).hexdigest()[:12]
    made = cache / f"{archive.name.removesuffix('.tar.gz')}-{target.name}-{of}"
    if not made.is_dir():
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            _built(archive, script, Path(scratch), target)
            (Path(scratch) / "made").rename(made)
    return made


def script_for(target: Target) -> str:
    """Return the shell script that builds lgpio in the chroot."""
    return BUILD.replace("@TRIPLET@", target.architecture.triplet).replace("@PYTHON@", target.python)


def _built(archive: Path, script: str, scratch: Path, target: Target) -> None:
    """Build lgpio in a new chroot and copy the files into the folder `made` of *scratch*."""
    (scratch / "made").mkdir()
    (scratch / "build.sh").write_text(script, encoding="utf-8")
    native = _said("dpkg", "--print-architecture")
    name = target.architecture.name
    hooks = (
        f"copy-in {scratch / 'build.sh'} /root",
        f"tar-in {_unpacked(archive, scratch)} /root",
        'mkdir "$1/root/made" && chroot "$1" sh /root/build.sh',
        f"sync-out /root/made {scratch / 'made'}",
    )
    command = ["mmdebstrap", "--quiet", "--variant=essential", f"--architectures={_both(native, name)}"]
    command += [f"--include={','.join(tools(native, target))}", "--dpkgopt=path-exclude=/usr/share/doc/*"]
    command += [word for hook in hooks for word in ("--customize-hook", hook)]
    subprocess.run([*command, target.suite.name, "/dev/null", mirror()], check=True)


def _unpacked(archive: Path, scratch: Path) -> Path:
    """Decompress *archive* into a plain tar file, which mmdebstrap can unpack in the chroot."""
    plain = scratch / "source.tar"
    with plain.open("wb") as file:
        subprocess.run(["gzip", "--decompress", "--stdout", archive], stdout=file, check=True)
    return plain


def _both(native: str, wanted: str) -> str:
    return native if native == wanted else f"{native},{wanted}"


def tools(native: str, target: Target) -> tuple[str, ...]:
    """Return the packages needed to compile for *target* on a *native* computer, without emulating a processor."""
    headers = f"libpython3-dev:{target.architecture.name}"
    if native == target.architecture.name:
        return "swig", "gcc", headers
    return "swig", f"gcc-{target.architecture.triplet.replace('_', '-')}", headers


def mirror() -> str:
    """Return the Debian mirror that this computer's apt uses."""
    asked = ("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian")
    found = _said(*asked).splitlines()
    if not found:
        raise SystemExit("No Debian mirror is known to this machine's apt: lgpio can't be built.")
    return found[0]


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
