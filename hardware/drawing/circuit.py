"""The circuit diagram: one block per function, connected by the names of pins and supplies."""

import tomllib
from pathlib import Path
from typing import Any

import schemdraw
from schemdraw import elements as e

PINS = Path(__file__).parent.parent / "pins.toml"
OWNER = {
    "pico": "GP… are names of U1's pins, behind them their places on its edge",
    "pi": "BCM… are names of the Pi's pins, behind them their places on its header: settings, but for the sensor's bus",
}
TITLES = {"pico": "Ring on a Pico", "pi": "Ring on the Pi's own pins"}
PREFIX = {"pico": "GP", "pi": "BCM "}
FIVE = {"pico": "VBUS 5 V", "pi": "5 V"}
THREE = {"pico": "3V3", "pi": "3V3"}


def pins(kind: str) -> dict[str, str]:
    """Return the label of each pin for one *kind* of ring, such as `GP2, pin 4`."""
    table = tomllib.loads(PINS.read_text())[kind]
    return {name: f"{PREFIX[kind]}{pin['pin']}, pin {pin['at']}" for name, pin in table.items()}


def circuit(kind: str) -> str:
    """Return the circuit diagram of one *kind* of ring, `pico` or `pi`, as SVG."""
    schemdraw.use("svg")
    names = pins(kind)
    with schemdraw.Drawing(show=False) as d:
        d.config(fontsize=12, font="DejaVu Sans", lw=1.4, color="#1A1D29", bgcolor="#FBF9F3", margin=0.7)
        d.add(e.Label().at((0, 1.6)).label(TITLES[kind], fontsize=20, halign="left"))
        told = f"{OWNER[kind]}; values are reasoned in circuit.md; not yet built by anyone"
        d.add(e.Label().at((0, 0.9)).label(told, fontsize=12, halign="left", color="#53576A"))
        _driver(d, (0, 0), kind, names["emitters"], ("R1 100 Ω", ["D1", "D2"], "Q1", "R3 1 kΩ"), "emitters")
        _driver(d, (7.5, 0), kind, names["lamp"], ("R2 100 Ω", ["D3"], "Q2", "R4 1 kΩ"), "white lamp")
        _receiver(d, (15, 0), kind, names["beam_a"], ("R5 4.7 kΩ", "R12 100 Ω", "Q3"), "beam A: high when blocked")
        _receiver(d, (22, 0), kind, names["beam_b"], ("R6 4.7 kΩ", "R13 100 Ω", "Q4"), "beam B: high when blocked")
        _sensor(d, (0, -11.5), kind, names)
        _switch(d, (16.4, -11.5), names["gate"], ("S1", "R17 100 Ω", "C4 10 nF"), "closed: low")
        _switch(d, (22.2, -11.5), names["lift"], ("S2", "R18 100 Ω", "C5 10 nF"), "standing: low")
        _switch(d, (28, -11.5), names["shake"], ("S3", "", ""), "jolted: low")
        _supply(d, (22, -22.5), FIVE[kind], "C2 10 µF", "supply")
        _supply(d, (26.4, -22.5), THREE[kind], "C3 100 nF", "sensor's supply")
        if kind == "pico":
            _pixel(d, (0, -22.5), names["pixel"])
            _piezo(d, (13.4, -22.5), names["piezo"])
    return str(d.get_imagedata("svg").decode())


def _title(d: Any, at: tuple[float, float], words: str) -> None:
    d.add(e.Label().theta(0).at((at[0], at[1] - 0.6)).label(words, halign="left", fontsize=13, color="#A3106B"))


def _driver(
    d: Any, at: tuple[float, float], kind: str, pin: str, names: tuple[str, list[str], str, str], title: str
) -> None:
    resistor, lamps, transistor, base = names
    _title(d, at, f"{title}: {pin} high, on")
    d.add(e.Vdd().theta(0).at((at[0] + 4, at[1] - 2)).label(FIVE[kind]))
    d.add(e.Resistor().down().length(2).label(resistor, loc="bottom"))
    for lamp in lamps:
        d.add(e.LED().down().length(2).label(lamp, loc="bottom", ofst=0.4))
    q = d.add(e.BjtNpn(circle=True).theta(0).anchor("collector").label(transistor, loc="right"))
    d.add(e.Ground().theta(0).at(q.emitter))
    d.add(e.Resistor().at(q.base).left().length(2.4).label(base))
    d.add(e.Dot(open=True).theta(0).label(pin, loc="left"))


def _receiver(d: Any, at: tuple[float, float], kind: str, pin: str, names: tuple[str, str, str], title: str) -> None:
    load, guard, transistor = names
    _title(d, at, title)
    d.add(e.Vdd().theta(0).at((at[0] + 2.5, at[1] - 2)).label(THREE[kind]))
    d.add(e.Resistor().down().length(2.5).label(load, loc="bottom"))
    joint = d.add(e.Dot())
    d.add(e.Line().at(joint.center).left().length(1.2))
    d.add(e.Dot(open=True).theta(0).label(pin, loc="left"))
    d.add(e.Resistor().at(joint.center).down().length(2.5).label(guard, loc="bottom"))
    q = d.add(e.NpnPhoto(circle=True).theta(0).anchor("collector").label(transistor, loc="right"))
    d.add(e.Ground().theta(0).at(q.emitter))


