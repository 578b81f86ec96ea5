"""World files: every field is known and checked, and nominal readings follow the formula."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.colour.channels import BLACK_CARD, NOMINAL, WHITE_SHUTTER
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.physics.world import IDEAL, LAMPS, Rates, World, read_world, world
from tests.firmware_bridge.simulation.stillness import counted

WHOLE = """
edge_mm = 10.0
white_counts = 300
drift = 0.9
lamp = "4100K"
pose_sigma = 0.1
paint_sigma = 0.02
stray_mean = 0.1
stray_sigma = 0.01
board = 0.3
ambient = 0.2
ambient_hz = 120
ambient_modulation = 0.5
speed_mm_s = 120.0
speed_sigma = 0.2
speed_change = 0.1
edge_jitter_ms = 0.2
cubes_per_colour = 4
rates = { back = 0.1, pair = 0.0, poke = 0.0, stuck = 0.01, glitch = 0.0, surplus = 0.5, lift = 0.2 }
reflectance = { pink = [0.6, 0.3, 0.4, 0.4] }
[after_calibration]
drift = 0.8
lamp = [0.3, 0.3, 0.3, 1.0]
"""


def write(folder: Path, text: str) -> Path:
    """Write a world file."""
    path = folder / "world.toml"
    path.write_text(text)
    return path


def test_every_field_is_understood(tmp_path):
    """The documented file with all fields is read, also the changes after calibration."""
    read = read_world(write(tmp_path, WHOLE))

    assert (read.edge_mm, read.white_counts, read.lamp, read.cubes_per_colour) == (10.0, 300, LAMPS["4100K"], 4)
    assert read.rates == Rates(0.1, 0.0, 0.0, 0.01, 0.0, 0.5, 0.2)
    assert read.reflectance["pink"] == (0.6, 0.3, 0.4, 0.4)
    assert read.reflectance["red"] == NOMINAL["red"]
    assert (read.after_calibration.drift, read.after_calibration.edge_mm) == (0.8, 10.0)


def test_every_field_is_optional(tmp_path):
    """An empty file is the default world, with its rates of faults."""
    assert read_world(write(tmp_path, "")) == World()
    assert World().rates.pair == 0.03
    assert IDEAL.rates == Rates(0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("edge_mm = -1", "edge_mm"),
        ("edge_mm = true", "edge_mm"),
        ("edge_mm = 'big'", "edge_mm"),
        ("white_counts = nan", "white_counts"),
        ("colour = 'red'", "colour"),
        ("lamp = '3000K'", "lamp"),
        ("lamp = [1, 2, 3]", "lamp"),
        ("rates = 3", "rates"),
        ("rates = { explode = 0.1 }", "explode"),
        ("rates = { back = 1.5 }", "back"),
        ("cubes_per_colour = 2.5", "cubes_per_colour"),
        ("reflectance = { red = [1, 2] }", "reflectance.red"),
        ("reflectance = { 'Pink one' = [0.1, 0.1, 0.1, 0.1] }", "Pink one"),
        (f"reflectance = {{ {'x' * 41} = [0.1, 0.1, 0.1, 0.1] }}", "1 to 40"),
        ("[after_calibration]\nrats = 1", "rats"),
        ("after_calibration = 1", "after_calibration"),
        ("[after_calibration]\nafter_calibration = { drift = 1 }", "after_calibration"),
        ("edge_mm = ", "not TOML"),
    ],
)
def test_a_field_that_cannot_be_meant_is_named(tmp_path, text, named):
    """An invalid field is refused with one sentence that names file and field."""
    with pytest.raises(InputError) as refused:
        read_world(write(tmp_path, text))

    assert named in str(refused.value)
    assert str(tmp_path) in str(refused.value)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None])
def test_a_file_that_is_no_text_or_not_there_is_refused(tmp_path, content):
    """A binary or missing file is refused with one sentence."""
    path = tmp_path / "world.toml"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(InputError, match=r"world\.toml"):
        read_world(path)


def test_a_nominal_reading_is_that_of_the_formula():
    """A nominal reading is floor(WC x D x W x (p + s)): red at 400 counts under the 5000 K lamp."""
    assert counted(IDEAL, NOMINAL["red"]) == (56, 28, 24, 103)


def test_the_references_bound_every_colour():
    """The black card is darker and the shutter brighter than every coloured cube."""
    for colour, channels in NOMINAL.items():
        if colour not in ("black", "white"):
            reading = counted(IDEAL, channels)
            assert all(
                low < seen < high
                for low, seen, high in zip(
                    counted(IDEAL, BLACK_CARD), reading, counted(IDEAL, WHITE_SHUTTER), strict=True
                )
            )


def test_a_count_is_never_beyond_full_scale():
    """Counts are clipped at 1024 per step in a very bright world."""
    bright = world({"white_counts": 700, "drift": 2, "ambient": 2})

    assert max(counted(bright, NOMINAL["white"])) == 1024
