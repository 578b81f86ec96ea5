"""A picture for each assembly step, from the same bodies as the other pictures."""

from collections.abc import Callable, Sequence

import trimesh

from hardware.drawing import fasteners, fittings, plates, wires
from hardware.drawing.board import netlist, stages
from hardware.drawing.bodies import Point, mesh, rod, span
from hardware.drawing.pictures import BOARD, EYE, LAMP, METAL, SWITCH, TINTS, WIRES, PictureParts, moved
from hardware.drawing.scenes import Name, Pulled, scene
from hardware.drawing.shading import Piece
from hardware.drawing.sheet import Sheet
from hardware.drawing.steps import AssemblyStep, steps

RECEIVER, FELT, FOAM, BED, GOLD = "#8A84A0", "#3B3E49", "#B7B2A4", "#D9D4C6", "#E0B84A"


def pictures(ring: PictureParts) -> dict[str, Sheet]:
    """Return the pictures of all steps that are scenes, by path."""
    return {step.path: SCENES[step.name](ring, headed(step)) for step in steps() if step.name in SCENES}


def boards() -> dict[str, str]:
    """Return the pictures of the steps on the perforated board, by path."""
    return {step.path: BOARDS[step.name](netlist.board(), headed(step)) for step in steps() if step.name in BOARDS}


def headed(step: AssemblyStep) -> str:
    """Return the title above a step's picture."""
    return f"Step {step.number}: {step.title}"


