"""The card: full and emptied, gone read-only while people play, and back."""

from __future__ import annotations

from tests.pi.house import House
from tests.pi.machine import Otherwise, until

FILL = "dd if=/dev/zero of=/filler bs=1M 2>/dev/null; dd if=/dev/zero of=/filler2 bs=4k 2>/dev/null; sync"


def full_and_emptied(house: House) -> str:
    """With a full card the game goes on and says that nothing is saved; with room again, all of it is saved."""
    house.to_an_attempt()
    house.machine.run(FILL)
    played = _played_unkept(house)
    text = house.companion("doctor")
    house.machine.do("rm -f /filler /filler2; sync")
    return _kept_again(house, played) + f"; doctor, while it was full: {_cares(text)}"


def read_only_while_playing(house: House) -> str:
    """While its root file system is read-only the table says “Nothing is being saved”, and later all is saved."""
    while house.state()["ring"] is None:
        house.undo()
    house.machine.do("echo u > /proc/sysrq-trigger; sleep 1")
    _barred(house)
    played = _played_unkept(house)
    text = house.companion("doctor")
    house.machine.do("mount -o remount,rw /")
    return _kept_again(house, played) + f"; doctor, while it was read-only: {_cares(text)}"


def given_up_by_its_kernel(house: House) -> str:
    """With a failed file system the table says “Nothing is being saved”; after a boot all earlier data is there."""
    while house.state()["ring"] is None:
        house.undo()
    kept = house.record()
    house.machine.do("echo given-up | tee /sys/fs/ext4/*/trigger_fs_error; sleep 1")
    _barred(house)
    played = _played_unkept(house)
    house.machine.cut()
    house.machine.boot()
    house.wait()
    found = house.record()
    if found[: len(kept)] != kept:
        raise Otherwise(f"{len(kept)} lines were kept before, and {len(found)} are found")
    return f"{len(kept)} lines before it, {len(played)} played, {len(found)} found after the boot and its repair"


def _barred(house: House) -> None:
    if house.machine.run("touch /probe").status == 0:
        raise Otherwise("the root can still be written")


def _played_unkept(house: House) -> list[object]:
    """Draw and undo until the server says that nothing is saved; return the record at that time."""

    def unkept() -> str:
        house.do({"do": "draw", "colour": "blue"})
        if house.table()["storage"]:
            return ""
        house.undo()
        return "the house says that all is kept"

    until("told that nothing is kept", unkept, 60)
    if "Nothing is being saved" not in house.send("GET", "/").body:
        raise Otherwise("the first page does not say that nothing is being kept")
    return house.record()


def _kept_again(house: House, played: list[object]) -> str:
    until("kept again", lambda: house.table()["storage"] or "", 120)
    old = house.process()
    house.machine.do(f"kill -9 {old}")
    house.anew(old)
    if house.record() != played:
        raise Otherwise(f"{len(played)} lines were played, {len(house.record())} are there after a kill")
    return f"{len(played)} lines played, all of them there after a kill -9 once there was room again"


def _cares(text: str) -> str:
    cares = [line.split(maxsplit=1)[1] for line in text.splitlines() if line.startswith("CARE")]
    return " | ".join(cares) or "nothing amiss"


SCENES = (full_and_emptied, read_only_while_playing, given_up_by_its_kernel)
