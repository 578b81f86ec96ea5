"""The perforated board: parts in their holes, bare wire along the holes on the solder side, and insulated wire."""

from itertools import combinations

from hardware.drawing.board.netlist import (
    COLUMNS,
    HIGH_ROW,
    LOW_ROW,
    PICO_PINS,
    ROWS,
    SIDE,
    Hole,
    Netlist,
    legs,
    pico_hole,
)
from hardware.drawing.board.routing import Blocked, Node, Way, corners, way

Link = tuple[str, Hole, Hole]
LONGEST = 16  # holes along which a bare wire may run; a longer connection is less work in insulated wire


def bare(board: Netlist) -> tuple[dict[str, list[Way]], list[Link]]:
    """Return the bare wires of each net, and the insulated wires for the other connections.

    The Pico connects its ground pins itself, so they need no wires.
    """
    taken = {hole: board.net_of.get(pin, pin) for pin, hole in board.at.items()}
    wires: dict[str, list[Way]] = {}
    links: list[Link] = []
    for net in sorted(board.nets, key=lambda name: (len(board.nets[name]) > 5, _extent(board, name))):
        for found in _joined(board, net, taken):
            if isinstance(found, tuple):
                links.append(found)
                continue
            wires.setdefault(net, []).append(found)
    return wires, links


def _joined(board: Netlist, net: str, taken: dict[Hole, str]) -> list[Way | Link]:
    """Connect the pieces of *net*, the nearest first, with bare wire where a path is free, or else insulated wire."""
    pieces = _pieces(board, net)
    found: list[Way | Link] = []

    def free(_: Node, there: Node) -> bool:
        hole = there[1:]
        return 0 <= hole[0] < COLUMNS and 0 <= hole[1] < ROWS and taken.get(hole, net) == net

    while len(pieces) > 1:
        one, other = min(combinations(pieces, 2), key=lambda two: _apart(*two))
        try:
            wire = way(_nodes(one), _nodes(other), free, 1)
        except Blocked:
            wire = []
        pieces.remove(other)
        if 0 < len(wire) <= LONGEST:
            one |= {(column, row) for _, column, row in wire}
            taken.update({(column, row): net for _, column, row in wire})
            found.append(wire)
        else:
            found.append((net, *min(((a, b) for a in one for b in other), key=lambda two: _far(*two))))
        one |= other
    return found


def _pieces(board: Netlist, net: str) -> list[set[Hole]]:
    inside = {board.at[pin] for pin in board.nets[net] if net == "GND" and pin.startswith("U1.")}
    alone = [{board.at[pin]} for pin in board.nets[net] if board.at[pin] not in inside]
    return [*([inside] if inside else []), *alone]


def _nodes(of: set[Hole]) -> list[Node]:
    return [(0, *hole) for hole in of]


def _apart(one: set[Hole], other: set[Hole]) -> int:
    return min(_far(a, b) for a in one for b in other)


def _far(a: Hole, b: Hole) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _extent(board: Netlist, net: str) -> int:
    columns, rows = zip(*(board.at[pin] for pin in board.nets[net]), strict=True)
    return max(columns) - min(columns) + max(rows) - min(rows)


def drawn(of: Way) -> list[Hole]:
    """Return the holes at the ends and bends of a bare wire."""
    return [(column, row) for _, column, row in corners(of)]


STEP, EDGE = 34, 76
INK, SOFT, SIGNAL, COPPER, PAPER, WOOD = "#1A1D29", "#53576A", "#A3106B", "#B8733A", "#F0ECE2", "#E2CFA4"
LINKS = ("#1B6FB3", "#C62F22", "#2E7D32", "#7B3FA0", "#8A5A00")
BODIES = {"R": "#D9E6F2", "D": "#F3D9D6", "C": "#F6E7B8", "Q": "#DDD6EA", "S": "#D8EAD6"}
TOLD = (
    "Seen from the parts' side, the Pico's plug to the left. Brown: bare wire on the other side, along the holes. "
    "Coloured: insulated wire."
)


def picture(board: Netlist) -> str:
    """Return the board as SVG, seen from the parts' side."""
    wires, links = bare(board)
    width, height = 2 * EDGE + STEP * (COLUMNS - 1), 2 * EDGE + STEP * (ROWS - 1) + 84
    drawn_ = [*_holes(), *_wires(wires), *_pico(), *_parts(board), *_links(links), *_pads(board), *_legend(board)]
    body = "\n".join(drawn_)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
  aria-label="The board in the turret on a perforated board, seen from the parts' side">
<style>text {{ font: 11px 'DejaVu Sans', Roboto, sans-serif; fill: {INK}; text-anchor: middle }}
.name {{ font-weight: 700; paint-order: stroke; stroke: {PAPER}; stroke-width: 2.5px }} .soft {{ fill: {SOFT} }}
.pad {{ fill: {SIGNAL}; font-weight: 700; paint-order: stroke; stroke: {WOOD}; stroke-width: 3px;
  font-size: 10px }}</style>
