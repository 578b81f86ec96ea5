"""Pictures of the perforated board for the assembly steps: the parts from above, the wires from the solder side."""

from xml.sax.saxutils import escape

from hardware.drawing.board.netlist import COLUMNS, HIGH_ROW, LOW_ROW, ROWS, SIDE, Hole, Netlist, legs
from hardware.drawing.board.perfboard import BODIES, COPPER, INK, LINKS, PAPER, SIGNAL, SOFT, WOOD, bare, drawn

STEP, LEFT, TOP = 26, 46, 92
WIDE, HIGH = 2 * LEFT + STEP * (COLUMNS - 1), TOP + STEP * ROWS + 12
STYLE = f"""text {{ font: 10px 'DejaVu Sans', Roboto, sans-serif; fill: {INK}; text-anchor: middle }}
.title {{ font-size: 18px; font-weight: 700; text-anchor: start }}
.soft {{ fill: {SOFT}; font-size: 12px; text-anchor: start }}
.name {{ font-weight: 700; paint-order: stroke; stroke: {PAPER}; stroke-width: 2.5px }}
.wire {{ fill: none; stroke: {COPPER}; stroke-width: 6; stroke-linecap: round; stroke-linejoin: round }}
.pad {{ fill: {SIGNAL}; font-weight: 700; font-size: 9px; paint-order: stroke; stroke: {WOOD}; stroke-width: 3px }}"""


def parts_side(board: Netlist, title: str) -> str:
    """Return the board with its parts and sockets but without wires, seen from the parts' side."""
    said = "from the parts' side, the Pico's plug to the left; low parts first, then the two sockets, then what is tall"
    found = []
    for row in (HIGH_ROW, LOW_ROW):
        x, y = _xy((4, row))
        found.append(
            f'<rect x="{x - 11}" y="{y - 9}" width="{STEP * (SIDE - 1) + 22}" height="18" fill="{INK}" rx="3"/>'
        )
    x, y = _xy((14, 7))
    found.append(f'<text x="{x}" y="{y}" class="name">J1: two sockets, for U1</text>')
    for ref, holes in board.holes.items():
        if ref not in {"U1", *board.cables}:
            found += _part(ref, holes)
    return _sheet(title, said, found)


def other_side(board: Netlist, title: str) -> str:
    """Return the board's wires seen from the solder side, with left and right mirrored."""
    said = "from the solder side: left and right are changed over. Brown: bare wire. Coloured: insulated. Rings: cables"
    wires, links = bare(board)
    found = []
    for net, ways in wires.items():
        for one in ways:
            points = " ".join("{},{}".format(*_xy(_over(hole))) for hole in drawn(one))
            found.append(f'<polyline class="wire" points="{points}"><title>{escape(net)}</title></polyline>')
    for (net, a, b), colour in zip(links, LINKS * len(links), strict=False):
        (x0, y0), (x1, y1) = _xy(_over(a)), _xy(_over(b))
        found.append(f'<path d="M{x0} {y0}L{x1} {y1}" stroke="{colour}" stroke-width="3"><title>{net}</title></path>')
    for ref, holes in board.holes.items():
        for number, hole in enumerate(holes, 1):
            found += _leg(ref, number, _over(hole), cable=ref in board.cables)
    return _sheet(title, said, found)


def _part(ref: str, holes: list[Hole]) -> list[str]:
    (x0, y0), (x1, y1) = _xy(holes[0]), _xy(holes[-1])
    slim = 7 if ref[0] in "RD" else 10
    box = (min(x0, x1) - slim, min(y0, y1) - slim, abs(x1 - x0) + 2 * slim, abs(y1 - y0) + 2 * slim)
    found = [
        '<rect x="{}" y="{}" width="{}" height="{}" rx="5"'.format(*box) + f' fill="{BODIES[ref[0]]}" stroke="{INK}"/>'
    ]
    for leg, hole in zip(legs(ref, holes), holes, strict=True):
        x, y = _xy(hole)
        marked = leg if ref[0] in "DQ" else "+" if (ref, leg) == ("C2", "1") else ""
        found.append(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{INK}"/><text x="{x}" y="{y + 12}">{marked}</text>')
    middle = ((x0 + x1) / 2, (y0 + y1) / 2 + (4 if len(holes) < 3 and ref[0] in "RDS" else -9))
    return [*found, f'<text x="{middle[0]:g}" y="{middle[1]:g}" class="name">{ref}</text>']


def _leg(ref: str, number: int, hole: Hole, cable: bool) -> list[str]:
    x, y = _xy(hole)
    if cable:
        told = f'<text x="{x}" y="{y + (14 if hole[1] else -8)}" class="pad">{ref}.{number}</text>'
        return [f'<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="{SIGNAL}" stroke-width="2"/>', told]
    told = f'<text x="{x}" y="{y - 6}" style="font-size: 8px">{number}</text>' if ref == "U1" else ""
    first = number == 1 and ref != "U1"
    told += f'<text x="{x}" y="{y - 6}" class="name" style="font-size: 8px">{ref}</text>' if first else ""
    return [f'<circle cx="{x}" cy="{y}" r="3" fill="{INK}"/>{told}']


def _over(hole: Hole) -> Hole:
    return COLUMNS - 1 - hole[0], hole[1]


def _xy(hole: Hole) -> tuple[int, int]:
    return LEFT + STEP * hole[0], TOP + STEP * hole[1]


def _sheet(title: str, said: str, found: list[str]) -> str:
    (x0, y0), (x1, y1) = _xy((0, 0)), _xy((COLUMNS - 1, ROWS - 1))
    half = STEP // 2
    body = "\n".join(found)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img"
  aria-label="{escape(title)}">
<style>{STYLE}</style>
<defs><pattern id="holes" x="{x0 - half}" y="{y0 - half}" width="{STEP}" height="{STEP}" patternUnits="userSpaceOnUse">
<circle cx="{half}" cy="{half}" r="2.4" fill="{PAPER}" stroke="#B59A63"/></pattern></defs>
<rect width="{WIDE}" height="{HIGH}" fill="{PAPER}"/>
<text x="24" y="30" class="title">{escape(title)}</text>
<text x="24" y="52" class="soft">{escape(said)}</text>
<rect x="{x0 - 18}" y="{y0 - 18}" width="{x1 - x0 + 36}" height="{y1 - y0 + 36}" fill="{WOOD}" rx="6"/>
<rect x="{x0 - half}" y="{y0 - half}" width="{x1 - x0 + STEP}" height="{y1 - y0 + STEP}" fill="url(#holes)"/>
{body}
</svg>
"""
