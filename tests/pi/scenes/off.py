"""Switching off from the tablet, as its page does it."""

from __future__ import annotations

from tests.pi.house import House, Tablet
from tests.pi.machine import Otherwise

SAFE = "plug may be pulled"


def switched_off_from_the_tablet(house: House) -> str:
    """*Switch off*, asked for on the tablet and said yes to, switches the machine off; the game waits."""
    house.wait()
    house.to_an_attempt()
    before = house.record()
    tablet = Tablet(house.machine)
    tablet.be_host(house.pin())
    offered = tablet.get("/house")
    if "/house/off" not in offered.body:
        raise Otherwise("the page offers no way to switch off")
    sure = tablet.get("/house/off")
    night = tablet.post("/house/off", sure.body)
    if night.status != 200 or SAFE not in night.body:
        raise Otherwise(f"{night.status}: {night.body[:200]}")
    took = house.machine.off()
    house.machine.boot()
    house.wait()
    if house.record() != before:
        raise Otherwise("the game is another one after the boot")
    return f"“{SAFE}” was read, the machine was off after {took:.0f} s, and the game is there after the next boot"


SCENES = (switched_off_from_the_tablet,)
