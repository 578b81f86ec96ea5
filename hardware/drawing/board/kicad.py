"""The board as a project of KiCad 9: circuit, symbols, footprints and a routed board, from the list of nets."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from hardware.drawing.board.copper import PAD, SCREWS, TRACK, VIA, millimetres, point, routed
from hardware.drawing.board.netlist import PICO_PINS, ROWS, Netlist, legs
from hardware.drawing.parts import Part

NAME = "ring"
LONG, WIDE, CORNER = 70.0, 50.0, 2.0
MIDDLE = (148.59, 104.14)  # middle of the sheet in millimetres, on KiCad's grid
SHORT, BODY = 2.54, 5.08
UNSEEN = ("C1", "C3", "C4", "C5")  # not printed on the board, where they would cover copper
OTHERS = {
    1: "GP0", 2: "GP1", 19: "GP14", 20: "GP15", 21: "GP16", 22: "GP17", 24: "GP18", 25: "GP19", 26: "GP20", 27: "GP21",
    29: "GP22", 30: "RUN", 31: "GP26", 32: "GP27", 34: "GP28", 35: "ADC_VREF", 37: "3V3_EN", 39: "VSYS",
}  # fmt: skip


def project(board: Netlist, parts: list[Part], folder: Path) -> Path:
    """Write the project into *folder*, and return the path of its board file."""
    values = {ref: _value(part) for part in parts for ref in part.refs}
    pretty = folder / f"{NAME}.pretty"
    pretty.mkdir(parents=True, exist_ok=True)
    shapes = {ref: _shape(board, ref) for ref in board.holes}
    for ref, shape in shapes.items():
        (pretty / f"{ref}.kicad_mod").write_text(_footprint(ref, shape) + "\n")
    screw = _screw_shape()
    (pretty / "screw.kicad_mod").write_text(f'(footprint "screw" {FOOT}\n{screw})\n')
    symbols = "\n".join(_symbol(board, ref) for ref in board.holes)
    (folder / f"{NAME}.kicad_sym").write_text(
        f'(kicad_symbol_lib (version 20241209) (generator "{NAME}")\n{symbols})\n'
    )
    for kind, where, what in (("sym", f"{NAME}.kicad_sym", "sym"), ("fp", f"{NAME}.pretty", "fp")):
        library = f'(lib (name "{NAME}")(type "KiCad")(uri "${{KIPRJMOD}}/{where}")(options "")(descr ""))'
        (folder / f"{what}-lib-table").write_text(f"({kind}_lib_table (version 7) {library})\n")
    (folder / f"{NAME}.kicad_pro").write_text(json.dumps(_settings(), indent=2) + "\n")
    (folder / f"{NAME}.kicad_sch").write_text(_circuit(board, values))
    path = folder / f"{NAME}.kicad_pcb"
    path.write_text(_layout(board, values, shapes, screw))
    return path


def _settings() -> dict[str, object]:
    rules = {"min_clearance": 0.2, "min_track_width": 0.3, "min_via_diameter": 0.6, "min_through_hole_diameter": 0.4}
    design = {"defaults": {}, "rules": rules}
    usual = {"name": "Default", "clearance": 0.2, "track_width": TRACK, "via_diameter": VIA, "via_drill": 0.4}
    return {
        "board": {"design_settings": design},
        "meta": {"filename": f"{NAME}.kicad_pro", "version": 3},
        "net_settings": {"classes": [usual], "meta": {"version": 4}},
    }


def _value(part: Part) -> str:
    name = part.name.removeprefix("resistor ").removeprefix("capacitor ")
    return name.split(",")[0]


def _id(*what: object) -> str:
    return str(uuid5(NAMESPACE_URL, "ring-companion/" + "/".join(map(str, what))))


def pins(board: Netlist, ref: str) -> list[str]:
    """Return the names of the pins of *ref*, which are the same in its symbol and its footprint."""
    return legs(ref, board.holes[ref])


def net_name(board: Netlist, ref: str, pin: str) -> str:
    """Return the name of a pin's net in KiCad; an unconnected pin has a net of its own."""
    found = board.net_of.get(f"{ref}.{pin}")
    return found or f"unconnected-({ref}-{_called(board, ref, pin)}-Pad{pin})"


