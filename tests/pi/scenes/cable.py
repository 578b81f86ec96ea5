"""A ring on a USB cable: a real CDC-ACM device for the kernel, with the virtual ring at its other end."""

from __future__ import annotations

import json

from tests.pi.house import House
from tests.pi.machine import Otherwise, until

GADGET = "/sys/kernel/config/usb_gadget/ring"
MADE = f"""
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
mkdir -p {GADGET} && cd {GADGET}
echo 0x2e8a > idVendor; echo 0x0005 > idProduct
mkdir -p strings/0x409 configs/c.1 functions/acm.0
echo 'Ring companion' > strings/0x409/manufacturer
echo 'Planet ring' > strings/0x409/product
echo 'f00d0001' > strings/0x409/serialnumber
ln -s functions/acm.0 configs/c.1
"""
PLUG, UNPLUG = f"ls /sys/class/udc > {GADGET}/UDC", f"echo > {GADGET}/UDC"
HAND = "/run/hand"
NAME = "/dev/ring-companion"


class CableRing:
    """The virtual ring on the machine's gadget, and its hand."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._machine = house.machine

    def begin(self) -> None:
        """Create a gadget, and start a ring on it."""
        self._machine.do(MADE)
        self._machine.do(f"mkfifo {HAND}")
        self._house.beside("cable_ring.py", HAND)

    def plug(self) -> None:
        """Plug the cable in."""
        self._machine.do(PLUG)

    def unplug(self) -> None:
        """Unplug the cable."""
        self._machine.do(UNPLUG)

    def step(self, **step: object) -> None:
        """Let the hand do a step."""
        self._machine.do(f"timeout 20 sh -c 'echo \"$0\" > {HAND}' '{json.dumps(step)}'")


def found_by_auto(house: House) -> str:
    """`auto` finds a ring as soon as it is plugged in, by its permanent name, and its draws reach the table."""
    house.to_an_attempt()
    ring = CableRing(house)
    ring.begin()
    ring.plug()
    _live(house)
    ring.step(load={"red": 3, "blue": 3, "green": 3})
    ring.step(slide=1, colours=["blue"])
    until("drawn", lambda: "" if house.draws() == ["blue"] else f"drawn: {house.draws()}")
    name = house.machine.run(f"readlink -f {NAME}").out.strip()
    if name != "/dev/ttyACM0":
        raise Otherwise(f"{NAME} is {name}")
    mode = house.machine.do(f"stat -L -c '%A %U:%G' {NAME}").strip()
    return f"{NAME} is {name} ({mode}); drawn: blue"


def replugged_in_mid_attempt(house: House) -> str:
    """A ring unplugged during an attempt and plugged in again continues, and cubes slid meanwhile are counted."""
    ring = CableRing(house)
    ring.unplug()
    until("missed", lambda: "" if house.table()["ring"]["state"] != "live" else "the ring is still called live")
    trouble = house.table()["ring"]["trouble"]
    ring.step(slide=1, colours=["green"])
    ring.plug()
    _live(house)
    until("drawn", lambda: "" if house.draws() == ["blue", "green"] else f"drawn: {house.draws()}")
    return f"while it was out: “{trouble}”; drawn in the end: {', '.join(house.draws())}"


def _live(house: House) -> None:
    until("live", lambda: "" if house.table()["ring"]["state"] == "live" else str(house.table()["ring"]))


SCENES = (found_by_auto, replugged_in_mid_attempt)
