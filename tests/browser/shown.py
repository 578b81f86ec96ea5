"""Keeps the few pictures that README and docs show, and makes them small: `python -m tests.browser.shown FOLDER`.

*FOLDER* has all pictures, as the gallery takes them. Pillow picks 256 colours for each: pages have few, and git keeps
every version for good.
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
    """Lay the pictures that are shown from *folder* into docs, small, and take out what is shown no more."""
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