def _called(board: Netlist, ref: str, pin: str) -> str:
    if ref != "U1":
        return pin
    return OTHERS.get(int(pin)) or f"{board.net_of[f'U1.{pin}']}"


# The circuit: a box for each part, a net label at each pin.


def _symbol(board: Netlist, ref: str, prefix: str = "") -> str:
    names = pins(board, ref)
    left = names if len(names) <= PICO_PINS // 4 else names[: len(names) // 2]
    right = names[len(left) :]
    high = SHORT * (max(len(left), len(right)) + 1) / 2
    high = round(high / 1.27) * 1.27
    wide = BODY * (3 if right else 1)
    drawn = [_pin(board, ref, name, -wide - SHORT, high - SHORT * (n + 1), 0) for n, name in enumerate(left)]
    drawn += [_pin(board, ref, name, wide + SHORT, high - SHORT * (n + 1), 180) for n, name in enumerate(right[::-1])]
    box = (
        f"(rectangle (start {-wide} {high}) (end {wide} {-high})"
        " (stroke (width 0.254) (type default)) (fill (type background)))"
    )
    texts = _texts(ref, high)
    return (
        f'(symbol "{prefix}{ref}" (pin_names (offset 0.5)) (exclude_from_sim no)'
        f" (in_bom {_bought(ref)}) (on_board yes)\n{texts}\n"
        f'(symbol "{ref}_0_1" {box})\n(symbol "{ref}_1_1"\n' + "\n".join(drawn) + "))"
    )


def _texts(ref: str, high: float) -> str:
    letters = ref.rstrip("0123456789")
    small = "(effects (font (size 1.27 1.27)))"
    hidden = "(effects (font (size 1.27 1.27)) (hide yes))"
    return (
        f'(property "Reference" "{letters}" (at 0 {high + 2.54:.2f} 0) {small})'
        f' (property "Value" "{ref}" (at 0 {-high - 2.54:.2f} 0) {small})'
        f' (property "Footprint" "{NAME}:{ref}" (at 0 0 0) {hidden})'
        f' (property "Datasheet" "" (at 0 0 0) {hidden}) (property "Description" "" (at 0 0 0) {hidden})'
    )


def _pin(board: Netlist, ref: str, name: str, x: float, y: float, turn: int) -> str:
    small = "(effects (font (size 1.27 1.27)))"
    return (
        f"(pin passive line (at {x:.2f} {y:.2f} {turn}) (length {SHORT})"
        f' (name "{_called(board, ref, name)}" {small}) (number "{name}" {small}))'
    )


def _circuit(board: Netlist, values: dict[str, str]) -> str:
    root = _id("sheet")
    library = "\n".join(_symbol(board, ref, f"{NAME}:") for ref in board.holes)
    placed = "\n".join(_placed(board, values, root))
    return (
        f'(kicad_sch (version 20250114) (generator "{NAME}") (generator_version "9.0") (uuid "{root}") (paper "A3")\n'
        f"(lib_symbols\n{library})\n{placed}\n"
        '(sheet_instances (path "/" (page "1"))) (embedded_fonts no))\n'
    )


