"""The calculations of the circuit, from the figures in parts.toml. Every calculation in circuit.md is made here."""

from collections.abc import Iterable, Mapping
from math import log
from typing import Any

from hardware.drawing.coupling import Eyes, direct_ma, neighbour_ma
from hardware.drawing.parts import Part

FIVE, LOW_FIVE, HIGH_FIVE = 5.0, 4.75, 5.25
LUX, DARK_LUX = (
    350,
    310,
)  # reflected from the shutter; a lux gives 2.4 / 310 counts in 2.4 ms at gain 1 (the maker's design note)
CLEAR = (2, 3)  # counts of the clear channel as a multiple of that note's figure
STEP_MS, GAIN_OF_SHEET, MS_OF_SHEET = 2.4, 16, 24.0
FRAME_BITS, FRAME_MS = 121, 4.54  # bits to read eight bytes and clear the interrupt; time until the next frame
CLAMP_V = 0.3  # volts above the supply at which a pin's clamp diode conducts
BATTERY_WH = 10 * 3.7
E9_MA = 0.12  # leakage out of a pin of an RP2350 between low and high (its datasheet, erratum RP2350-E9)
STRONGER_OHM = 10_000  # instead of R5 and R6, if a receiver is weak
Figures = Mapping[str, Any]


def figures(of: Iterable[Part]) -> dict[str, Figures]:
    """Return the figures of every designator."""
    return {ref: part.figures for part in of for ref in part.refs}


def emitter_ma(f: Mapping[str, Figures], volts: float = FIVE) -> float:
    """Return the current through the two emitters in series, in milliamperes."""
    return 1000 * (volts - 2 * f["D1"]["v"] - f["Q1"]["v"]) / float(f["R1"]["ohm"])


def lamp_ma(f: Mapping[str, Figures], volts: float = FIVE) -> float:
    """Return the white lamp's current in milliamperes."""
    return 1000 * (volts - f["D3"]["v"] - f["Q2"]["v"]) / float(f["R2"]["ohm"])


def lit_ma(f: Mapping[str, Figures]) -> float:
    """Return the smallest current of a receiver that reads as lit, in milliamperes."""
    return 1000 * (f["U1"]["v"] - f["U1"]["low_v"]) / float(f["R5"]["ohm"])


def blocked_ma(f: Mapping[str, Figures]) -> float:
    """Return the largest current of a receiver that reads as blocked, in milliamperes."""
    return 1000 * (f["U1"]["v"] - f["U1"]["high_v"]) / float(f["R5"]["ohm"])


def eyes(f: Mapping[str, Figures], sensitivity: float) -> Eyes:
    """Return emitter and receiver of a beam, with the emitter driven by this circuit's current."""
    mw_sr = f["D1"]["mw_sr_at_100_ma"] * emitter_ma(f) / 100
    return Eyes(mw_sr, f["D1"]["half_angle"], sensitivity, f["Q3"]["half_angle"])


def receivers(f: Mapping[str, Figures], gates: Mapping[int, dict[str, Any]]) -> list[str]:
    """Return the table of a receiver's currents, for each edge of cubes and each sensitivity of the part."""
    rows = []
    for edge, z in gates.items():
        for name, sensitivity in zip(("weakest", "usual", "strongest"), f["Q3"]["ma_per_mw_cm2"], strict=True):
            own, other = direct_ma(z, eyes(f, sensitivity)), neighbour_ma(z, eyes(f, sensitivity))
            reserves = f"{own / lit_ma(f):.1f} | {blocked_ma(f) / other:.1f}"
            rows.append(f"| {edge} mm | {name}, {sensitivity} | {own:.2f} | {other:.2f} | {reserves} |")
    return rows


def on_a_pico_2(f: Mapping[str, Figures], gates: Mapping[int, dict[str, Any]]) -> list[str]:
    """Return the reserve that erratum RP2350-E9 leaves to the weakest receiver, with R5 and with 10 kΩ instead."""
    lit = round(lit_ma(f) + E9_MA, 2)
    weaker = round(1000 * (f["U1"]["v"] - f["U1"]["low_v"]) / STRONGER_OHM + E9_MA, 2)
    # Rounded as on the page, so that a reader who divides the printed figures gets the same result.
    own = [round(direct_ma(z, eyes(f, f["Q3"]["ma_per_mw_cm2"][0])), 2) for z in gates.values()]
    return [
        f"{lit_ma(f):.2f} + {E9_MA} = **{lit:.2f} mA**",
        f"{own[0] / lit:.2f} (8 mm) and {own[1] / lit:.2f} (10 mm)",
        f"With 10 kΩ it is {weaker:.2f} mA, and the reserve {own[0] / weaker:.1f} and {own[1] / weaker:.1f}",
    ]


def counts(f: Mapping[str, Figures], gain: int) -> tuple[float, float]:
    """Return the counts of white in one step, by the maker's design note and by the data sheet's responsivity."""
    by_note = LUX * STEP_MS * gain / DARK_LUX * CLEAR[0]
    uw_cm2 = LUX / f["D3"]["lm_per_w"] * 100
    by_sheet = uw_cm2 * f["U2"]["counts_per_uw"][-1] * gain / GAIN_OF_SHEET * STEP_MS / MS_OF_SHEET
    return by_note, by_sheet


