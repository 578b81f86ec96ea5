"""The board in the turret has the nets of the wiring, and both kinds of board connect exactly these nets."""

import re
from collections import Counter
from itertools import combinations, pairwise
from math import dist

import pytest

from hardware.drawing import parts, wiring
from hardware.drawing.board import kicad, netlist, perfboard
from hardware.drawing.stamp import HERE

BOARD = netlist.board()
SUPPLY = {"3V3": 36, "VBUS": 40}
CLEARANCE, TRACK, PAD = 0.2, 0.4, 1.7


def pieces(nodes, joins):
    """Return the sets of connected *nodes*."""
    of = {node: {node} for node in nodes}
    for one, other in joins:
        if of[one] is not of[other]:
            of[one] |= of[other]
            for node in of[other]:
                of[node] = of[one]
    return {id(piece): piece for piece in of.values()}.values()


def behind(net):
    """Return *net* and the nets connected to it by one resistor, without supplies."""
    found = {net}
    for ref in BOARD.holes:
        ends = {BOARD.net_of.get(f"{ref}.{n}", "") for n in "12"}
        if ref[0] == "R" and net in ends:
            found |= ends - {"3V3", "GND"}
    return found


def test_the_board_carries_what_the_wiring_says():
    """The parts with holes are exactly S3 and those that the wiring has on the board."""
    said = wiring.plan("pico")["connectors"]["A1"]["additional_components"]
    named = {ref for each in said for ref in re.findall(r"[A-Z]+\d+", each["type"])}

    assert set(BOARD.holes) - set(BOARD.cables) == named | {"S3"}
    assert named | {"S3"} <= parts.electrical("pico", parts.parts())


def test_every_leg_has_a_hole_and_a_net_of_its_own():
    """Each leg has its own hole on the board and is in one net (of the Pico's legs, only those that are used)."""
    pins = [pin for pins in BOARD.nets.values() for pin in pins]

    assert set(Counter(BOARD.at.values()).values()) == {1}
    assert all(0 <= c < netlist.COLUMNS and 0 <= r < netlist.ROWS for c, r in BOARD.at.values())
    assert set(Counter(pins).values()) == {1}
    assert {pin for pin in BOARD.at if not pin.startswith("U1.")} == {pin for pin in pins if not pin.startswith("U1.")}


def test_each_wire_leads_to_the_pin_that_the_wiring_names():
    """Each wire of a cable leads to the Pico pin that its label names, through at most one resistor or transistor."""
    for labels, cable, _ in wiring.plan("pico")["connections"]:
        ((ref, wires),) = cable.items()
        first, last = (int(n) for n in re.findall(r"\d+", str(wires))[:: len(re.findall(r"\d+", str(wires))) - 1])
        for n, label in zip(range(first, last + 1), labels["A1"], strict=True):
            if ref == "W7" or label == "IR middle":
                continue
            net = BOARD.net_of[f"{ref}.{n}"]
            (told,) = re.findall(r"pin (\d+)", label) or ["GND"]
            if told == "GND":
                assert net == "GND", (ref, n)
            elif re.search(r"Q\d", label):
                base = BOARD.net_of[re.search(r"Q\d", label)[0] + ".B"]
                assert BOARD.net_of[f"U1.{told}"] in behind(base), (ref, n)
            elif "D4" in label:
                assert (BOARD.net_of["D4.K"], BOARD.net_of["D4.A"]) == (net, "VBUS")
            else:
                assert BOARD.net_of[f"U1.{told}"] in behind(net), (ref, n)
    assert BOARD.net_of["W2.2"] == BOARD.net_of["W3.1"] == "ir_middle"
    assert {name: BOARD.net_of[f"U1.{pin}"] for name, pin in SUPPLY.items()} == {name: name for name in SUPPLY}


