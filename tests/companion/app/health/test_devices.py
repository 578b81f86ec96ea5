"""The doctor's check of a ring on the Pi's own pins: the speed of the I²C bus."""

from __future__ import annotations

import pytest

from companion.app.health.devices import bus_speed
from companion.app.health.machine import Machine


@pytest.mark.parametrize(
    ("ring", "hz", "said"),
    [("gpio:", 100_000, "100 kHz"), ("gpio:", 400_000, ""), ("gpio:?bus=3", 100_000, ""), ("auto", 100_000, "")],
)
def test_a_slow_bus_is_told_with_what_makes_it_fast(tmp_path, ring, hz, said):
    """Doctor: if the ring's I²C bus runs at 100 kHz, one line says which setting makes it faster."""
    bus = tmp_path / "sys/class/i2c-adapter/i2c-1/of_node"
    bus.mkdir(parents=True)
    (bus / "clock-frequency").write_bytes(hz.to_bytes(4, "big"))

    found = [each.sentence for each in bus_speed(ring, Machine(tmp_path))]

    assert [(said in each, "i2c_arm_baudrate=400000" in each) for each in found] == ([(True, True)] if said else [])
