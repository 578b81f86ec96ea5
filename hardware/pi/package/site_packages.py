"""The Python packages inside the Debian package: the companion and its dependencies, built for the target."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from hardware.pi.package.targets import Target

OF_THE_KIT = tuple(f"rungs/{name}.py" for name in ("__init__", "capture", "load", "rung", "trouble", "wire"))
OURS = ("companion", "firmware_bridge", "web", "hardware/firmware", *OF_THE_KIT)
BESIDE = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
UNUSED = (
    "bin",
    "share",
    "*.dist-info/direct_url.json",
    "setuptools",
    "setuptools-*",
    "pkg_resources",
    "_distutils_hack",
    "distutils-precedence.pth",
)
"""Files to remove: scripts and manuals, paths of wheels, and setuptools, which colorzero requires but never imports."""
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def our_wheel(root: Path, scratch: Path) -> Path:
    """Build the wheel of the checkout *root* in *scratch*, from a copy that contains only the program's files."""
    source = scratch / "source"
    for name in our_files(root):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, source / name)
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", scratch, source], check=True)
    (wheel,) = scratch.glob("ring_companion-*.whl")
    return wheel


def fill(site: Path, wheel: Path, constraints: Path, target: Target) -> None:
    """Install *wheel*, its dependencies and what a club needs into *site*, for the Python and platforms of *target*."""
    platforms = [word for platform in target.platforms for word in ("--platform", platform)]
    kind = ("--implementation", "cp", "--python-version", target.python, "--only-binary", ":all:", *platforms)
    words = ("--no-compile", "--target", site, *kind, "-c", constraints, f"{wheel}[club]")
    subprocess.run([*PIP, "install", *words], check=True)
    for unused in (found for name in UNUSED for found in site.glob(name)):
        shutil.rmtree(unused) if unused.is_dir() else unused.unlink()


def our_files(root: Path) -> list[str]:
    """Return the files of the program in the checkout *root*, without those that git ignores."""
    if not (root / ".git").exists():
        folders = [path for name in OURS for path in (root / name).rglob("*") if "__pycache__" not in path.parts]
        there = [*folders, *(root / name for name in OF_THE_KIT)]
        return [*BESIDE, *(str(path.relative_to(root)) for path in there if path.is_file())]
    listing = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    command = ["git", "-C", root, *listing, *BESIDE, *OURS]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (root / name).is_file()]
