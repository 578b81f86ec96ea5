"""The steps of bringing up a newly soldered ring: instructions for the person, and limits for the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.bring_up.measurements import (
    MeasuringBench,
    Value,
    backs,
    beeped,
    faults_while_shaking,
    gate,
    idle,
    lamp,
    lift,
    link,
    only_b,
    pairs,
    pokes,
    promises,
    replugged,
    sensor,
    slides,
)
from firmware_bridge.conformance.result import AT_LEAST, AT_MOST, EXACTLY, ConformanceResult
from firmware_bridge.conformance.sensor import BRIGHT_ROOM, DIM, LEAST_CONTRAST, NOISY_PERCENT, SATURATED


class MeasuringWay(StrEnum):
    """How the values of a step are obtained."""

    TYPED = "typed in"
    ANSWERED = "answered"
    MEASURED = "measured"


@dataclass(frozen=True)
class StepLimit:
    """One value of a step, with its limit."""

    name: str
    bound: str
    limit: float
    unit: str = ""

    def result(self, value: float) -> ConformanceResult:
        """Compare *value* with this limit and return the result."""
        return ConformanceResult(self.name, value, self.limit, self.unit, self.bound)


@dataclass(frozen=True)
class BringUpStep:
    """One step. *do* is the instruction to the person. If the person types a value, it is compared with all limits."""

    name: str
    chapter: str
    do: str
    way: MeasuringWay
    limits: tuple[StepLimit, ...]
    measure: Callable[[MeasuringBench], Iterator[Value]] | None = None


def _volts(name: str, do: str, low: float, high: float, group: str = "Supply") -> BringUpStep:
    limits = (StepLimit("voltage", AT_LEAST, low, "V"), StepLimit("voltage", AT_MOST, high, "V"))
    return BringUpStep(name, group, do, MeasuringWay.TYPED, limits)


def _slides(name: str, do: str) -> BringUpStep:
    limits = (
        StepLimit("cubes missed", EXACTLY, 0, "of 20"),
        StepLimit("cubes told twice", EXACTLY, 0),
        StepLimit("other verdicts", AT_MOST, 0),
        StepLimit("cubes without a frame", AT_MOST, 0),
        StepLimit("length off one edge (median)", AT_MOST, 0.25, "edges"),
    )
    return BringUpStep(name, "Cubes", do, MeasuringWay.MEASURED, limits, slides)


STEPS = (
    _volts("usb", "Measure between VBUS (pin 40 of the Pico) and GND (pin 38).", 4.75, 5.25),
    _volts("supply", "Measure between 3V3 (pin 36 of the Pico) and GND (pin 38).", 3.2, 3.4),
    _volts("sensor-supply", "Measure at the colour sensor, between its supply and its ground.", 3.0, 3.6),
    BringUpStep(
        "promises",
        "Link",
        "Close the gate and leave the ring alone while its protocol's promises are measured.",
        MeasuringWay.MEASURED,
        (StepLimit("promises broken", EXACTLY, 0), StepLimit("promises kept", AT_LEAST, 30)),
        promises,
    ),
    BringUpStep(
        "link",
        "Link",
        "Leave it alone a few seconds more while the link is measured.",
        MeasuringWay.MEASURED,
        (
            StepLimit("round trip (p95)", AT_MOST, 100, "ms"),
            StepLimit("pings without an answer", AT_MOST, 0, "of 60"),
            StepLimit("damaged lines heard", AT_MOST, 0),
        ),
        link,
    ),
    BringUpStep(
        "gate",
        "Switches",
        "Open the gate and close it again, three times, a second each.",
        MeasuringWay.MEASURED,
        (StepLimit("opened", EXACTLY, 3, "times"), StepLimit("closed", EXACTLY, 3, "times")),
        gate,
    ),
    BringUpStep(
        "lift",
        "Switches",
        "Lift the ring and set it down again, three times, a second each.",
        MeasuringWay.MEASURED,
        (StepLimit("lifted", EXACTLY, 3, "times"), StepLimit("set down", EXACTLY, 3, "times")),
        lift,
    ),
    _volts("free-lane", "Lane free: measure GP2 (pin 4) and GP3 (pin 5) to GND; type the higher.", 0.0, 0.4, "Beams"),
    _volts(
        "neighbour",
        "Press a white cube or card that blocks both beams against one wall, then the other: type the lowest you see.",
        2.8,
        3.4,
        "Beams",
    ),
    BringUpStep(
        "beam-a",
        "Beams",
        "Poke a card into the inner beam alone and take it out, five times.",
        MeasuringWay.MEASURED,
        (StepLimit("pokes", EXACTLY, 5), StepLimit("other verdicts", EXACTLY, 0)),
        pokes,
    ),
    BringUpStep(
        "beam-b",
        "Beams",
        "From outside, poke a card into the outer beam alone and take it out, five times.",
        MeasuringWay.MEASURED,
        (StepLimit("outer beam alone", EXACTLY, 5), StepLimit("other verdicts", EXACTLY, 0)),
        only_b,
    ),
    BringUpStep(
        "beams",
        "Beams",
        "From inside, push a card through both beams and draw it back, five times.",
        MeasuringWay.MEASURED,
        (StepLimit("went back", EXACTLY, 5), StepLimit("other verdicts", EXACTLY, 0)),
        backs,
    ),
    BringUpStep(
        "sensor",
        "Sensor",
        "Close the gate. The ring reads its white shutter, then the dark, then (when asked) a black card.",
        MeasuringWay.MEASURED,
        (
            StepLimit("white, dimmest frame mean (clear)", AT_LEAST, DIM, "counts"),
            StepLimit("white, brightest channel", AT_MOST, SATURATED - 1, "counts"),
            StepLimit("noise of white (clear)", AT_MOST, NOISY_PERCENT, "%"),
            StepLimit("light of the room, of white", AT_MOST, BRIGHT_ROOM),
            StepLimit("white against black, worst channel", AT_LEAST, LEAST_CONTRAST, "times"),
        ),
        sensor,
    ),
    BringUpStep(
        "lamp",
        "Lamp and beeper",
        "Watch the lamp: does it show red, green and blue, one after another, and go out?",
        MeasuringWay.ANSWERED,
        (StepLimit("seen", EXACTLY, 1),),
        lamp,
    ),
    BringUpStep(
        "beep",
        "Lamp and beeper",
        "Listen: does it beep three times, higher each time?",
        MeasuringWay.ANSWERED,
        (StepLimit("heard", EXACTLY, 1),),
        beeped,
    ),
    _slides("slow", "Let 20 cubes out, one at a time, slowly: about a second each."),
    _slides("normal", "Let 20 cubes out, one at a time, as you would in a game."),
    _slides("fast", "Let 20 cubes out, one at a time, with impatient jerks."),
    BringUpStep(
        "pairs",
        "Cubes",
        "Let out two touching cubes, five times.",
        MeasuringWay.MEASURED,
        (StepLimit("pairs told", EXACTLY, 5), StepLimit("other verdicts", EXACTLY, 0)),
        pairs,
    ),
    BringUpStep(
        "shaking",
        "Cubes",
        "Without cubes: open the gate, shake the ring hard for two seconds, close the gate.",
        MeasuringWay.MEASURED,
        (StepLimit("told that the gate was open", EXACTLY, 1, "times"),),
        faults_while_shaking,
    ),
    BringUpStep(
        "idle",
        "Patience",
        "Leave the ring alone on the table, with people walking by and the lights as in a game.",
        MeasuringWay.MEASURED,
        (
            StepLimit("oldest heartbeat", AT_MOST, 2.5, "s"),
            StepLimit("events out of nothing", AT_MOST, 0),
            StepLimit("damaged lines heard", AT_MOST, 0),
        ),
        idle,
    ),
    BringUpStep(
        "unplugged",
        "Patience",
        "Hold a cube in the gate, blocking both beams. Unplug the ring, take the cube out, plug it in again.",
        MeasuringWay.MEASURED,
        (
            StepLimit("greets again", EXACTLY, 1),
            StepLimit("as another start", EXACTLY, 1),
            StepLimit("cubes told", AT_MOST, 0),
        ),
        replugged,
    ),
)