def measure(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the bought parts and the sizes to check them against."""
    z = ring.z
    legs = [rod((s * 1.27, 0, -TALL), (s * 1.27, 0, -TALL - 9), 0.25) for s in (-1, 1)]
    led = _set(fittings.eyes(z)["D1"], (0, 0, 0), upright=True)
    things = [
        ("led", led + mesh(legs[0] + legs[1]), EYE, -34),
        ("S1", fittings.gate_switch(z) + fittings.plunger(z), SWITCH, -16),
        ("S2", fittings.lift_switch(z), SWITCH, 8),
        ("U2", fittings.sensor(z), BOARD, 34),
    ]
    at = {name: _set(body, (0, y, 0)) for name, body, _, y in things}
    pieces = [Piece(at[name], colour) for name, _, colour, _ in things]
    led = f"{z['led_barrel']:g} or more from\ntip to collar;\ncollar {COLLAR:g} at most"
    board = "{:g} by {:g};\nthickness {:g}; where\nits chip sits".format(*z["board_size"], z["board_thick"])
    names = [
        Name((0, -34, 4), "D1 to D3, Q3, Q4", led),
        Name((0, -16, 6), "S1", _sized(z["s1"])),
        Name((0, 8, 8), "S2", _sized(z["s2"])),
        Name((0, 34, 3), "U2", board),
    ]
    return scene(title, "hold each against these figures, in millimetres", pieces, names, (20, 32))


def print_(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the five plates, with the parts as they are printed."""
    pieces, names = [], []
    for number, (name, parts) in enumerate(plates.PLATES.items()):
        x, y = 195.0 * (number % 3), -195.0 * (number // 3)
        corner = (x + plates.BED, y + plates.BED, -0.1)
        pieces.append(Piece(mesh(span((x, y, -3), corner)), BED))
        pieces += [Piece(moved(body, (x, y, 0)), TINTS[part]) for part, body in plates.laid(parts, ring.mesh)]
        names.append(Name((x + 20, y + 12, 0), name.replace("-", ": "), ", ".join(parts).replace("hood, ", "hood,\n")))
    return scene(title, "each on a bed of 180 mm, as it lies", pieces, names, (-90, 52))


def eyes(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of emitters and receivers going into both sides of the gate, which is upside down."""
    z = ring.z
    bodies = fittings.eyes(z)
    pull = {name: (0, 15 * side, 0) for name, (_, side) in fittings.EYES.items()}
    things = [ring.piece("gate")]
    things += [Pulled(body, EYE if name[0] == "D" else RECEIVER, pull[name]) for name, body in bodies.items()]
    said = {"D1": "emitter of A", "Q4": "receiver of B", "Q3": "receiver of A", "D2": "emitter of B"}
    names = [Name(_at(bodies[name], pull[name]), name, f"{words},\n{_side(name)}") for name, words in said.items()]
    names.append(
        Name((z["ring_out"] + 3, sum(z["duct"]) / 2, z["felt"]), "channel", "Q3's and D2's wires:\nup behind the gate")
    )
    return scene(title, "the gate upside down; aluminium tape around D1 and D2", things, names, (-30, -42))


def lamp(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the lamp going into its tilted seat; the wires on the left are already in place."""
    z = ring.z
    _, out = fittings.lamp_axis(z)
    by = tuple(18 * part for part in out)
    laid = [wire for wire in wires.wires(z) if wire.of in ("D1", "Q4")]
    things: list[Piece | Pulled] = [ring.piece("gate")]
    things += [Piece(mesh(wire.begun(z["deck"] + 4.5)), WIRES[wire.of]) for wire in laid]
    things.append(Pulled(fittings.lamp(z), LAMP, by))
    names = [
        Name(_at(fittings.lamp(z), by), "D3", "as far as its collar;\nlegs bent up"),
        Name((z["beam_a"] - 2, z["left"] + 1.5, z["deck"]), "D1's wires", "behind the lamp"),
        Name((z["beam_b"] + 2, z["left"] + 1.5, z["deck"]), "Q4's wires", "before it"),
    ]
    return scene(title, "from the left; what belongs to the eyes is in", things, names, (-55, 30))


def switch(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the gate switch going in from above, with its screws, the shutter and the stop screw."""
    z = ring.z
    screws, nuts = fasteners.screws(z), fasteners.nuts(z)
    things: list[Piece | Pulled] = [ring.piece("gate"), Pulled(ring.mesh["shutter"], TINTS["shutter"], (0, 34, 0))]
    things.append(Pulled(fittings.gate_switch(z) + fittings.plunger(z), SWITCH, (0, 0, 26)))
    things += [Pulled(mesh(nut), METAL, (0, 0, 17)) for name, nut in nuts.items() if name.startswith("S1")]
    turned = {name: (0, 18, 0) for name in screws if name.startswith("S1")} | {"stop screw": (0, 0, -15)}
    things += [Pulled(mesh(screws[name].body()), METAL, by) for name, by in turned.items()]
    stop = mesh(screws["stop screw"].body())
    names = [
        Name(_at(fittings.gate_switch(z), (0, 0, 26)), "S1", "plunger down,\ntowards the exit"),
        Name(
            _at(mesh(screws["S1 screw, outer"].body()), (0, 22, 0)),
            "2 of H7",
            "M2 by 10; their nuts\ninto the grooves\nfrom above",
        ),
        Name(_at(stop, (0, 0, -16)), "1 of H3", "M2 by 6, from below:\nstops the shutter"),
        Name(_at(ring.mesh["shutter"], (0, 38, 0)), "shutter", "from the right,\nbefore its screw"),
    ]
    return scene(title, "the screws of S1 stay loose until it is set", things, names, (52, 28))


def sensor(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the sensor's board going onto its ledges, face down."""
    z = ring.z
    things: list[Piece | Pulled] = [ring.piece("gate"), ring.piece("shutter")]
    things += [Piece(fittings.gate_switch(z), SWITCH), Piece(fittings.lamp(z), LAMP)]
    things.append(Pulled(fittings.sensor(z), BOARD, (0, 0, 22)))
    x, y = z["board_at"]
    names = [
        Name((x, y, z["deck"] + 22), "U2", "face down, wires\nfrom its back"),
        Name((x, y + z["board_size"][1] / 2 - 1.5, z["deck"] + 23), "its pins", "to the right"),
        Name((z["spot_x"] - 6, -8, z["deck"] - z["board_thick"]), "ledges", "nothing soldered\nmay lie on them"),
        Name((z["s1_middle"], z["plunger"][1], z["s1_hole_z"] + 4), "S1", "set and tight"),
    ]
    return scene(title, "not screwed: the hood presses it down", things, names, (35, 38))


def flash(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the Pico going onto its sockets, with its plug and the BOOTSEL button."""
    z = ring.z
    parts = {
        name: _turned_over(body) for name, body in fittings.electronics(z).items() if name in ("board", "Pico", "plug")
    }
    pico, plug = parts["Pico"], parts["plug"]
    x, y = z["bootsel"]
    top = float(pico.bounds[1][2])
    things: list[Piece | Pulled] = [Piece(parts["board"], BOARD), Pulled(pico, METAL, (0, 0, 22))]
    things.append(Pulled(moved(plug, (0, 0, 22)), SWITCH, (-26, 0, 0)))
    names = [
        Name((x, -y, top + 22), "BOOTSEL", "held down while the\nplug goes in: a drive\nRPI-RP2 appears"),
        Name((12, 0, top + 20), "U1", "its plug over the\nboard's free end"),
        Name((-52, 0, float(plug.bounds.mean(axis=0)[2]) + 22), "J2", "into the computer\nthat has the program"),
        Name((30, -18, float(parts["board"].bounds[1][2])), "A1", "no other wire\non it yet"),
    ]
    return scene(title, "companion firmware install, on the bench", things, names, (-62, 40))


def lift(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the felt below, the foot and lift switch from above, and the screws from behind."""
    z = ring.z
    screws, nuts = fasteners.screws(z), fasteners.nuts(z)
    rim = rod((0, 0, 0), (0, 0, 1), z["ring_out"], corners=96) - rod((0, 0, -1), (0, 0, 2), z["ring_in"], corners=96)
    things: list[Piece | Pulled] = [ring.piece("ring"), Pulled(mesh(rim), FELT, (0, 0, -12))]
    things += [
        Pulled(ring.mesh["foot"], TINTS["foot"], (0, 0, 44)),
        Pulled(fittings.lift_switch(z), SWITCH, (0, 0, 54)),
    ]
    for name, screw in screws.items():
        if name.startswith("S2"):
            things.append(Pulled(mesh(screw.body()), METAL, (-20, 0, 0)))
    things += [Pulled(mesh(nut), METAL, (12, 0, 42)) for name, nut in nuts.items() if name.startswith("S2")]
    foot, lever = ring.mesh["foot"], fittings.lift_switch(z)
    names = [
        Name(_at(lever, (0, 0, 58)), "S2", "its lever down,\non the foot"),
        Name(_at(foot, (0, 0, 42)), "foot", "first; round end down,\ndrops by itself"),
        Name(_at(mesh(nuts["S2 nut, left"]), (12, 0, 42)), "nuts", "slide in the grooves"),
        Name(_at(mesh(screws["S2 screw, left"].body()), (-24, 0, 0)), "2 of H7", "M2 by 10,\nthrough the slots"),
        Name((0, -z["ring_out"] + 1, -12), "H4", "felt, cut along\nthe rim; under\nthe gate too"),
    ]
    return scene(title, "from behind; set: 0.4 mm under the rim clicks, 2 mm does not", things, names, (214, 28))


def gate_in(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the gate going into the gap of the wall, with two screws from inside."""
    z = ring.z
    screws = {name: mesh(s.body()) for name, s in fasteners.screws(z).items() if name.startswith("gate")}
    gate = [(ring.mesh["gate"], TINTS["gate"]), (ring.mesh["shutter"], TINTS["shutter"])]
    things: list[Piece | Pulled] = [ring.piece("ring"), ring.piece("foot")]
    things += [Pulled(body, colour, (34, 0, 0)) for body, colour in gate]
    things += [Pulled(body, METAL, (-26, 0, 0)) for body in screws.values()]
    names = [
        Name(
            _at(screws["gate screw, left"], (-26, 0, 0)),
            "2 of H1",
            "M3 by 8, countersunk,\nfrom inside; heads\nflush with the wall",
        ),
        Name(_at(ring.mesh["gate"], (40, 0, -6)), "gate", "its wires up,\nbefore it goes in"),
        Name((-z["ring_out"] - 4, 0, 2), "foot", "free to drop"),
    ]
    return scene(title, "seen from below", things, names, (-150, -38))


def turret(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the pixel, piezo, board, cable and clamp going into the turret, which is upside down."""
    z = ring.z
    boards = fittings.electronics(z)
    screws = [mesh(s.body()) for name, s in fasteners.screws(z).items() if name.startswith("board")]
    things: list[Piece | Pulled] = [ring.piece("turret")]
    things += [Pulled(boards["pixel"], GOLD, (0, 0, -38)), Pulled(boards["piezo"], GOLD, (0, 0, -38))]
    things.append(Pulled(boards["board"] + boards["Pico"], BOARD, (0, 0, -62)))
    things += [Pulled(screw, METAL, (0, 0, -92)) for screw in screws]
    things.append(Pulled(ring.mesh["clamp"], TINTS["clamp"], (-6, 0, -34)))
    names = [
        Name(_at(boards["pixel"], (0, 0, -38)), "D5", "hot glue,\nbehind its hole"),
        Name(_at(boards["piezo"], (0, 0, -38)), "BZ1", "hot glue,\nbehind its seven"),
        Name(_at(boards["board"], (0, -20, -62)), "the board", "on four posts, its\nparts towards you"),
        Name(_at(screws[0], (0, 0, -92)), "4 of H3", "M2 by 6, no longer"),
        Name(_at(ring.mesh["clamp"], (-6, 0, -34)), "clamp", "last, below the cable\n(J2) and its tie (H6)"),
    ]
    return scene(title, "the turret on its lid, seen from below", things, names, (130, -40))


def turret_on(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the turret going onto the ring, with four screws from inside the cup."""
    z = ring.z
    screws = [mesh(s.body()) for name, s in fasteners.screws(z).items() if name.startswith("turret")]
    laid = [wire for wire in wires.wires(z) if wire.of == "S2"]
    things: list[Piece | Pulled] = [ring.piece(part) for part in ("ring", "gate", "shutter")]
    things += [Pulled(ring.mesh["turret"], TINTS["turret"], (0, 0, 34)), ring.piece("clamp", (0, 0, 34))]
    things += [Piece(mesh(wire.begun(44)), "#3F72CC") for wire in laid]
    things += [Pulled(screw, METAL, (0, 0, -z["cup"] - 22)) for screw in screws]
    names = [
        Name((20, 30, z["cup"] + 62), "turret", "gate's wires in\nthrough the window"),
        Name((-z["ring_out"] - 8, 0, z["cup"] + 44), "clamp", "pull at the cable:\nnothing moves inside"),
        Name(_at(screws[0], (0, 0, -z["cup"] - 22)), "4 of H1", "M3 by 8, countersunk,\nfrom inside the cup"),
        Name((z["exit_x"], 0, z["deck"] - 3), "gate", "its wires up, too"),
    ]
    return scene(title, "no wire may lie between the two", things, names, (48, 14))


def hood(ring: PictureParts, title: str) -> Sheet:
    """Return the picture of the foam on the sensor and the hood going over the gate, with a screw on each side."""
    z = ring.z
    x, y = z["board_at"]
    foam = mesh(span((x - 9, y - 9, z["deck"]), (x + 9, y + 9, z["deck"] + 2)))
    screws = {name: mesh(s.body()) for name, s in fasteners.screws(z).items() if name.startswith("hood")}
    things: list[Piece | Pulled] = [ring.piece(part) for part in ("ring", "gate", "shutter", "turret")]
    things += [Piece(fittings.sensor(z), BOARD), Pulled(ring.mesh["hood"], TINTS["hood"], (18, 0, 44))]
    things.append(Pulled(foam, FOAM, (0, 0, 14)))
    things += [Pulled(body, METAL, (0, 16 if "right" in name else -16, 0)) for name, body in screws.items()]
    names = [
        Name((78, -12, 80), "hood", "from above; its ribs\npress the foam"),
        Name((x, y, z["deck"] + 15), "H5", "foam, 20 by 20"),
        Name(_at(screws["hood screw, right"], (0, 18, 0)), "1 of H2", "M3 by 8, pan head"),
        Name(_at(screws["hood screw, left"], (0, -18, 0)), "1 of H2", "the same, left"),
        Name((0, 40, 50), "turret"),
    ]
    return scene(title, "no wire may lie between hood and turret", things, names, (58, 26))


SCENES: dict[str, Callable[[PictureParts, str], Sheet]] = {
    "measure": measure, "print": print_, "eyes": eyes, "lamp": lamp, "switch": switch, "sensor": sensor, "flash": flash,
    "lift": lift, "gate-in": gate_in, "turret": turret, "turret-on": turret_on, "hood": hood,
}  # fmt: skip
BOARDS = {"board-parts": stages.parts_side, "board-wires": stages.other_side}
TALL, COLLAR = fittings.TALL, fittings.COLLAR[0]


def _sized(kind: Sequence[Sequence[float]]) -> str:
    """Return the text with the sizes of a switch."""
    (long, thick, high), (apart, depth, *_) = kind[:2]
    return f"{long:g} by {thick:g} by {high:g};\nholes {apart:g} apart,\n{depth:g} from the face"


def _at(body: trimesh.Trimesh, by: Point) -> Point:
    """Return the middle of *body*, moved *by* millimetres."""
    return [float(a + b) for a, b in zip(body.bounds.mean(axis=0), by, strict=True)]


def _side(name: str) -> str:
    return "left" if fittings.EYES[name][1] < 0 else "right"


def _set(body: trimesh.Trimesh, at: Point, upright: bool = False) -> trimesh.Trimesh:
    """Return a copy of *body* that rests at *at*; *upright* first turns its y axis up."""
    kept = body.copy()
    if upright:
        kept.apply_transform(trimesh.transformations.rotation_matrix(1.5707963, (1, 0, 0)))
        kept.apply_translation(-kept.bounds.mean(axis=0))
        kept.apply_translation((0, 0, -TALL / 2))
    low, high = kept.bounds
    middle = (low + high) / 2
    kept.apply_translation((at[0] - middle[0], at[1] - middle[1], 0 if upright else at[2] - low[2]))
    return kept


def _turned_over(body: trimesh.Trimesh) -> trimesh.Trimesh:
    kept = body.copy()
    kept.apply_transform(trimesh.transformations.rotation_matrix(3.14159265, (1, 0, 0)))
    return kept
