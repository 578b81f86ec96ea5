"""Parts list, circuit, wiring and pins agree with each other."""

import re
import tomllib

import pytest

from hardware.drawing import circuit, parts, wiring
from hardware.drawing.stamp import HERE

KINDS = ("pico", "pi")
DESIGNATOR = re.compile(r"\b(?:U|D|Q|R|C|S|BZ)\d+\b")
PINS = tomllib.loads((HERE / "pins.toml").read_text())
PICO = {  # GP numbers on a Pico's edge
    *range(23), 26, 27, 28,
}  # fmt: skip
EDGE = (
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    -1,
    6,
    7,
    8,
    9,
    -1,
    10,
    11,
    12,
    13,
    -1,
    14,
    15,
)  # a Pico's pins 1 to 20 (datasheet, 2.1)
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)  # of the Pi's header
HEADER = {2: 3, 3: 5, 5: 29, 6: 31, 13: 33, 17: 11, 22: 15, 23: 16, 24: 18, 27: 13}  # BCM number to header pin


def words(svg):
    """Return the texts in a drawing."""
    return " ".join(re.findall(r">([^<]+)<", svg))


@pytest.mark.parametrize("kind", KINDS)
def test_circuit_and_list_name_the_same_parts(kind):
    """The circuit has exactly the electrical parts of the list."""
    assert set(DESIGNATOR.findall(words(circuit.circuit(kind)))) == parts.electrical(kind, parts.parts())


@pytest.mark.parametrize("kind", KINDS)
def test_wiring_and_list_name_the_same_parts(kind):
    """The wiring has exactly the electrical parts of the list, at wires' ends or on the board."""
    plan = wiring.plan(kind)
    on_board = [component["type"] for component in plan["connectors"]["A1"]["additional_components"]]
    named = set(DESIGNATOR.findall(" ".join([*plan["connectors"], *on_board])))

    assert named == parts.electrical(kind, parts.parts())


@pytest.mark.parametrize("kind", KINDS)
def test_the_board_carries_as_many_of_a_part_as_its_designators_say(kind):
    """In the wiring, the quantity of a part on the board equals the number of its designators."""
    for component in wiring.plan(kind)["connectors"]["A1"]["additional_components"]:
        assert component["qty"] == len(DESIGNATOR.findall(component["type"])), component


@pytest.mark.parametrize("kind", KINDS)
def test_the_values_are_the_same_everywhere(kind):
    """Resistors and capacitors have the same value in the list, the circuit and the wiring."""
    drawn = words(circuit.circuit(kind))
    on_board = wiring.plan(kind)["connectors"]["A1"]["additional_components"]
    for part in parts.parts():
        if part.refs[0][0] in "RC" and getattr(part, kind):
            value = re.search(r"[\d.]+ [kµn]?[ΩF]", part.name)[0]
            for ref in part.refs:
                assert f"{ref} {value}" in drawn
                held = next(one for one in on_board if ref in DESIGNATOR.findall(one["type"]))
                assert held["subtype"] == value