def _placed(board: Netlist, values: dict[str, str], root: str) -> Iterator[str]:
    small = "(effects (font (size 1.27 1.27)))"
    spots = iter(
        [
            (x, y)
            for x in (45.72, 109.22, 172.72)
            for y in (25.4, 50.8, 76.2, 101.6, 127, 152.4, 177.8, 203.2, 228.6, 254)
        ]
    )
    for ref in board.holes:
        x, y = (322.58, 101.6) if ref == "U1" else next(spots) if ref[0] != "W" else (0.0, 0.0)
        if ref[0] == "W":
            x, y = (248.92, 25.4 + 25.4 * (int(ref[1:]) - 1))
        text = _symbol(board, ref)
        ends = _ends(text)
        marks = "".join(f' (pin "{name}" (uuid "{_id(ref, name, "pin")}"))' for name, _, _, _ in ends)
        shown = values.get(ref, "cable" if ref[0] == "W" else ref)
        high = max(abs(py) for _, _, py, _ in ends) + 2.54
        yield (
            f'(symbol (lib_id "{NAME}:{ref}") (at {x} {y} 0) (unit 1) (exclude_from_sim no)'
            f" (in_bom {_bought(ref)}) (on_board yes)"
            f' (dnp no) (uuid "{_id(ref)}") (property "Reference" "{ref}" (at {x} {y - high - 2.54:.2f} 0) {small})'
            f' (property "Value" "{shown}" (at {x} {y + high + 2.54:.2f} 0) {small})'
            f' (property "Footprint" "{NAME}:{ref}" (at {x} {y} 0) (effects (font (size 1.27 1.27)) (hide yes)))'
            f' (property "Datasheet" "" (at {x} {y} 0) (effects (font (size 1.27 1.27)) (hide yes)))'
            f' (property "Description" "" (at {x} {y} 0) (effects (font (size 1.27 1.27)) (hide yes))){marks}'
            f' (instances (project "{NAME}" (path "/{root}" (reference "{ref}") (unit 1)))))'
        )
        for name, px, py, turn in ends:
            yield _label(board, ref, name, (round(x + px, 2), round(y - py, 2)), turn)


def _bought(ref: str) -> str:
    """Return "yes" if the part belongs on the bill of materials; the ends of cables (W) are only holes."""
    return "no" if ref[0] == "W" else "yes"


def _ends(symbol: str) -> list[tuple[str, float, float, int]]:
    found = []
    for line in symbol.splitlines():
        if line.startswith("(pin passive"):
            x, y, turn = line.split("(at ")[1].split(")")[0].split()
            found.append((line.split('(number "')[1].split('"')[0], float(x), float(y), int(turn)))
    return found


def _label(board: Netlist, ref: str, name: str, at: tuple[float, float], turn: int) -> str:
    net = board.net_of.get(f"{ref}.{name}")
    where = f"(at {at[0]} {at[1]}"
    if net is None:
        return f'(no_connect {where}) (uuid "{_id(ref, name, "nothing")}"))'
    side, angle = ("right", 180) if turn == 0 else ("left", 0)
    return (
        f'(global_label "{net}" (shape passive) {where} {angle}) (fields_autoplaced yes)'
        f' (effects (font (size 1.27 1.27)) (justify {side})) (uuid "{_id(ref, name, "label")}")'
        f' (property "Intersheetrefs" "${{INTERSHEET_REFS}}" {where} 0) (effects (font (size 1.27 1.27)) (hide yes))))'
    )


# The board.

FOOT = f'(version 20241229) (generator "{NAME}") (layer "F.Cu")'
Shape = list[tuple[str, float, float]]


def _shape(board: Netlist, ref: str) -> Shape:
    """Return each pin's name and position, in millimetres from the first pin."""
    places = [millimetres(*point(hole)) for hole in board.holes[ref]]
    (x0, y0) = places[0]
    return [(name, x - x0, y - y0) for name, (x, y) in zip(pins(board, ref), places, strict=True)]


def _footprint(ref: str, shape: Shape, more: str = "", nets: dict[str, str] | None = None, value: str = "") -> str:
    head = f'(footprint "{NAME}:{ref}" (layer "F.Cu") {more}' if nets is not None else f'(footprint "{ref}" {FOOT}'
    return f"{head}\n" + _labels(ref, shape, value, nets is not None) + _pads(ref, shape, nets) + ")"