def supply(f: Mapping[str, Figures]) -> list[str]:
    """Return the table of the ring's supply current and power."""
    sensor = f["U2"]["ma"] + 3 * f["U1"]["v"] / f["R7"]["ohm"] * 1000 + 0.3
    rows = [
        ("Pico (K)", f["U1"]["ma"], f["U1"]["ma"]), ("emitters", emitter_ma(f), emitter_ma(f)),
        ("lamp", lamp_ma(f), lamp_ma(f)), ("pixel at its brightest (K); dark", f["D5"]["ma"], 1),
        ("sensor, pull-ups, receivers", sensor, sensor), ("piezo, while it sounds", 1, 0),
    ]  # fmt: skip
    most, usual = (sum(row[n] for row in rows) for n in (1, 2))
    told = [f"| {name} | {a:.0f} | {b:.0f} |" for name, a, b in rows]
    watts = f"| as power, at 5 V | {most * FIVE / 1000:.2f} W | {usual * FIVE / 1000:.2f} W |"
    left = BATTERY_WH * 0.75 / (usual * FIVE / 1000)
    hours = f"| a power bank of 10,000 mAh, its 37 Wh three quarters used | | {left:.0f} h |"
    return [*told, f"| all at once | **{most:.0f}** | **{usual:.0f}** |", watts, hours]


def sums(f: Mapping[str, Figures]) -> list[str]:
    """Return all other calculations as lines for circuit.md."""
    return [*_beams(f), *_lamp(f), *_bus(f), *_switches(f), *_signals(f)]


def _beams(f: Mapping[str, Figures]) -> list[str]:
    u, r1, r3, r5 = f["U1"], f["R1"]["ohm"], f["R3"]["ohm"], f["R5"]["ohm"]
    ma, low, high = (emitter_ma(f, volts) for volts in (FIVE, LOW_FIVE, HIGH_FIVE))
    us = f["Q3"]["us_at_1_kohm"]
    return [
        f"({FIVE} − 2 × {f['D1']['v']} − {f['Q1']['v']}) V / {r1} Ω = **{ma:.0f} mA**;"
        f" at {LOW_FIVE} V of USB {low:.1f} mA, at {HIGH_FIVE} V {high:.1f} mA",
        f"R1 warms by {ma / 1000:.3f}² × {r1} = {(ma / 1000) ** 2 * r1:.2f} W",
        f"({u['v']} − {f['Q1']['base_v']}) V / {r3} Ω = {1000 * (u['v'] - f['Q1']['base_v']) / r3:.1f} mA",
        f"({u['v']} − {u['low_v']}) V / {r5} Ω = **{lit_ma(f):.2f} mA**",
        f"({u['v']} − {u['high_v']}) V / {r5} Ω = **{blocked_ma(f):.2f} mA**",
        f"{us} µs (K), with a larger resistor about proportionally longer: {us * r5 / 1000:.0f} µs",
    ]


def _lamp(f: Mapping[str, Figures]) -> list[str]:
    ma, low, high = (lamp_ma(f, volts) for volts in (FIVE, LOW_FIVE, HIGH_FIVE))
    return [
        f"({FIVE} − {f['D3']['v']} − {f['Q2']['v']}) V / {f['R2']['ohm']} Ω = **{ma:.0f} mA**;"
        f" at {LOW_FIVE} V of USB {low:.1f} mA, at {HIGH_FIVE} V {high:.1f} mA",
        *(f"| {gain} | {counts(f, gain)[0]:.0f} to {counts(f, gain)[1]:.0f} |" for gain in (1, 4, 16, 60)),
    ]


def _bus(f: Mapping[str, Figures]) -> list[str]:
    v, pf, alone = f["U1"]["v"], f["U2"]["wire_pf"], 1000 * f["U2"]["pull_kohm"]
    both = 1 / (1 / f["R7"]["ohm"] + 1 / alone)
    return [
        f"{0.85 * alone * pf / 1000:.0f} ns",
        f"in parallel {both / 1000:.1f} kΩ: **{0.85 * both * pf / 1000:.0f} ns**",
        f"Pulling low costs {1000 * v / both:.1f} mA",
        f"lifts it by {v / both * f['R14']['ohm']:.2f} V",
        f"{FRAME_BITS / 400:.1f} ms at 400 kHz and {FRAME_BITS / 100:.1f} ms at 100",
        f"R9: {1000 * v / f['R9']['ohm']:.2f} mA",
    ]


def _switches(f: Mapping[str, Figures]) -> list[str]:
    u, guard = f["U1"], f["R12"]["ohm"]
    rise_ms = 1000 * u["pull_kohm"][1] * f["C4"]["nf"] * 1e-6 * -log(1 - u["high_v"] / u["v"])
    spark = f"8 kV behind 330 Ω drives {8000 / 330:.0f} A into a bare pin; with {guard} Ω more, only"
    return [
        f"rise within {rise_ms:.1f} ms",
        f"{spark} {8000 / (330 + guard):.0f} A",
        f"5 V on one of these lines drives {1000 * (FIVE - u['v'] - CLAMP_V) / guard:.0f} mA",
    ]


def _signals(f: Mapping[str, Figures]) -> list[str]:
    v, r11, drop, share = f["U1"]["v"], f["R11"]["ohm"], f["D4"]["v"], f["D5"]["share_for_a_1"]
    return [
        f"{FIVE} − {drop} = {FIVE - drop:.1f} V, and {share} × {FIVE - drop:.1f} = **{share * (FIVE - drop):.1f} V**",
        f"{v} V / {r11} Ω = **{1000 * v / r11:.0f} mA**",
        f"{r11} Ω × {f['BZ1']['nf']} nF = {r11 * f['BZ1']['nf'] / 1000:.0f} µs",
    ]
