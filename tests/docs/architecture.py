"""Draws docs/architecture.svg from its sources: `python -m tests.docs.architecture`.

The layers are those of the contracts in pyproject.toml, and the stops are those of the walks in docs/architecture.md,
so the picture can't contradict the rules that the code is checked by.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "architecture.svg"
WALKS = {"ring": "A byte from the ring to the glass", "tap": "A tap from the glass to the ledger"}
ROOMS = {
    "firmware_bridge": "devices; no game, no page",
    "companion": "games; no device, no page",
    "web": "pages; the companion alone",
}
SHOWN_BY = {"static": "pages", "templates": "pages"}
"""Folders without Python are drawn in the layer of the folder that uses them."""
LEFT, ACROSS, WIDE, TOP, HIGH, GAP, EDGE = 24, 354, 324, 112, 432, 7, 16
Floors = list[list[str]]
Box = tuple[float, float, float, float]

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1080 560" \
font-family="DejaVu Sans, Roboto, sans-serif" role="img" aria-label="The floors of the three rooms, \
imports downwards only, with the stops of two walks">
  <style>
    .room { fill: #FBF9F3; stroke: #757888; stroke-width: 1.5 }
    .folder { fill: #F0ECE2; stroke: #B9B4A5 }
    .name { font-weight: 700; font-size: 18px; fill: #1A1D29 }
    .soft { fill: #53576A; font-size: 14px }
    .stop { fill: #1A1D29; font-family: DejaVu Sans Mono, monospace; font-size: 13px; text-anchor: middle }
    .ring { fill: #1B55BE }
    .tap { fill: #A3106B }
    .no { font-weight: 700; fill: #FBF9F3; font-size: 11px; text-anchor: middle }
  </style>
  <rect width="1080" height="560" fill="#E6E1D3"/>
  <circle class="ring" cx="34" cy="28" r="9"/>
  <text class="soft" x="52" y="33">a byte from the ring to the glass</text>
  <circle class="tap" cx="388" cy="28" r="9"/>
  <text class="soft" x="406" y="33">a tap from the glass to the ledger</text>
  <text class="soft" x="742" y="33">imports go downwards only</text>"""


def floors() -> dict[str, Floors]:
    """Return the layers of each package from the top; folders in the same layer may not import each other."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    return {
        each["containers"][0]: [floor.split(" | ") for floor in each["layers"]]
        for each in contracts
        if each["type"] == "layers" and each["containers"][0] in ROOMS
    }


def section(walk: str) -> str:
    """Return the text of the page under the heading of *walk*."""
    return PAGE.read_text(encoding="utf-8").partition(f"## {walk}\n")[2].partition("\n## ")[0]


def stops(walk: str) -> list[str]:
    """Return the files at which *walk* stops, in order."""
    return re.findall(r"^\d+\. `([\w/.]+)`", section(walk), re.MULTILINE)


def boxes(all_floors: dict[str, Floors]) -> dict[tuple[str, str], Box]:
    """Return the position and size of each folder's box: left, top, width, height."""
    found: dict[tuple[str, str], Box] = {}
    for at, room in enumerate(ROOMS):
        tall = (HIGH - 12) / len(all_floors[room]) - GAP
        for row, folders in enumerate(all_floors[room]):
            wide = (WIDE - 2 * EDGE - (len(folders) - 1) * 6) / len(folders)
            for column, folder in enumerate(folders):
                left = LEFT + at * ACROSS + EDGE + column * (wide + 6)
                found[room, folder] = left, TOP + row * (tall + GAP), wide, tall
    return found


def picture() -> str:
    """Return the picture as it should be now."""
    places = boxes(floors())
    lines = [HEAD, *_rooms(), *(_folder(name, box) for (_, name), box in places.items()), *_walked(places), "</svg>"]
    return "\n".join(lines) + "\n"


def _rooms() -> Iterator[str]:
    for at, (room, knows) in enumerate(ROOMS.items()):
        left = LEFT + at * ACROSS
        yield f'  <rect class="room" x="{left}" y="48" width="{WIDE}" height="496" rx="14"/>'
        yield f'  <text class="name" x="{left + EDGE}" y="76">{room}</text>'
        yield f'  <text class="soft" x="{left + EDGE}" y="98">{knows}</text>'


def _folder(name: str, box: Box) -> str:
    left, top, wide, tall = box
    drawn = f'x="{left:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{tall:.0f}" rx="7"'
    return (
        f'  <rect class="folder" {drawn}/>\n'
        f'  <text class="stop" x="{left + wide / 2:.0f}" y="{top + tall / 2 + 5:.0f}">{name}</text>'
    )


def _walked(places: dict[tuple[str, str], Box]) -> Iterator[str]:
    """Yield the drawn stops of both walks, in a row from the left of a folder (ring) or from its right (tap)."""
    for kind, walk in WALKS.items():
        hung: dict[tuple[str, str], int] = defaultdict(int)
        for number, path in enumerate(stops(walk), 1):
            room, folder = path.split("/")[:2]
            place = room, SHOWN_BY.get(folder, folder)
            left, top, wide, _ = places[place]
            in_from = 15 + 19 * hung[place]
            hung[place] += 1
            across = left + in_from if kind == "ring" else left + wide - in_from
            yield f'  <circle class="{kind}" cx="{across:.0f}" cy="{top + 2:.0f}" r="9"/>'
            yield f'  <text class="no" x="{across:.0f}" y="{top + 6:.0f}">{number}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