<rect width="{width}" height="{height}" fill="{PAPER}"/>
<text x="{width / 2:g}" y="24" style="font-size: 18px; font-weight: 700">The board in the turret</text>
<text x="{width / 2:g}" y="44" class="soft">{TOLD}</text>
<rect x="{EDGE - 22}" y="{EDGE - 8}" width="{STEP * (COLUMNS - 1) + 44}" height="{STEP * (ROWS - 1) + 52}"
  fill="{WOOD}" rx="6"/>
{body}
</svg>
"""


def _xy(hole: Hole) -> tuple[int, int]:
    return EDGE + STEP * hole[0], EDGE + 18 + STEP * hole[1]


def _holes() -> list[str]:
    spots = [_xy((column, row)) for column in range(COLUMNS) for row in range(ROWS)]
    names = [f'<text x="{_xy((n, 0))[0]}" y="{EDGE - 14}" class="soft">{n}</text>' for n in range(COLUMNS)]
    names += [f'<text x="{EDGE - 34}" y="{_xy((0, n))[1] + 4}" class="soft">{n}</text>' for n in range(ROWS)]
    return [*(f'<circle cx="{x}" cy="{y}" r="3" fill="{PAPER}" stroke="#B59A63"/>' for x, y in spots), *names]


def _wires(wires: dict[str, list[Way]]) -> list[str]:
    return [
        f'<polyline points="{" ".join("{},{}".format(*_xy(hole)) for hole in drawn(one))}" fill="none"'
        f' stroke="{COPPER}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round">'
        f"<title>{net}</title></polyline>"
        for net, ways in wires.items()
        for one in ways
    ]


def _pico() -> list[str]:
    (x0, y0), (x1, y1) = _xy((0, HIGH_ROW)), _xy((SIDE - 1, LOW_ROW))
    found = [
        f'<rect x="{x0 - 20}" y="{y0 - 14}" width="{x1 - x0 + 40}" height="{y1 - y0 + 28}" rx="5" fill="#2E7D32"'
        f' fill-opacity=".1" stroke="#2E7D32" stroke-dasharray="5 4"/>',
        f'<rect x="{x0 - 34}" y="{(y0 + y1) / 2 - 36}" width="30" height="72" fill="#9AA0A6" opacity=".6"/>',
        f'<text x="{(x0 + x1) / 2 + 120}" y="{(y0 + y1) / 2 + 10}" class="name">U1, the Pico, in two sockets</text>',
    ]
    for pin in range(1, PICO_PINS + 1):
        x, y = _xy(pico_hole(pin))
        found.append(
            f'<rect x="{x - 5}" y="{y - 5}" width="10" height="10" fill="none" stroke="#2E7D32" stroke-width="1.5"/>'
        )
        away = 18 if pin > SIDE else -10
        found.append(f'<text x="{x + 10}" y="{y + away}" class="soft" style="font-size: 9px">{pin}</text>')
    return found


def _parts(board: Netlist) -> list[str]:
    found = []
    for ref, holes in board.holes.items():
        if ref in {"U1", *board.cables}:
            continue
        (x0, y0), (x1, y1) = _xy(holes[0]), _xy(holes[-1])
        slim = 9 if ref[0] in "RD" else 13
        box = (min(x0, x1) - slim, min(y0, y1) - slim, abs(x1 - x0) + 2 * slim, abs(y1 - y0) + 2 * slim)
        found.append(
            '<rect x="{}" y="{}" width="{}" height="{}" rx="6"'.format(*box)
            + f' fill="{BODIES[ref[0]]}" fill-opacity=".85" stroke="{INK}"/>'
        )
        for leg, hole in zip(legs(ref, holes), holes, strict=True):
            x, y = _xy(hole)
            marked = leg if ref[0] in "DQ" else "+" if (ref, leg) == ("C2", "1") else ""
            found.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{INK}"/><text x="{x}" y="{y + 16}">{marked}</text>')
        middle = ((x0 + x1) / 2, (y0 + y1) / 2 + (4 if len(holes) < 3 and ref[0] in "RDS" else -12))
        found.append(f'<text x="{middle[0]:g}" y="{middle[1]:g}" class="name">{ref}</text>')
    return found


def _links(links: list[Link]) -> list[str]:
    found = []
    for (net, one, other), colour in zip(links, LINKS * len(links), strict=False):
        (x0, y0), (x1, y1) = _xy(one), _xy(other)
        bend = ((x0 + x1) / 2 + (y1 - y0) / 8, (y0 + y1) / 2 - (x1 - x0) / 8)
        found.append(
            f'<path d="M{x0} {y0}Q{bend[0]:g} {bend[1]:g} {x1} {y1}" fill="none" stroke="{colour}" stroke-width="3">'
            f"<title>{net}</title></path>"
        )
        found += [f'<circle cx="{x}" cy="{y}" r="5" fill="{colour}"/>' for x, y in ((x0, y0), (x1, y1))]
    return found


def _pads(board: Netlist) -> list[str]:
    found = []
    for ref in board.cables:
        for n, hole in enumerate(board.holes[ref], 1):
            x, y = _xy(hole)
            found.append(f'<circle cx="{x}" cy="{y}" r="6" fill="none" stroke="{SIGNAL}" stroke-width="2.5"/>')
            found.append(f'<text x="{x}" y="{y + (18 if hole[1] else -9)}" class="pad">{ref}.{n}</text>')
    return found


def _legend(board: Netlist) -> list[str]:
    """Return lines of text that name the net of each wire of a cable."""
    cables = [
        f"{ref}: " + ", ".join(f"{n} {board.net_of[f'{ref}.{n}']}" for n in range(1, len(holes) + 1))
        for ref, holes in board.holes.items()
        if ref in board.cables
    ]
    low = EDGE + STEP * ROWS + 46
    rows = ["; ".join(cables[start : start + 3]) for start in range(0, len(cables), 3)]
    return [
        f'<text x="{EDGE - 22}" y="{low + 18 * n}" style="text-anchor: start">{row}</text>'
        for n, row in enumerate(rows)
    ]
