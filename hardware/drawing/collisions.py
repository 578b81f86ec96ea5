"""`python -m hardware.drawing.collisions`: check every part of a ring against all others, in every position."""

import sys
from collections.abc import Iterable, Iterator
from itertools import combinations, product

import numpy as np
from manifold3d import Manifold

from hardware.drawing import fasteners, fittings, solids, wires
from hardware.drawing.__main__ import BUILD
from hardware.drawing.pictures import PictureParts, made

Bodies = dict[str, Manifold]
Touch = tuple[str, str, float]
STANDING = ("gate", "ring", "turret", "hood", "clamp")
FREE_MM3 = 0.01  # overlap allowed for rounding where two faces touch
STEP = 0.5  # millimetres between two positions of a moving part
PUSHED = range(-24, 25)  # positions of the pusher on the jig's scale, millimetres
JOINED = {("board", "Pico"), ("Pico", "plug")}  # soldered or plugged together


def everything(ring: PictureParts, s1_up: float = 0, s2_up: float = 0) -> Bodies:
    """Return all bodies of a closed ring except the moving parts: printed and bought parts, screws, nuts, wires.

    *s1_up* and *s2_up* are how many millimetres the switches are above their drawn positions.
    """
    z = ring.z
    bought = {
        **fittings.eyes(z), **fittings.electronics(z), "D3": fittings.lamp(z), "U2": fittings.sensor(z),
        "S1": fittings.gate_switch(z, s1_up), "S2": fittings.lift_switch(z, s2_up),
    }  # fmt: skip
    bodies = {name: solids.solid(mesh) for name, mesh in bought.items()}
    bodies |= {part: solids.solid(ring.mesh[part]) for part in STANDING}
    bodies |= {name: screw.body() for name, screw in fasteners.screws(z, s1_up, s2_up).items()}
    bodies |= fasteners.nuts(z, s1_up, s2_up)
    laid: dict[str, list[Manifold]] = {}
    for wire in wires.wires(z):
        laid.setdefault(f"wires of {wire.of}", []).append(wire.body())
    return bodies | {name: Manifold.compose(them) for name, them in laid.items()}


def touching(pairs: Iterable[tuple[tuple[str, Manifold], tuple[str, Manifold]]]) -> Iterator[Touch]:
    """Yield the *pairs* that overlap, with the volume in cubic millimetres."""
    for (one, a), (other, b) in pairs:
        if not _meant(one, other) and _near(a, b):
            shared = (a ^ b).volume()
            if shared > FREE_MM3:
                yield one, other, round(float(shared), 3)


def standing(ring: PictureParts, s1_up: float = 0, s2_up: float = 0) -> list[Touch]:
    """Return the overlapping parts of a ring on the table, not counting its shutter."""
    return list(touching(combinations(everything(ring, s1_up, s2_up).items(), 2)))


def shutter(ring: PictureParts, places: Iterable[float]) -> list[Touch]:
    """Return the bodies that the shutter overlaps when it is pulled out by each of *places* (millimetres)."""
    bodies = everything(ring)
    moving = solids.solid(ring.mesh["shutter"])
    found = []
    for place in places:
        at = (f"shutter {place:.2f} mm out", moving.translate((0, place, 0)))
        found += touching((at, other) for other in bodies.items())
    return found


def foot(ring: PictureParts, places: Iterable[float]) -> list[Touch]:
    """Return the bodies that the lift switch's foot overlaps when it hangs down by each of *places* (millimetres).

    The lift switch itself is left out, as its lever rests on the foot.
    """
    moving = solids.solid(ring.mesh["foot"])
    bodies = [(name, body) for name, body in everything(ring).items() if name != "S2"]
    found = []
    for place in places:
        at = (f"foot {place:.2f} mm down", moving.translate((0, 0, -place)))
        found += touching((at, other) for other in bodies)
    return found


def pusher(ring: PictureParts, places: Iterable[float]) -> list[Touch]:
    """Return the overlaps of pusher and cube on the bench jig, with the cube *places* millimetres past the sensor."""
    z = ring.z
    bodies = {name: body for name, body in everything(ring).items() if not name.startswith(("ring", "turret", "clamp"))}
    bodies = {name: body for name, body in bodies.items() if body.bounding_box()[3] > z["ring_in"]}
    bodies |= {"jig": solids.solid(ring.mesh["jig"])}
    bodies |= {"open shutter": solids.solid(ring.mesh["shutter"]).translate((0, z["travel"], 0))}
    bodies = {name: body for name, body in bodies.items() if "screw" not in name or name.startswith(("S1", "stop"))}
    tongue = solids.solid(ring.mesh["pusher"])
    found = list(touching([(("jig", bodies["jig"]), other) for other in bodies.items() if other[0] != "jig"]))
    for place in places:
        x = z["spot_x"] + place
        cube = (f"cube at {place}", solids.solid(fittings.cube(z, x)))
        at = (f"pusher at {place}", tongue.translate((x - z["edge"] / 2 - 110, 0, 0)))
        found += touching((moving, other) for moving in (cube, at) for other in bodies.items())
    return found


def along(ring: PictureParts, step: float = STEP) -> list[float]:
    """Return the shutter's positions from closed to open, in millimetres."""
    return [float(place) for place in np.arange(0, ring.z["travel"] + 1e-9, step)]


def swept(ring: PictureParts) -> list[Touch]:
    """Return all overlaps: switches at both ends of their adjustment, and shutter, foot and pusher in each position."""
    z = ring.z
    low, high = (gap - z["s1_drawn"] for gap in z["s1_gap"])
    found = standing(ring) + standing(ring, low, -z["s2_set"]) + standing(ring, high, z["s2_set"])
    found += shutter(ring, along(ring)) + foot(ring, np.arange(0, z["foot_drop"] + 0.01, STEP))
    return found + pusher(ring, PUSHED)


def _meant(one: str, other: str) -> bool:
    """Return whether two bodies may overlap: soldered or plugged parts, a wire at its part, or neighbouring wires."""
    names = (one, other) if one < other else (other, one)
    wired = [name for name in names if name.startswith("wires of")]
    if len(wired) == 2 or names in JOINED:
        return True
    return bool(wired) and any(name in (wired[0].removeprefix("wires of "), "board") for name in names)


def _near(a: Manifold, b: Manifold) -> bool:
    one, other = a.bounding_box(), b.bounding_box()
    return all(one[k] < other[k + 3] and other[k] < one[k + 3] for k in range(3))


def rings() -> Iterator[tuple[str, PictureParts]]:
    """Yield name and ring for both edges of cubes, with the drawn boards and switches and with the alternatives."""
    for settings, edge in product(({}, *solids.OTHERS), solids.EDGES):
        yield ", ".join([f"{edge} mm", *map(str, settings.values())]), made(edge, BUILD, **settings)


def main() -> int:
    """Check every ring and print the overlaps; return 1 if there are any."""
    worst = 0
    for name, ring in rings():
        found = swept(ring)
        worst = max(worst, len(found))
        print(f"{name}: {len(found)} collisions", flush=True)
        for one, other, shared in found:
            print(f"  {one} and {other}: {shared} mm³")
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