def _labels(ref: str, shape: Shape, value: str, on_board: bool) -> str:
    x, y = ((min(pin[n] for pin in shape) + max(pin[n] for pin in shape)) / 2 for n in (1, 2))
    layer = "F.Fab" if ref[0] == "W" or ref in UNSEEN else "F.SilkS"
    y -= 2.1 if ref[0] in "CQ" else 0
    turn = 90 if ref[0] == "R" and abs(shape[-1][2]) > 1 else 0
    font = "(effects (font (size 0.9 0.9) (thickness 0.15)))"
    shown = ref if on_board else "REF**"
    kept = value if on_board else ref
    told = f'(at {x:.3f} {y:.3f} {turn}) (layer "{layer}") (uuid "{_id(ref, "r")}") {font}'
    text = f'(property "Reference" "{shown}" {told})\n'
    text += (
        f'(property "Value" "{kept}" (at {x:.3f} {y + 1.5:.3f} 0) (layer "F.Fab") (uuid "{_id(ref, "v")}") {font})\n'
    )
    for name in ("Datasheet", "Description"):
        text += (
            f'(property "{name}" "" (at 0 0 0) (layer "F.Fab") (hide yes) (uuid "{_id(ref, name)}")'
            " (effects (font (size 1.27 1.27) (thickness 0.15))))\n"
        )
    skipped = " exclude_from_pos_files exclude_from_bom" if ref[0] == "W" else ""
    return text + f"(attr through_hole{skipped})\n"


def _pads(ref: str, shape: Shape, nets: dict[str, str] | None) -> str:
    big = PAD if ref[0] in "UW" else 1.6
    drill = 1.0 if ref[0] in "UW" else 0.9
    found = []
    for n, (name, x, y) in enumerate(shape):
        kind = "rect" if n == 0 and ref[0] != "R" else "circle"
        net = f" {nets[name]}" if nets is not None else ""
        found.append(
            f'(pad "{name}" thru_hole {kind} (at {x:.3f} {y:.3f}) (size {big} {big}) (drill {drill})'
            f' (layers "*.Cu" "*.Mask") (remove_unused_layers no){net} (uuid "{_id(ref, name, "pad")}"))'
        )
    return "\n".join(found)


def _screw_shape() -> str:
    text = "(attr board_only exclude_from_pos_files exclude_from_bom)\n"
    return text + '(pad "" np_thru_hole circle (at 0 0) (size 2.3 2.3) (drill 2.3) (layers "*.Cu" "*.Mask"))'


def _layout(board: Netlist, values: dict[str, str], shapes: dict[str, Shape], screw: str) -> str:
    names = sorted({net_name(board, ref, pin) for ref in board.holes for pin in pins(board, ref)})
    numbers = {name: n for n, name in enumerate(names, 1)}
    nets = "\n".join(f'(net {n} "{name}")' for name, n in numbers.items())
    body = [_standing(board, values, ref, shape, numbers) for ref, shape in shapes.items()]
    for n, (x, y) in enumerate(SCREWS):
        at = f'(uuid "{_id("screw", n)}") (at {MIDDLE[0] + x:.3f} {MIDDLE[1] + y:.3f})'
        font = "(effects (font (size 1 1) (thickness 0.15)))"
        hidden = f'(property "Reference" "H{n + 1}" (at 0 0 0) (layer "F.Fab") (hide yes) {font})'
        body.append(f'(footprint "{NAME}:screw" (layer "F.Cu") {at}\n{hidden}\n{screw})')
    return (
        f'(kicad_pcb (version 20241229) (generator "{NAME}") (generator_version "9.0")\n'
        '(general (thickness 1.6)) (paper "A4")\n'
        f'{LAYERS}\n(setup (pad_to_mask_clearance 0))\n(net 0 "")\n{nets}\n'
        + "\n".join([*body, *_tracks(board, numbers), *_outline(), *_names(board)])
        + "\n)\n"
    )