def test_the_flat_cable_has_a_ground_for_each_of_the_picos():
    """Without the Pico nothing joins its ground pins, so the guide names all of them for the flat cable."""
    grounds = sorted(int(pin.removeprefix("U1.")) for pin in BOARD.nets["GND"] if pin.startswith("U1."))
    told = re.search(r"one ground into each of ([\d, and]+)\*\*", (HERE / "assembly.md").read_text())

    assert [int(each) for each in re.findall(r"\d+", told[1])] == grounds
    assert wiring.plan("pi")["connectors"]["PI"]["pinlabels"].count("GND") == len(grounds)


def test_wires_of_the_perforated_board_join_each_net_and_touch_no_other():
    """Wires of the perforated board connect all legs of each net, and no bare wire crosses another net's hole."""
    wires, links = perfboard.bare(BOARD)
    owner = {hole: BOARD.net_of.get(pin, pin) for pin, hole in BOARD.at.items()}
    passed = [(net, hole[1:]) for net, ways in wires.items() for way in ways for hole in way]
    for net, hole in passed:
        assert owner.setdefault(hole, net) == net

    for net, pins in BOARD.nets.items():
        legs = [BOARD.at[pin] for pin in pins]
        grounds = [BOARD.at[pin] for pin in pins if pin.startswith("U1.")]
        joins = [(a[1:], b[1:]) for way in wires.get(net, ()) for a, b in pairwise(way)]
        joins += [(a, b) for name, a, b in links if name == net] + [(grounds[0], other) for other in grounds[1:]]
        nodes = {*legs, *(node for join in joins for node in join)}
        (whole,) = pieces(nodes, joins)
        assert whole >= set(legs), net
    assert len(links) <= 4


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The printed board as KiCad reads it: pads and tracks with their nets."""
    text = kicad.project(BOARD, parts.parts(), tmp_path_factory.mktemp("board")).read_text()
    names = {int(n): name for n, name in re.findall(r'\(net (\d+) "([^"]*)"\)', text)}
    pads = []
    for block in text.split('(footprint "')[1:]:
        x, y = map(float, re.search(r"\(at ([\d.-]+) ([\d.-]+)\)", block).groups())
        for px, py, net in re.findall(r'\(pad "[^"]+" \S+ \S+ \(at (\S+) (\S+)\).*?\(net (\d+) ', block):
            pads.append((names[int(net)], (round(x + float(px), 3), round(y + float(py), 3))))
    ends = re.findall(
        r'\(segment \(start (\S+) (\S+)\) \(end (\S+) (\S+)\) \(width 0\.4\) \(layer "(.)\.Cu"\) \(net (\d+)\)', text
    )
    tracks = [
        (names[int(net)], side, (round(float(a), 3), round(float(b), 3)), (round(float(c), 3), round(float(d), 3)))
        for a, b, c, d, side, net in ends
    ]
    assert len(pads) == len(BOARD.at) <= len(tracks)
    return pads, tracks


def test_tracks_of_the_printed_board_join_each_net(printed):
    """Tracks of the printed board connect all pads of each net; KiCad checks this too, if it is installed."""
    pads, tracks = printed

    for net in BOARD.nets:
        mine = {at for name, at in pads if name == net}
        joins = [(a, b) for name, _, a, b in tracks if name == net]
        nodes = {*mine, *(node for join in joins for node in join)}
        assert any(piece >= mine for piece in pieces(nodes, joins)), net


def test_no_track_of_the_printed_board_comes_near_another_net(printed):
    """Tracks of the printed board keep the manufacturer's distance from other nets' pads and tracks."""
    pads, tracks = printed
    spots = {(side, node): name for name, side, a, b in tracks for node in (a, b)}

    for (side, node), name in spots.items():
        for other, at in pads:
            assert other == name or dist(node, at) >= (PAD + TRACK) / 2 + CLEARANCE - 1e-3, (name, other)
        assert (name, side) == (spots[side, node], side)
    by_place = {}
    for (side, node), name in spots.items():
        by_place.setdefault((side, round(node[0]), round(node[1])), []).append((node, name))
    for near in by_place.values():
        for (a, one), (b, other) in combinations(near, 2):
            assert one == other or dist(a, b) >= TRACK + CLEARANCE - 1e-3, (one, other)
