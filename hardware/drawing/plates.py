"""Arranges parts on a printer's bed as they are printed: one plate for parts of the same colour and layer height."""

from collections.abc import Mapping, Sequence

import trimesh

from hardware.drawing import bodies, printability, solids

BED, GAP = 180.0, 5.0  # millimetres: edge of the bed, gap between two parts
PLATES = {
    "1-gate": ("gate", "hood", "foot", "clamp"),  # black, fine: layers of 0.15
    "2-ring": ("ring",),
    "3-turret": ("turret",),
    "4-shutter": ("shutter",),  # white
    "5-bench": ("jig", "pusher"),  # for the bench alone
}
Laid = list[tuple[str, trimesh.Trimesh]]


class PlateCrowded(Exception):
    """The parts of a plate do not fit on the bed."""


def lying(part: str, mesh: trimesh.Trimesh) -> trimesh.Trimesh:
    """Return *mesh* in its orientation for printing, with its lowest corner at the origin."""
    turned = solids.solid(mesh).rotate(printability.LIES[part])
    low = turned.bounding_box()
    return bodies.mesh(turned.translate((-low[0], -low[1], -low[2])))


def laid(parts: Sequence[str], meshes: Mapping[str, trimesh.Trimesh]) -> Laid:
    """Return *parts* in rows around the middle of the bed; raise PlateCrowded if they do not fit."""
    there = sorted(((part, lying(part, meshes[part])) for part in parts), key=lambda one: -one[1].extents[1])
    rows: list[Laid] = [[]]
    for part, mesh in there:
        if rows[-1] and _wide([*rows[-1], (part, mesh)]) > BED:
            rows.append([])
        rows[-1].append((part, mesh))
    if max(map(_wide, rows)) > BED or sum(map(_deep, rows)) + GAP * (len(rows) - 1) > BED:
        raise PlateCrowded(f"{', '.join(parts)} do not fit on a bed of {BED:g} mm")
    return _placed(rows)


def _placed(rows: list[Laid]) -> Laid:
    found = []
    y = (BED - sum(map(_deep, rows)) - GAP * (len(rows) - 1)) / 2
    for row in rows:
        x = (BED - _wide(row)) / 2
        for part, mesh in row:
            moved = mesh.copy()
            moved.apply_translation((x, y, 0))
            found.append((part, moved))
            x += mesh.extents[0] + GAP
        y += _deep(row) + GAP
    return found


def _wide(row: Laid) -> float:
    return float(sum(mesh.extents[0] for _, mesh in row) + GAP * (len(row) - 1))


def _deep(row: Laid) -> float:
    return float(max(mesh.extents[1] for _, mesh in row))
