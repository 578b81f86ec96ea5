"""Power cuts during an attempt: the machine is killed, and data that its kernel hadn't written is lost."""

from __future__ import annotations

from random import Random
from threading import Timer

from tests.pi.house import House
from tests.pi.machine import Gone, Otherwise

CUTS = 4


def same_attempt_after_a_cut(house: House) -> str:
    """After a power cut during an attempt, the same attempt is there with every draw that was shown."""
    house.to_an_attempt()
    house.do({"do": "draw", "colour": "blue"})
    before, shown = house.record(), house.state()
    house.machine.cut()
    house.machine.boot()
    house.wait()
    after = house.record()
    if after != before or house.state()["ring"] != shown["ring"]:
        raise Otherwise(
            f"{len(before)} lines and {shown['ring']} before, {len(after)} and {house.state()['ring']} after"
        )
    house.do({"do": "draw", "colour": "green"})
    house.undo()
    return (
        f"{len(after)} lines before and after, the last one the draw of {after[-1]['colour']}, and the next draw counts"
    )


def nothing_lost_at_any_moment(house: House) -> str:
    """After power cuts at random moments during draws and undos, nothing acknowledged is lost or doubled."""
    lots, texts = Random(11), []
    for _ in range(CUTS):
        kept = _played_until_cut(house, lots.uniform(0.5, 3.0))
        house.machine.boot()
        house.wait()
        after = int(house.table()["version"])
        if not kept <= after <= kept + 1:
            raise Otherwise(f"version {kept} was acknowledged, and after the boot it is {after}")
        texts.append(f"{kept}→{after}")
    check = house.machine.run("dmesg | grep -ci 'ext4-fs error'").out.split()[-1]
    if check != "0":
        raise Otherwise(f"the kernel found {check} errors on the card")
    return f"{CUTS} cuts; acknowledged→found: {', '.join(texts)}; the kernel found no error on the card"


def _played_until_cut(house: House, after_s: float) -> int:
    """Draw and undo until the power is cut after *after_s*; return the last acknowledged version."""
    while house.state()["ring"]["draws_left"] < 2:
        house.undo()
    kept = int(house.table()["version"])
    timer = Timer(after_s, house.machine.pull)
    timer.start()
    try:
        while True:
            kept = house.do({"do": "draw", "colour": "green"})
            kept = house.undo()
    except Gone:
        timer.join()
        house.machine.cut()
        return kept


SCENES = (same_attempt_after_a_cut, nothing_lost_at_any_moment)
