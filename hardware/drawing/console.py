"""The circuit diagram of the console, with one example of each kind: button, light, buzzer and lamp."""

import tomllib
from pathlib import Path
from typing import Any

import schemdraw
from schemdraw import elements as e

CONSOLE = Path(__file__).parent.parent / "console.toml"
INK, SOFT, SIGNAL, PAPER = "#1A1D29", "#53576A", "#A3106B", "#FBF9F3"
TOLD = "BCM … are pins of the Pi, as console.toml has them; values are reasoned in console.md; not yet built by anyone"


def plan() -> dict[str, Any]:
    """Return the contents of console.toml."""
    return tomllib.loads(CONSOLE.read_text())


def console() -> str:
    """Return the circuit diagram of a console with every kind of part as SVG."""
    schemdraw.use("svg")
    told = plan()
    seats = told["seats"]
    with schemdraw.Drawing(show=False) as d:
        d.config(fontsize=12, font="DejaVu Sans", lw=1.4, color=INK, bgcolor=PAPER, margin=0.7)
        d.add(e.Label().at((0, 1.6)).label("Console on the Pi's own pins", fontsize=20, halign="left"))
        d.add(e.Label().at((0, 0.9)).label(TOLD, fontsize=12, halign="left", color=SOFT))
        _button(d, (0, 0), f"next: BCM {told['next']['button']}")
        _button(d, (4.6, 0), f"pause: BCM {told['pause']['button']}")
        _button(d, (9.2, 0), "ready, one a seat")
        _light(d, (13.8, 0), "its light, one a seat")
        _seats(d, (18.4, 0), seats)
        _buzzer(d, (0, -8.5), told["buzzer"]["pin"])
        _voice(d, (4.6, -8.5), told["buzzer"]["pin"])
        _lamp(d, (13.8, -8.5), told["lamp"])
    return str(d.get_imagedata("svg").decode())


def _title(d: Any, at: tuple[float, float], words: str) -> None:
    d.add(e.Label().theta(0).at((at[0], at[1] - 0.6)).label(words, halign="left", fontsize=13, color=SIGNAL))


def _pin(d: Any, at: tuple[float, float], name: str) -> None:
    d.add(e.Dot(open=True).theta(0).at((at[0] + 1, at[1] - 2)).label(name, loc="top"))


def _button(d: Any, at: tuple[float, float], title: str) -> None:
    _title(d, at, title)
    _pin(d, at, "pin")
    d.add(e.Resistor().down().length(2).label("1 kΩ", loc="bottom"))
    d.add(e.Button().down().length(2))
    d.add(e.Ground().theta(0))


def _light(d: Any, at: tuple[float, float], title: str) -> None:
    _title(d, at, title)
    _pin(d, at, "pin")
    d.add(e.Resistor().down().length(2).label("330 Ω", loc="bottom"))
    d.add(e.LED().down().length(2))
    d.add(e.Ground().theta(0))


def _seats(d: Any, at: tuple[float, float], seats: dict[str, dict[str, int]]) -> None:
    _title(d, at, "pins of the seats")
    for row, (seat, pins) in enumerate(seats.items()):
        words = f"{seat}: button BCM {pins['button']}, light BCM {pins['led']}"
        d.add(e.Label().theta(0).at((at[0], at[1] - 1.6 - 0.7 * row)).label(words, halign="left", fontsize=12))


def _buzzer(d: Any, at: tuple[float, float], pin: int) -> None:
    _title(d, at, 'buzzer "tone"')
    _pin(d, at, f"BCM {pin}")
    d.add(e.Resistor().down().length(2).label("330 Ω", loc="bottom"))
    d.add(e.Crystal().down().length(2).label("disc", loc="bottom"))
    d.add(e.Ground().theta(0))


def _voice(d: Any, at: tuple[float, float], pin: int) -> None:
    _title(d, at, 'or "active", its own voice')
    d.add(e.Vdd().theta(0).at((at[0] + 4, at[1] - 2)).label("5 V"))
    d.add(e.RBox().down().length(2).label("buzzer", loc="bottom"))
    q = d.add(e.BjtNpn(circle=True).theta(0).anchor("collector").label("NPN", loc="right"))
    d.add(e.Ground().theta(0).at(q.emitter))
    d.add(e.Resistor().at(q.base).left().length(2.4).label("1 kΩ"))
    d.add(e.Dot(open=True).theta(0).label(f"BCM {pin}", loc="bottom"))


def _lamp(d: Any, at: tuple[float, float], pins: dict[str, Any]) -> None:
    _title(d, at, "lamp: one RGB LED, its long leg to ground")
    for column, (name, value) in enumerate((("red", "330 Ω"), ("green", "82 Ω"), ("blue", "82 Ω"))):
        x = at[0] + 2.6 * column
        _pin(d, (x, at[1]), f"{name}: BCM {pins[name]}")
        d.add(e.Resistor().down().length(2).label(value, loc="bottom"))
        d.add(e.LED().down().length(2))
        if column < 2:
            d.add(e.Line().right().length(2.6))
        else:
            d.add(e.Ground().theta(0))
