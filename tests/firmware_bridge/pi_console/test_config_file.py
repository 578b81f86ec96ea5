"""The pins of a console are read from a file, or refused in one sentence that names file and key."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.ports.console import Button
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.pi_console import ConsoleConfig, NoPins, open_console, plan_of, read_plan, ring_pins

HARDWARE = Path(__file__).resolve().parents[3] / "hardware"
SEAT = "[seats.red]\n"


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("bell = 4", "ours: bell isn't known here; choose from factory, hold_s, next, pause, seats, buzzer, lamp."),
        ('factory = "pigpio"', "ours: factory must be one of lgpio, mock, not 'pigpio'."),
        ("factory = 3", "ours: factory must be one of lgpio, mock, not 3."),
        ("hold_s = 60", "ours: hold_s must be a number of seconds from 0.5 to 5.0, not 60."),
        ("hold_s = true", "ours: hold_s must be a number of seconds from 0.5 to 5.0, not true."),
        ("hold_s = nan", "ours: hold_s must be a number of seconds from 0.5 to 5.0, not nan."),
        ("next = 4", "ours: next must be a table with its settings below [next], not 4."),
        ("[next]", "ours: next.button is missing; it must be a pin's BCM number from 2 to 27."),
        ("[next]\npin = 4", "ours: next.pin isn't known here; choose from button."),
        ("[next]\nbutton = 28", "ours: next.button must be a pin's BCM number from 2 to 27, not 28."),
        ("[next]\nbutton = 1", "ours: next.button must be a pin's BCM number from 2 to 27, not 1."),
        ('[pause]\nbutton = "GPIO4"', "ours: pause.button must be a pin's BCM number from 2 to 27, not 'GPIO4'."),
        ("[pause]\nbutton = 4.0", "ours: pause.button must be a pin's BCM number from 2 to 27, not 4.0."),
        ("[pause]\nbutton = true", "ours: pause.button must be a pin's BCM number from 2 to 27, not true."),
        ("seats = [4]", "ours: seats must be a table with its settings below [seats], not a list."),
        ("[seats]\nred = 4", "ours: seats.red must be a table with its settings below [seats.red], not 4."),
        (f"{SEAT}lamp = 4", "ours: seats.red.lamp isn't known here; choose from button, led."),
        (f"{SEAT}led = 99", "ours: seats.red.led must be a pin's BCM number from 2 to 27, not 99."),
        ('[seats.""]\nled = 9', "ours: a seat has a colour's name, as in [seats.red]."),
        ('[buzzer]\npin = 4\nkind = "loud"', "ours: buzzer.kind must be one of tone, active, not 'loud'."),
        ("[buzzer]\npin = 4\nkind = []", "ours: buzzer.kind must be one of tone, active, not a list."),
        ("buzzer = 4", "ours: buzzer must be a table with its settings below [buzzer], not 4."),
        ("lamp = 4", "ours: lamp must be a table with its settings below [lamp], not 4."),
        ("[lamp]\nred = 4\ngreen = 5", "ours: lamp.blue is missing; it must be a pin's BCM number from 2 to 27."),
        (
            "[lamp]\nred = 4\ngreen = 5\nblue = 6\ncommon = 1",
            "ours: lamp.common must be one of cathode, anode, not 1.",
        ),
        (f"{SEAT}button = 4\nled = 4", "ours: seats.red.button and seats.red.led can't both be on pin 4."),
        (
            "[next]\nbutton = 9\n[lamp]\nred = 4\ngreen = 9\nblue = 6",
            "ours: next.button and lamp.green can't both be on pin 9.",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(told: str, says: str) -> None:
    """A mistake in the file is refused in one sentence with its key."""
    with pytest.raises(InputError) as refusal:
        plan_of(tomllib.loads(told), "ours")

    assert str(refusal.value) == says


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[next]\nbutton == 4\n", "isn't a TOML file: Invalid value (at line 2, column 9)."),
        (b"\xff\xfe", "it's UTF-16 text; save it as UTF-8."),
        (None, "can't be read: No such file or directory."),
    ],
)
def test_a_file_that_is_none_is_told_with_its_line(tmp_path: Path, content: bytes | None, says: str) -> None:
    """An unreadable file is refused with the number of the line, or the reason."""
    path = tmp_path / "console.toml"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(InputError) as refusal:
        read_plan(path)

    assert str(refusal.value).removeprefix(f"{path}").lstrip(": ").startswith(says)


def test_an_empty_file_is_a_console_without_parts() -> None:
    """Every part of a console is optional, and the pin factory has a default."""
    assert plan_of({}, "ours") == ConsoleConfig(factory="lgpio")


def test_the_example_has_every_part_and_leaves_the_rings_pins_alone() -> None:
    """hardware/console.toml has every part, and doesn't use the pins of a ring on the Pi."""
    example = read_plan(HARDWARE / "console.toml", ring_pins("gpio:"))

    assert [key for key in example.keys if not key[1]] == [(Button.NEXT, ""), (Button.PAUSE, "")]
    assert set(example.buttons) == set(example.leds) == {"red", "blue", "green", "yellow", "black"}
    assert (len(example.lamp), example.buzzer is not None, example.factory) == (3, True, "lgpio")
    listed = tomllib.loads((HARDWARE / "pins.toml").read_text())["pi"]
    assert {pin for _, pin in example.used}.isdisjoint(pin["pin"] for pin in listed.values())


@pytest.mark.parametrize(
    ("ring", "pin", "owner"),
    [("gpio:", 17, "the ring's a"), ("gpio:", 2, "the ring's SDA"), ("gpio:?beeper=18", 18, "the ring's beeper")],
)
def test_the_pins_of_a_ring_are_taken(ring: str, pin: int, owner: str) -> None:
    """A pin of a ring on the Pi can't be used by the console."""
    with pytest.raises(InputError, match=f"{owner} and next.button can't both be on pin {pin}"):
        plan_of({"next": {"button": pin}}, "ours", ring_pins(ring))


@pytest.mark.parametrize("ring", ["none", "auto", "mock:", "/dev/ttyACM0"])
def test_other_rings_take_no_pins(ring: str) -> None:
    """A ring on a cable uses no pins."""
    assert ring_pins(ring) == {}


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="this machine has pins")
def test_a_machine_without_pins_says_so() -> None:
    """Without the package or without pins, opening a console raises an error of one sentence."""
    with pytest.raises(
        NoPins, match=r"^(A console needs the package lgpio|This computer has no Raspberry Pi pins).*\.$"
    ):
        open_console(ConsoleConfig(next=4))(lambda: None)
