"""The rig: a simulated gate that returns the levels of its pins and the registers of its sensor at any time."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from errno import EIO
from itertools import groupby
from random import Random
from typing import Protocol, assert_never

from companion.kernel.shown import shows
from firmware_bridge.colour.channels import Counts
from firmware_bridge.device.sensor import marked
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.below import Below
from firmware_bridge.simulation.physics.kinds import NO_CUBES, second_generator
from firmware_bridge.simulation.physics.light import MOST_COUNTS, usual_gain
from firmware_bridge.simulation.physics.world import World
from firmware_bridge.simulation.script.steps import FAULTS
from firmware_bridge.simulation.testbench.actions import (
    ActionPlan,
    BeamAction,
    Deed,
    HandAction,
    LightChange,
    Note,
    PassageAction,
    Power,
    Shutter,
    SwitchAction,
)
from firmware_bridge.simulation.testbench.sensor_registers import OnFrame, SensorRegisters
from firmware_bridge.simulation.testbench.slides import SlidePlanner, Wish

# The history of what the sensor saw. It is needed because a frame is computed only when it is read, after its exposure.

HISTORY_US = 20_000_000  # longer than two of the longest cycles, so an older frame was already read or replaced


class SensorScene(Protocol):
    """Something that the sensor can see."""

    def counts(self, at: float, steps: int, gain: int, lamp: bool) -> Counts:
        """Return one frame of *steps*, started at *at* seconds of the scene's own time."""


@dataclass(frozen=True)
class LitScene:
    """A scene with its light, shown from *since_us* on. The scene's own time starts at *zero_us*."""

    since_us: int
    scene: SensorScene
    zero_us: int
    lamp: bool