def _sensor(d: Any, at: tuple[float, float], kind: str, names: dict[str, str]) -> None:
    """Draw the sensor's pins: supply, bus, interrupt, ground and its own lamp, with the pull-ups side by side."""
    x, y = at
    _title(d, at, "colour sensor; its own lamp is tied off")
    order = ("LED", "GND", "INT", "SCL", "SDA", "VIN")
    sides = [e.IcPin(name, side="left", slot=f"{n}/6") for n, name in enumerate(order, 1)]
    ic = d.add(e.Ic(pins=sides, size=(2.4, 5.4)).theta(0).anchor("VIN").at((x + 11.8, y - 3.4)).label("U2", loc="top"))
    d.add(e.Line().at(ic.VIN).left().length(0.4))
    d.add(e.Vdd().theta(0).label(THREE[kind]))
    for name in ("GND", "LED"):
        d.add(e.Line().at(getattr(ic, name)).left().length(0.6 if name == "LED" else 1.4))
        d.add(e.Ground().theta(0))
    pulls = {"INT": "R9 10 kΩ"} if kind == "pi" else {"SDA": "R7 4.7 kΩ", "SCL": "R8 4.7 kΩ", "INT": "R9 10 kΩ"}
    for column, name in enumerate(("SDA", "SCL", "INT")):
        pin, far = getattr(ic, name), 4.3 + 2.7 * column
        d.add(e.Line().at(pin).left().length(1.6))
        d.add(e.Resistor().left().length(2.2).label(f"R{14 + column} 100 Ω", loc="top", fontsize=9, ofst=0.06))
        d.add(e.Line().left().length(far - 3.3))
        d.add(e.Dot(open=True).theta(0).label(names[name.lower()], loc="bottom"))
        if name in pulls:
            d.add(e.Dot().at((pin[0] - far, pin[1])))
            d.add(e.Resistor().up().to((pin[0] - far, y - 2.4)).label(pulls[name], loc="top"))
            d.add(e.Vdd().theta(0).label(THREE[kind]))


def _switch(d: Any, at: tuple[float, float], pin: str, names: tuple[str, str, str], what: str) -> None:
    ref, guard, catch = names
    _title(d, at, what)
    d.add(e.Dot(open=True).theta(0).at((at[0] + 1, at[1] - 2)).label(pin, loc="top"))
    if guard:
        joint = d.add(e.Line().down().length(0.8)).end
        d.add(e.Line().right().length(1.7))
        d.add(e.Capacitor().down().length(1.9).label(catch, loc="bottom"))
        d.add(e.Ground().theta(0))
        d.add(e.Dot().theta(0).at(joint))
        d.add(e.Resistor().at(joint).down().length(2.4).label(guard, loc="top"))
    d.add(e.Switch().down().length(2.4).label(ref, loc="bottom"))
    d.add(e.Ground().theta(0))


def _supply(d: Any, at: tuple[float, float], volts: str, capacitor: str, title: str) -> None:
    _title(d, at, title)
    d.add(e.Vdd().theta(0).at((at[0] + 1, at[1] - 2)).label(volts))
    d.add(e.Capacitor().down().length(2.4).label(capacitor, loc="bottom"))
    d.add(e.Ground().theta(0))


def _pixel(d: Any, at: tuple[float, float], pin: str) -> None:
    x, y = at
    _title(d, at, "pixel, its supply a diode lower")
    sides = [
        e.IcPin("DIN", side="left", slot="1/4"),
        e.IcPin("VDD", side="left", slot="4/4"),
        e.IcPin("VSS", side="bot"),
    ]
    ic = d.add(e.Ic(pins=sides, size=(3.2, 4.8)).theta(0).anchor("VDD").at((x + 6.4, y - 2.6)).label("D5", loc="top"))
    d.add(e.Diode().at((x + 2, ic.VDD[1])).right().to(ic.VDD).label("D4 1N4148"))
    d.add(e.Vdd().theta(0).at((x + 2, ic.VDD[1])).label(FIVE["pico"]))
    d.add(e.Resistor().at(ic.DIN).left().length(3).label("R10 330 Ω", loc="bottom"))
    d.add(e.Dot(open=True).theta(0).label(pin, loc="left"))
    d.add(e.Ground().theta(0).at(ic.VSS))
    d.add(e.Capacitor().at((x + 5.6, ic.VDD[1])).down().length(1.9).label("C1 100 nF", loc="top"))
    d.add(e.Ground().theta(0))


def _piezo(d: Any, at: tuple[float, float], pin: str) -> None:
    _title(d, at, "piezo")
    d.add(e.Dot(open=True).theta(0).at((at[0] + 1.6, at[1] - 2.6)).label(pin, loc="left"))
    d.add(e.Resistor().right().length(2.6).label("R11 330 Ω"))
    d.add(e.Crystal().down().length(2.2).label("BZ1", loc="bottom"))
    d.add(e.Ground().theta(0))
