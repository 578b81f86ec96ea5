"""Copies the pictures that README and docs show, and makes them small: `python -m tests.browser.shown FOLDER`.

*FOLDER* has all pictures of the gallery. Each is reduced to 256 colours: pages have few, and git stores every
version for ever.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "screenshots"
LINK = re.compile(r"screenshots/([\w-]+\.png)")
COLOURS = 256


def shown() -> set[str]:
    """Return the names of the pictures that README and docs link to."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    return {name for page in pages for name in LINK.findall(page.read_text(encoding="utf-8"))}


def keep(folder: Path) -> None:
    """Copy the linked pictures from *folder* into docs, reduced, and delete those no longer linked."""
    KEPT.mkdir(exist_ok=True)
    for picture in KEPT.glob("*.png"):
        picture.unlink()
    for name in sorted(shown()):
        with Image.open(folder / name) as picture:
            few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.FLOYDSTEINBERG)
            few.save(KEPT / name, optimize=True)


if __name__ == "__main__":
    arguments = ArgumentParser(description="Save the pictures that README and docs show.")
    arguments.add_argument("folder", type=Path)
    keep(arguments.parse_args().folder)