def _standing(board: Netlist, values: dict[str, str], ref: str, shape: Shape, numbers: dict[str, int]) -> str:
    x, y = millimetres(*point(board.holes[ref][0]))
    more = f'(uuid "{_id(ref, "foot")}") (at {MIDDLE[0] + x:.3f} {MIDDLE[1] + y:.3f})'
    more += f' (path "/{_id(ref)}") (sheetname "/") (sheetfile "{NAME}.kicad_sch")'
    nets = {
        pin: f'(net {numbers[net_name(board, ref, pin)]} "{net_name(board, ref, pin)}")' for pin in pins(board, ref)
    }
    return _footprint(ref, shape, more, nets, values.get(ref, "cable" if ref[0] == "W" else ref))


def _tracks(board: Netlist, numbers: dict[str, int]) -> Iterator[str]:
    for net, ways in routed(board).items():
        for n, way in enumerate(ways):
            for m, (one, other) in enumerate(pairwise(way)):
                a, b = (
                    tuple(c + d for c, d in zip(MIDDLE, millimetres(*node[1:]), strict=True)) for node in (one, other)
                )
                mark = f'(net {numbers[net]}) (uuid "{_id(net, n, m)}")'
                if one[0] != other[0]:
                    yield f'(via (at {a[0]:.4f} {a[1]:.4f}) (size {VIA}) (drill 0.4) (layers "F.Cu" "B.Cu") {mark})'
                    continue
                side = "B.Cu" if one[0] == 0 else "F.Cu"
                ends = f"(start {a[0]:.4f} {a[1]:.4f}) (end {b[0]:.4f} {b[1]:.4f})"
                yield f'(segment {ends} (width {TRACK}) (layer "{side}") {mark})'


def _outline() -> Iterator[str]:
    x0, x1, y0, y1 = MIDDLE[0] - LONG / 2, MIDDLE[0] + LONG / 2, MIDDLE[1] - WIDE / 2, MIDDLE[1] + WIDE / 2
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for n, (a, b) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
        yield (
            f"(gr_line (start {a[0]:.3f} {a[1]:.3f}) (end {b[0]:.3f} {b[1]:.3f}) (stroke (width 0.1) (type default))"
            f' (layer "Edge.Cuts") (uuid "{_id("edge", n)}"))'
        )


def _names(board: Netlist) -> Iterator[str]:
    """Yield the texts on the board: the wires' numbers along its edges, polarity marks and the project's name."""
    for ref in board.cables:
        for n, hole in enumerate(board.holes[ref], 1):
            away = {0: -1.7, ROWS - 1: 1.7}.get(hole[1], 0)
            if away:
                x, y = millimetres(*point(hole))
                yield _print(f"{ref[1:]}.{n}", x, y + away, 0.8)
    for mark, hole, (right, down) in (("K", board.at["D4.K"], (0, 1.7)), ("+", board.at["C2.1"], (-1.7, 0))):
        x, y = millimetres(*point(hole))
        yield _print(mark, x + right, y + down, 0.9)
    yield _print("ring companion, CERN-OHL-P-2.0, not yet built by anyone", 7, -6.4, 0.8)
    yield _print("wires at the edges: 2.1 is the first of W2", 12, -3.2, 0.8)


def _print(words: str, x: float, y: float, size: float) -> str:
    return (
        f'(gr_text "{words}" (at {MIDDLE[0] + x:.3f} {MIDDLE[1] + y:.3f} 0) (layer "F.SilkS")'
        f' (uuid "{_id("text", words)}")'
        f" (effects (font (size {size} {size}) (thickness {size / 7:.2f}))))"
    )


LAYERS = """(layers (0 "F.Cu" signal) (2 "B.Cu" signal) (9 "F.Adhes" user) (11 "B.Adhes" user) (13 "F.Paste" user)
(15 "B.Paste" user) (5 "F.SilkS" user) (7 "B.SilkS" user) (1 "F.Mask" user) (3 "B.Mask" user) (25 "Edge.Cuts" user)
(27 "Margin" user) (31 "F.CrtYd" user) (29 "B.CrtYd" user) (35 "F.Fab" user) (33 "B.Fab" user))"""
