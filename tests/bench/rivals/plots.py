"""The pictures of docs/recognition.md, drawn from a comparison and from the simulated world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import hypot, log10
from pathlib import Path
from random import Random

from firmware_bridge.colour import dot
from firmware_bridge.simulation.evaluation.recognition import read
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.world import World

Report = Mapping[str, Mapping[str, Mapping[str, float]]]

INK, SOFT, LINE, PAPER = "#1c1f2b", "#565b6e", "#d8d3c6", "#fbfaf5"
RIVAL_INKS = {
    "raw RGB centroid": "#b9b4a6",
    "chromaticity centroid": "#8b8674",
    "LDA": "#c98a1b",
    "shrunk Gaussians": "#7a4fb0",
    "ours": "#0b7a5c",
    "limit": "#1c1f2b",
}
PAINTS = {
    "red": "#c22f25",
    "orange": "#e07b1f",
    "yellow": "#e3b70e",
    "green": "#1c8a4b",
    "blue": "#2456b8",
    "purple": "#6d3f8f",
    "white": "#ffffff",
    "black": "#15171d",
    "wood": "#c79b6b",
}
FLOOR, TOP = 0.001, 100.0  # per cent; zero is drawn at the lower end
CENTRE, MIDDLE = 290, 420  # the position of white
ROW, LEFT, WIDE, GAP = 26, 244, 340, 50


def draw(folder: Path, report: Report) -> None:
    """Write `rivals.svg` and `hues.svg` into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rivals.svg").write_text(rivals(report), encoding="utf-8")
    (folder / "hues.svg").write_text(hues(), encoding="utf-8")


def rivals(report: Report) -> str:
    """Return a dot plot: a row for each world, wrong results on the left, uncertain ones on the right."""
    rows = list(report)
    height = 96 + ROW * len(rows)
    parts = [_legend()]
    for column, kind in enumerate(("wrong", "unsure")):
        x = LEFT + column * (WIDE + GAP)
        parts += [_text(x, 62, f"{kind}, per cent of passages", "700 15px"), *_scale(x, height)]
        parts += [_dots(x, 96 + ROW * n, report[row], kind) for n, row in enumerate(rows)]
    parts += [_text(LEFT - 12, 101 + ROW * n, row, "15px", anchor="end") for n, row in enumerate(rows)]
    return _page(LEFT + 2 * WIDE + GAP + 30, height + 30, parts)


def _legend() -> str:
    at, parts = 20.0, []
    for rival, ink in RIVAL_INKS.items():
        parts.append(_dot(at + 6, 24, rival, ink) + _text(at + 20, 29, rival, "15px"))
        at += 42 + 8.2 * len(rival)
    return "".join(parts)


def _scale(x: float, height: float) -> list[str]:
    ticks = [FLOOR, 0.01, 0.1, 1, 10, TOP]
    found = []
    for tick in ticks:
        at = x + WIDE * _share(tick)
        label = "0" if tick == FLOOR else f"{tick:g}"
        found.append(f'<path d="M{at:.1f} 78V{height - 10}" stroke="{LINE}"/>')
        found.append(_text(at, height + 10, label, "13px", SOFT, "middle"))
    return found


def _dots(x: float, y: float, row: Mapping[str, Mapping[str, float]], kind: str) -> str:
    at = {rival: x + WIDE * _share(row[rival][kind]) for rival in RIVAL_INKS}
    return "".join(_dot(at[rival], y, rival, ink) for rival, ink in RIVAL_INKS.items())


def _dot(x: float, y: float, rival: str, ink: str) -> str:
    """Return the mark of *rival*: a small dot, or a larger open circle for the optimum."""
    if rival == "limit":
        return f'<circle cx="{x:.1f}" cy="{y}" r="8" fill="none" stroke="{ink}" stroke-width="2.5"/>'
    return f'<circle cx="{x:.1f}" cy="{y}" r="5.5" fill="{ink}"/>'


def _share(per_cent: float) -> float:
    return log10(min(max(per_cent, FLOOR), TOP) / FLOOR) / log10(TOP / FLOOR)


def hues() -> str:
    """Return the ring's readings of nine colours, sixty passes each, with differently painted cubes."""
    gate, lots = PhysicsBench(World(), Random(7)), Random(7)
    parts = [_text(30, 34, "Nine colours of the simulated world, 60 passes each", "700 17px")]
    parts.append(f'<path d="M90 60V560H700" fill="none" stroke="{LINE}" stroke-width="2"/>')
    parts += [_text(700, 586, "redder", "15px", SOFT, "end"), _text(90, 586, "greener", "15px", SOFT)]
    parts += [_text(82, 72, "yellower", "15px", SOFT, "end"), _text(82, 558, "bluer", "15px", SOFT, "end")]
    for colour, paint in PAINTS.items():
        dots = [dot(read(gate, lots.choice(gate.cubes(colour)), 100.0)) for _ in range(60)]
        points = [(CENTRE + 800 * x, MIDDLE - 600 * y) for x, y, _ in dots]
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{paint}" stroke="{INK}" stroke-width="1"/>'
            for x, y in points
        ]
        parts.append(_named(colour, points))
    return _page(740, 610, parts)


def _named(colour: str, points: Sequence[tuple[float, float]]) -> str:
    """Return a colour's name, placed outside of its outermost dot, as seen from white."""
    x, y = max(points, key=lambda point: hypot(point[0] - CENTRE, point[1] - MIDDLE))
    far = hypot(x - CENTRE, y - MIDDLE)
    x, y = x + 16 * (x - CENTRE) / far, y + 16 * (y - MIDDLE) / far
    return _text(x, y + 5, colour, "700 15px", anchor="start" if x > CENTRE else "end")


def _text(x: float, y: float, words: str, font: str, ink: str = INK, anchor: str = "start") -> str:
    halo = f"paint-order:stroke;stroke:{PAPER};stroke-width:3px"
    style = f'style="font:{font} system-ui,sans-serif;{halo}" fill="{ink}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'


def _page(width: float, height: float, parts: Sequence[str]) -> str:
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    paper = f'<rect width="100%" height="100%" rx="14" fill="{PAPER}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>\n' + "\n".join([paper, *parts]) + "\n</svg>\n"
