"""A ring on the Pi's pins, with gpio-sim's lines and i2c-stub's registers; and a console on other lines."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from tests.pi.house import DATA, House
from tests.pi.machine import Otherwise, until

HAND = "/run/hand"
CONSOLE = Path(__file__).parents[3] / "hardware" / "console.toml"
BUTTON_DOWN_S = 0.3
COLOURS = ("blue", "green")
TRIES = 5
LAMP = (16, 20, 21)  # as in hardware/console.toml
SPEED_MM_S = 150


def cubes_are_drawn(house: House) -> str:
    """A ring on the Pi's own pins (`gpio:`) is found, and cubes that slide through its beams become draws."""
    house.machine.do("modprobe i2c-dev 2>/dev/null; insmod /share/i2c-stub.ko chip_addr=0x29")
    house.machine.do(f"mkfifo {HAND}")
    house.beside("pin_rig.py", HAND)
    house.setting("RING='gpio:?emitters=none'")
    until("live", lambda: "" if house.table()["ring"]["state"] == "live" else str(house.table()["ring"]))
    _hand(house, still=True)
    house.to_an_attempt()
    texts = [_slid(house, colour, count) for count, colour in enumerate(COLOURS, 1)]
    # Releasing lines while they change has hung this kernel's simulated chip.
    house.machine.do("systemctl stop pin-rig")
    return "; ".join(texts)


def buttons_play_and_lamps_shine(house: House) -> str:
    """A console's button on a line deals the cards, and its lamps are lines that go up and down."""
    house.machine.do(f"install -o companion -m 0600 /share/console.toml {DATA}/console.toml")
    house.setting("RING=none")
    house.to_the_deal()
    presses = _dealt(house)
    seen: set[int] = set()

    def shone() -> str:
        seen.update(_level(house, pin) for pin in LAMP)
        return "" if seen == {0, 1} else f"the lamp's lines were only ever {seen}"

    until("seen to shine and to be dark", shone, 60)
    return (
        f"the button at {_pin('next')} dealt at press {presses}: {house.state()['phase']}; "
        "the lamp's lines are up and down"
    )


def _dealt(house: House) -> int:
    """Press until the cards are dealt, and return the number of presses: a busy machine may miss a press."""
    for pressed in range(1, TRIES + 1):
        _press(house, _pin("next"))
        try:
            until("dealt", lambda: "" if house.state()["phase"] != "cards" else "the cards are dealt next", 15)
        except Otherwise:
            continue
        return pressed
    raise Otherwise(f"nothing was dealt by {TRIES} presses")


def _slid(house: House, colour: str, count: int) -> str:
    """Slide a cube until it is counted as one; return how it went."""
    for tried in range(1, TRIES + 1):
        _hand(house, slide=colour, speed_mm_s=SPEED_MM_S)
        try:
            question = _asked(house, count)
        except Otherwise:
            continue  # this machine was too busy to see it pass
        if question is None:
            return f"{colour} was taken for {house.draws()[-1]}, at slide {tried}"
        offered = [each[0] for each in question["offered"]]
        # If this machine is too busy to tell the edges apart, they look like a pair; the answer is "not a draw".
        blurred = not set(offered) & set(COLOURS)
        chosen = "not a draw" if blurred else colour
        house.ask("POST", "/api/v1/deeds", {"deed": "answer", "question": question["id"], "chosen": chosen})
        if not blurred:
            return f"{colour} was counted at slide {tried} and its colour asked for: {', '.join(offered)}"
    raise Otherwise(f"{colour} was never counted as one cube in {TRIES} slides")


def _asked(house: House, count: int) -> Any:
    """Wait until *count* draws are counted (return None), or the ring asks a question: return it."""

    def counted() -> str:
        return "" if house.table()["questions"] or len(house.draws()) == count else str(house.table()["ring"])

    until("counted", counted, 15)
    return next(iter(house.table()["questions"]), None)


def _hand(house: House, **wish: object) -> None:
    house.machine.do(f"timeout 20 sh -c 'echo \"$0\" > {HAND}' '{json.dumps(wish)}'")


def _pin(name: str) -> int:
    return int(tomllib.loads(CONSOLE.read_text(encoding="utf-8"))[name]["button"])


def _press(house: House, pin: int) -> None:
    line = f"/sys/devices/platform/gpio-sim/gpiochip0/sim_gpio{pin}/pull"
    house.machine.do(f"echo pull-down > {line}; sleep {BUTTON_DOWN_S}; echo pull-up > {line}")


def _level(house: House, pin: int) -> int:
    return int(house.machine.do(f"cat /sys/devices/platform/gpio-sim/gpiochip0/sim_gpio{pin}/value"))


SCENES = (cubes_are_drawn, buttons_play_and_lamps_shine)
