"""Wrong clocks: a Pi has no battery-backed clock, and may start with an earlier time."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from tests.pi.house import House, Tablet
from tests.pi.machine import Otherwise


def an_hour_back(house: House) -> str:
    """With the clock an hour slow after a power cut, host and seat are still valid, and the game goes on."""
    return _back(house, -3600)


def two_years_back(house: House) -> str:
    """With the clock two years slow after a power cut, host and seat are still valid, and the game goes on."""
    return _back(house, -2 * 365 * 86400)


def _back(house: House, seconds: int) -> str:
    house.wait()
    host, phone = Tablet(house.machine), Tablet(house.machine)
    host.be_host(house.pin())
    house.to_an_attempt()
    shown = re.search(r'class="digits">(\d+)<', host.get("/join").body)
    phone.sit("blue", shown[1] if shown else "")
    if not (host.is_host and phone.sits):
        raise Otherwise("host or seat can't be had in the first place")
    before = house.record()
    house.machine.cut()
    house.machine.boot(f"pi.clock={seconds}")
    house.wait()
    date, here = house.machine.do("date -u '+%F %R'").strip(), datetime.now(UTC).strftime("%F %R")
    if not host.is_host:
        raise Otherwise(f"on {date} the host's tablet is the host's no more")
    if not phone.sits:
        raise Otherwise(f"on {date} the phone has lost its seat")
    if house.record() != before:
        raise Otherwise("the game is another one")
    house.do({"do": "draw", "colour": "blue"})
    return f"the machine woke up on {date}, when it was {here}; host and seat act as before, and the draw counts"


SCENES = (an_hour_back, two_years_back)
