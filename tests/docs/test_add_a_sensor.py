"""docs/add-a-sensor.md: the page's example chip works unchanged, from reading registers to naming cubes' colours."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.device.sensor import Sensor
from firmware_bridge.device.sensor_chips import CHIPS
from firmware_bridge.device.sensor_driver import FRAME_BYTES, Chip, frame_us
from firmware_bridge.simulation.evaluation.recognition import Trial, recognise
from firmware_bridge.simulation.physics.world import IDEAL, World
from firmware_bridge.simulation.testbench import SimulatedGate
from tests.docs.architecture import ROOT
from tests.firmware_bridge.device.test_sensor_chips import Wire

PAGE = (ROOT / "docs" / "add-a-sensor.md").read_text(encoding="utf-8")
MOST_LINES = 140


@pytest.fixture
def chip(tmp_path: Path) -> type[Chip]:
    """The example chip of the page, imported like one of our files."""
    (text,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "xyz1.py").write_text(text, encoding="utf-8")
    spec = spec_from_file_location("firmware_bridge.device.xyz1", tmp_path / "xyz1.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[Chip] = module.Xyz1
    return found


def test_the_page_is_short() -> None:
    """The page is short enough to be read in ten minutes."""
    assert len(PAGE.splitlines()) <= MOST_LINES


def test_the_page_names_each_constant_and_method_of_a_chip() -> None:
    """The table lists what a chip may set, and the text below it what a chip may override."""
    facts = [name for name in vars(Chip) if name.isupper()]
    usual = {"ENABLE", "ATIME", "WTIME", "AILT", "AIHT", "PERS", "CONFIG", "CONTROL", "ID", "STATUS", "DATA"}
    bits = {"POWER_ON", "COUNTING", "INTERRUPT", "ON", "ONE_STEP", "EVERY_FRAME"}
    methods = [name for name in vars(Chip) if name.islower() and not name.startswith("_")]

    assert [name for name in facts if f"`{name}`" not in PAGE and name not in usual | bits] == []
    assert [name for name in methods if f"`{name}(" not in PAGE] == []


def test_a_ring_finds_it_at_an_address_that_another_chip_has(chip: type[Chip]) -> None:
    """A ring recognises the chip by its address and ID together, and gets a frame after the chip's own frame time."""
    wire = Wire(chip)
    sensor = Sensor(wire, chips=(*CHIPS, chip))
    frame = bytearray(FRAME_BYTES)

    assert sensor.begin()
    wire.now += frame_us(chip)
    sensor.chip.read_into(frame)

    assert (sensor.name, sensor.chip.counts(frame)) == ("xyz1", (1, 2, 3, 8))


def test_a_simulated_gate_counts_in_its_own_counts(chip: type[Chip]) -> None:
    """In simulation, the chip's counts are a TCS34725's, scaled by the ratios of the chips' responses and gains."""
    usual, other = (SimulatedGate(IDEAL, Random(1), each).reference("white")[3] for each in (CHIPS[0], chip))

    assert other / usual == pytest.approx(3_000 / 1_760 * 32 / 60, rel=0.02)


def test_its_cubes_are_named_after_a_calibration(chip: type[Chip]) -> None:
    """After a calibration no cube is named wrongly, and hardly one is left for the players to name."""
    outcome = recognise(Trial(World(), ("red", "yellow", "green", "blue", "black"), passes=20, sensor=chip))

    assert (outcome.passages, outcome.wrong) == (100, 0)
    assert outcome.unsure <= 3