@shows("_looks")
class Exposure:
    """The recent scenes, in order, for a sensor whose steps take *step_us*."""

    def __init__(self, scene: SensorScene, step_us: int) -> None:
        self._step_us = step_us
        self._looks = [LitScene(0, scene, 0, False)]

    def show(self, scene: SensorScene, at_us: int, zero_us: int = 0) -> None:
        """Show *scene* to the sensor from *at_us* on."""
        self._add(LitScene(at_us, scene, zero_us, self._looks[-1].lamp))

    def light(self, lamp: bool, at_us: int) -> None:
        """Switch the lamp from *at_us* on."""
        last = self._looks[-1]
        if lamp != last.lamp:
            self._add(LitScene(at_us, last.scene, last.zero_us, lamp))

    def counts(self, begun_us: int, steps: int, gain: int) -> Counts:
        """Return one frame of *steps* from *begun_us* on.

        If the scene changes meanwhile, each scene contributes the steps during which it was shown.
        """
        starts = [begun_us + n * self._step_us for n in range(steps)]
        total = (0, 0, 0, 0)
        for index, during in groupby(starts, self._index):
            look, span = self._looks[index], list(during)
            seen = look.scene.counts((span[0] - look.zero_us) / 1e6, len(span), gain, look.lamp)
            r, g, b, c = (min(had + more, MOST_COUNTS) for had, more in zip(total, seen, strict=True))
            total = (r, g, b, c)
        return total

    def _index(self, begun_us: int) -> int:
        """Return the index of the scene that is shown in the middle of a step."""
        return max(bisect_right(self._looks, begun_us + self._step_us // 2, key=lambda look: look.since_us) - 1, 0)

    def _add(self, look: LitScene) -> None:
        self._looks.append(look)
        while len(self._looks) > 2 and self._looks[1].since_us < look.since_us - HISTORY_US:
            del self._looks[0]


AT_REST = {"gate": False, "lift": False, "shake": True, "int": True, "sda": True}
"""The state at rest: the shutter is closed, the ring is on the table, nothing moves, and there is no new frame."""


@dataclass(frozen=True)
class Change:
    """A pin changes its electrical level."""

    at_us: int
    pin: str
    level: bool


class Registers(Protocol):
    """A model of one sensor chip, as its driver sees it. Times are arguments and must not go back."""

    @property
    def address(self) -> int:
        """The chip's address on the bus, 7 bits."""

    def read(self, command: int, count: int, now_us: int) -> bytes:
        """Return *count* bytes from the register that *command* selects. Raise OSError if the chip has no power."""

    def write(self, command: int, data: bytes, now_us: int) -> None:
        """Write *data*, which is empty for a command alone. Raises like `read`."""

    def until(self, now_us: int) -> list[tuple[int, bool]]:
        """Return the changes of the interrupt pin (time, level) since the last call. LOW means a new frame."""

    def due_us(self) -> int | None:
        """Return the time at which the pin may next change by itself, or None if it won't."""

    def gone(self, now_us: int) -> None:
        """Cut the chip's power."""

    def back(self, now_us: int) -> None:
        """Restore the chip's power. All settings are reset."""


Models = Mapping[type[Chip], Callable[[OnFrame, type[Chip]], Registers]]

MODELS: Models = {Chip: SensorRegisters}
"""The model of each family of chips, by the class that its chips are or inherit from."""


def registers_of(chip: type[Chip], on_frame: OnFrame, models: Models = MODELS) -> Registers:
    """Return a new model of the registers of *chip*: the model for the chip's nearest class in *models*.

    Raise ValueError if that is the model of the TCS3472's family, but the chip parses its frames in its own way.
    """
    family = next(each for each in chip.__mro__ if each in models)
    if family is Chip and chip.counts is not Chip.counts:
        raise ValueError(f"{chip.NAME} overrides counts, so it needs a model of its registers in MODELS ({__name__})")
    return models[family](on_frame, chip)


class GateBus:
    """The sensor's bus as a board uses it. Only accesses to the sensor's *address* are answered.

    Each access first runs the rig up to the time of the access.
    """

    def __init__(self, registers: Registers, until: Callable[[int], int]) -> None:
        self.address = registers.address
        self._registers = registers
        self._until = until

    def read(self, command: int, count: int, now_us: int) -> bytes:
        """Return *count* bytes from the register that *command* selects. Raise OSError if no sensor answers."""
        return self._registers.read(command, count, self._until(now_us))

    def write(self, command: int, data: bytes, now_us: int) -> None:
        """Send *command* and *data*. Raise OSError if no sensor answers."""
        self._registers.write(command, data, self._until(now_us))


@shows("_now_us", "_free_us", "_emitting")
class SimulatedGate:
    """Beams, sensor and switches of a ring in the simulated *world*, with *chip* as its sensor.

    The same *lots* and actions give the same result.

    Times are whole microseconds of the rig's own clock, from 0. Times never go back: an earlier time is treated as the
    latest time. Levels are electrical: beams are HIGH while blocked (or while their emitters are off), gate is LOW
    while the shutter is closed, lift is LOW while the ring is on the table, shake is LOW for a jolt, int is LOW when a
    new frame is ready.

    The sensor's noise has a random generator of its own. So the course of events is the same for every board, however
    often the board reads its sensor.
    """

    def __init__(self, world: World, lots: Random, chip: type[Chip] = USUAL) -> None:
        self.happened: list[HandAction] = []
        physics = second_generator(lots)
        noise = second_generator(physics)
        self._usual = world
        self._light_change: LightChange = LightChange(None)
        self._bench = PhysicsBench(world, physics, noise, chip)
        self._below = Below(self._bench.cubes, lots, physics)
        self._plan = ActionPlan()
        self._slides = SlidePlanner(self._plan, self._bench, self._below, lots, second_generator(noise))
        self._exposure = Exposure(self._bench.still("white"), chip.STEP_US)
        self._registers = registers_of(chip, self._exposure.counts)
        self.sensor = GateBus(self._registers, self._reached)
        self._now_us = self._free_us = 0
        self._changes: list[Change] = []
        self._levels = {"a": True, "b": True, **AT_REST}
        self._blocked = {"a": False, "b": False}
        self._clocks_wanted = 0
        self._emitting = self._open = self._card = self._passing = False

    @property
    def world(self) -> World:
        """The world as it is now, including the light of a fault."""
        return self._bench.world

    @property
    def under(self) -> Counter[str]:
        """The stations below the ring. Those of a slide are removed when it is planned."""
        return self._below.stations

    @under.setter
    def under(self, stations: Counter[str]) -> None:
        self._below.stations = stations

    @property
    def busy(self) -> bool:
        """True while there are planned actions that are not carried out yet."""
        return bool(self._plan)

    def reference(self, what: str) -> Counts:
        """Return the expected reference *what* in this world, as a sum of frames. No measurement is taken."""
        return self._bench.reference(what)

    def stored(self) -> dict[str, tuple[int, ...]]:
        """Return what a ring in this world stored when it was made: its gain and the black card's reference."""
        chip = self._bench.chip
        gain = usual_gain(chip, self.world.white_counts)
        return {"gain": marked(chip, (gain,)), "black": marked(chip, (*self.reference("black"), gain))}

    def until(self, now_us: int) -> list[Change]:
        """Return the pin changes since the last call, in order."""
        self._advance(now_us)
        changes, self._changes = self._changes, []
        return changes

    def due_us(self) -> int | None:
        """Return when to call `until` again if no other method is called.

        Return None if nothing will change without further actions.
        """
        due = [at for at in (self._plan.due_us(), self._registers.due_us()) if at is not None]
        return min(due, default=None)

    def level(self, pin: str) -> bool:
        """Return the level of *pin* at the latest time passed in."""
        return self._levels[pin]

    def lamp(self, on: bool, now_us: int) -> None:
        """Switch the white LED at the sensor."""
        self._exposure.light(on, self._advance(now_us))

    def emitters(self, on: bool, now_us: int) -> None:
        """Switch the infrared LEDs. Without them both beams appear blocked."""
        at_us = self._advance(now_us)
        self._emitting = on
        for pin in self._blocked:
            self._beam(pin, at_us)

    def load(self, stations: Mapping[str, int]) -> None:
        """Add *stations* to those below the ring."""
        self.under.update(stations)

    def slide(self, now_us: int, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Plan a slide for now, or after the slides that are already planned.

        Return False if there is no station to let out.

        Raise ValueError if *fault* is not one of a script's `FAULTS`.
        """
        if fault and fault not in FAULTS:
            raise ValueError(f"a slide has no fault `{fault}`; there are {', '.join(FAULTS)}")
        if not colour and not self.under and fault not in NO_CUBES:
            return False
        begins = max(self._advance(now_us), self._free_us)
        self._free_us = self._slides.slide(begins, Wish(colour, speed_mm_s, fault), self._usual)
        return True

    def gate(self, is_open: bool, now_us: int) -> None:
        """Open or close the gate without letting anything out."""
        self._slides.gate(self._advance(now_us), is_open)

    def lift(self, is_up: bool, now_us: int) -> None:
        """Lift the ring or set it down."""
        self._slides.switch(self._advance(now_us), "lift", is_up)

    def jolt(self, now_us: int) -> None:
        """Jolt the ring once."""
        self._slides.jolt(self._advance(now_us))

    def beams(self, edges: Iterable[tuple[str, bool, int]], now_us: int) -> None:
        """Change the beams; each edge has its time in microseconds from now. The sensor does not see this."""
        self._slides.beams(self._advance(now_us), edges)

    def card(self, on: bool, now_us: int) -> None:
        """Put the black card under the sensor, or remove it."""
        at_us = self._advance(now_us)
        self._card = on
        self._show(at_us)

    def sensor_gone(self, now_us: int) -> None:
        """Cut the sensor's power."""
        self._power(False, self._advance(now_us))

    def sensor_back(self, now_us: int) -> None:
        """Restore the sensor's power. Its registers are reset."""
        self._power(True, self._advance(now_us))

    def sensor_hangs(self, now_us: int, clocks: int = 5) -> None:
        """Make the sensor hold its data line LOW for *clocks* clock pulses, as if it was interrupted in the middle of a
        byte.
        """
        self._clocks_wanted = clocks
        self._turn("sda", False, self._advance(now_us))

    def clocked(self, now_us: int) -> None:
        """Pulse the bus's clock line once."""
        at_us = self._advance(now_us)
        self._clocks_wanted = max(self._clocks_wanted - 1, 0)
        if not self._clocks_wanted:
            self._turn("sda", True, at_us)

    def calibrated(self) -> None:
        """Switch to the world's `after_calibration` values. Later calls change nothing."""
        self._usual = self._usual.after_calibration or self._usual
        self._shine(self._light_change, self._now_us)

    def _advance(self, now_us: int) -> int:
        """Carry out all actions that are due. Return the present time."""
        while (due := self._plan.due_us()) is not None and due <= now_us:
            at_us, deed = self._plan.next()
            self._sense(at_us)
            self._do(deed, at_us)
        self._now_us = max(now_us, self._now_us)
        self._sense(self._now_us)
        return self._now_us

    def _reached(self, now_us: int) -> int:
        """Carry out all actions that are due. Raise OSError while the data line is held."""
        if self._clocks_wanted:
            raise OSError(EIO)
        return self._advance(now_us)

    def _sense(self, now_us: int) -> None:
        for at_us, level in self._registers.until(now_us):
            self._turn("int", level, at_us)

    def _do(self, deed: Deed, at_us: int) -> None:
        match deed:
            case SwitchAction(pin, level):
                self._turn(pin, level, at_us)
            case BeamAction(pin, blocked):
                self._blocked[pin] = blocked
                self._beam(pin, at_us)
            case Shutter(is_open):
                self._open = is_open
                self._show(at_us)
            case PassageAction(going):
                self._passing = going is not None
                self._exposure.show(going, at_us, at_us) if going else self._show(at_us)
            case LightChange():
                self._shine(deed, at_us)
            case Power(on):
                self._power(on, at_us)
            case Note(happened):
                self.happened.append(happened)
            case _:
                assert_never(deed)

    def _turn(self, pin: str, level: bool, at_us: int) -> None:
        if self._levels[pin] != level:
            self._levels[pin] = level
            self._changes.append(Change(at_us, pin, level))

    def _beam(self, pin: str, at_us: int) -> None:
        self._turn(pin, self._blocked[pin] or not self._emitting, at_us)

    def _show(self, at_us: int) -> None:
        """Show the unmoving scene to the sensor, unless a passage is under way."""
        if not self._passing:
            what = "black" if self._card else "board" if self._open else "white"
            self._exposure.show(self._bench.still(what), at_us)

    def _shine(self, action: LightChange, at_us: int) -> None:
        self._light_change = action
        self._bench.world = action.change(self._usual) if action.change else self._usual
        self._show(at_us)

    def _power(self, on: bool, at_us: int) -> None:
        if on:
            self._registers.back(at_us)
        else:
            self._registers.gone(at_us)
        self._sense(at_us)
