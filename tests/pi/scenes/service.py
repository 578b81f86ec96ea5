"""The service under systemd: it starts after a boot, restarts after a crash or a kill, and stays stopped."""

from __future__ import annotations

import time

from tests.pi.house import House
from tests.pi.machine import Otherwise


def up_after_boot(house: House) -> str:
    """After a boot the service answers automatically, as its own user and not as root."""
    house.wait()
    answered_s = time.monotonic() - house.machine.began
    took = house.machine.do("systemd-analyze time 2>/dev/null | head -n 1 || true").strip()
    user = house.machine.do(f"ps -o user= -p {house.process()}").strip()
    if user == "root":
        raise Otherwise("the service runs as root")
    rss = house.machine.do(f"ps -o rss= -p {house.process()}").strip()
    return f"first answer {answered_s:.0f} s after power, then as {user}, {int(rss) / 1024:.0f} MB; {took}"


def back_after_a_kill(house: House) -> str:
    """If the service is killed during an attempt, it restarts automatically with the same attempt."""
    house.to_an_attempt()
    house.do({"do": "draw", "colour": "blue"})
    before, old = house.record(), house.process()
    house.machine.do(f"kill -9 {old}")
    house.anew(old)
    _same(before, house)
    house.do({"do": "draw", "colour": "green"})
    return f"process {old} became {house.process()}; {len(before)} lines before and after, and the next draw counts"


def back_after_a_crash(house: House) -> str:
    """If SIGSEGV crashes the service, it restarts automatically with the same game."""
    before, old = house.record(), house.process()
    house.machine.do(f"kill -SEGV {old}")
    house.anew(old)
    _same(before, house)
    return f"process {old} became {house.process()}, with the same {len(before)} lines"


def stays_stopped(house: House) -> str:
    """If its owner stops it, the service ends in ten seconds and stays stopped; started again, it has the same game."""
    before = house.record()
    house.machine.do("sudo systemctl stop ring-companion", "pi")
    result = house.machine.do("systemctl show -P Result -P ActiveState ring-companion").split()
    if result != ["success", "inactive"]:
        raise Otherwise(f"systemd says {' '.join(result)}")
    left = house.machine.do("ls /var/lib/ring-companion").split()
    house.machine.do("sudo systemctl start ring-companion", "pi")
    house.wait()
    _same(before, house)
    return f"ended with {result[0]}, leaving {', '.join(left)}; the same {len(before)} lines after it"


def _same(before: list[object], house: House) -> None:
    after = house.record()
    if after != before:
        raise Otherwise(f"{len(before)} lines before, {len(after)} after")


SCENES = (up_after_boot, back_after_a_kill, back_after_a_crash, stays_stopped)