@pytest.mark.parametrize("kind", KINDS)
def test_the_circuit_uses_the_pins_of_the_list_of_pins(kind):
    """The circuit has exactly the pins of pins.toml."""
    named = re.findall(r"\b(?:GP|BCM )(\d+)\b", words(circuit.circuit(kind)))

    assert {int(number) for number in named} == {pin["pin"] for pin in PINS[kind].values()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_wiring_uses_the_pins_of_the_list_of_pins(kind):
    """Each wire to a pin is labelled with the pin's number and name."""
    told = " ".join(wiring.plan(kind)["connectors"]["A1"]["pinlabels"])
    named = {name: int(number) for number, name in re.findall(r"(?:GP|BCM)(\d+) (\w+)", told)}

    assert named == {name: pin["pin"] for name, pin in PINS[kind].items()}


def test_the_pis_header_is_counted_right():
    """Each BCM number is at its pin of the 40-pin header."""
    header = wiring.plan("pi")["connectors"]["PI"]
    labels = list(zip(header["pins"], header["pinlabels"], strict=True))
    places = {label: pin for pin, label in labels}

    for pin in PINS["pi"].values():
        assert places[f"BCM{pin['pin']}"] == HEADER[pin["pin"]] == pin["at"]
    assert (places["3V3"], places["5 V"]) == (1, 2)
    assert tuple(pin for pin, label in labels if label == "GND") == GROUNDS


def test_the_picos_edge_is_counted_right():
    """Each GP number is at its pin of the Pico's edge, in the list of pins and at the end of its wire."""
    told = " ".join(wiring.plan("pico")["connectors"]["A1"]["pinlabels"])

    for pin in PINS["pico"].values():
        assert EDGE[pin["at"] - 1] == pin["pin"]
        assert re.search(rf"GP{pin['pin']} [^)]*pin {pin['at']}\b", told)
    for name, at in (("3V3", 36), ("VBUS", 40)):
        assert re.search(rf"{name}[ ,(]+pin {at}\b", told)


def test_each_wire_of_the_flat_cable_meets_a_pin_of_its_own():
    """A flat cable joins wire n to pin n, so it has as many wires as the header has pins."""
    plan = wiring.plan("pi")
    pins = plan["connectors"]["PI"]["pins"]
    (ends,) = [set for set in plan["connections"] if "PI" in set[0]]
    flat = next(part for part in parts.parts() if part.refs == ("J3",))

    assert int(re.search(r"(\d+) wires", flat.name)[1]) == 40 >= max(pins)
    assert (ends[0]["PI"], plan["cables"]["J3"]["wirecount"]) == (pins, len(pins))
    for pin, label, there in zip(pins, plan["connectors"]["PI"]["pinlabels"], ends[2]["A1"], strict=True):
        assert there.split(" ")[0] == label.split(" ")[0], pin


@pytest.mark.parametrize("kind", KINDS)
def test_the_wire_on_the_list_is_as_long_as_all_wires_are(kind):
    """The wire in the list is enough for all cables with a tenth in reserve, and at most twice as much."""
    cables = [each for each in wiring.plan(kind)["cables"].values() if each["gauge"] == "0.14 mm2"]
    needed = 1.1 * sum(each["wirecount"] * each["length"] for each in cables)
    (bought,) = [part.figures["m"] for part in parts.parts() if part.refs == ("W",)]

    assert needed <= bought <= 2 * needed


def test_prices_have_a_source_and_a_day():
    """Every price that is given has a source and a date."""
    for part in parts.parts():
        assert set(part.price) in (set(), set(parts.PRICE)), part.refs
        assert not part.price or re.fullmatch(r"20\d\d-\d\d-\d\d", str(part.price["date"]))


def test_electrical_parts_have_a_number_to_order_by():
    """Each electrical part has an order number, except switches, of which several kinds fit."""
    without = [part.refs for part in parts.parts() if part.electrical and not part.buy and part.refs[0][0] != "S"]

    assert without == []


def test_numbers_have_a_source():
    """Each order number has the source against which it was checked."""
    assert [part.refs for part in parts.parts() if bool(part.buy) != bool(part.seen)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_pin_has_two_jobs(kind):
    """Each pin is used only once, and is at the edge of a Pico."""
    numbers = [pin["pin"] for pin in PINS[kind].values()]

    assert len(numbers) == len(set(numbers))
    assert kind == "pi" or set(numbers) <= PICO


@pytest.mark.parametrize("kind", KINDS)
def test_each_beams_emitter_faces_its_receiver(kind):
    """In the wiring, each beam's emitter and receiver are on opposite sides of the gate."""
    ends = wiring.plan(kind)["connectors"]
    sides = {name: ends[name]["subtype"] for name in ("D1", "Q3", "D2", "Q4")}

    assert sides == {"D1": "beam A, left", "Q3": "beam A, right", "D2": "beam B, right", "Q4": "beam B, left"}


def test_the_list_has_no_prices_and_counts_what_it_names():
    """Each designator is used once, no line has a price, and electrical parts are counted by their designators."""
    listed = parts.parts()
    refs = [ref for part in listed for ref in part.refs]

    assert len(refs) == len(set(refs))
    assert not re.search(r"€|\$|£|\bEUR\b|\bprice:", parts.page(listed))
    for part in listed:
        if part.electrical:
            assert {part.pico, part.pi} <= {0, len(part.refs)}
