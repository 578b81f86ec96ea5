"""Two real packages: an update while a game is on the table, and the way back."""

from __future__ import annotations

from tests.pi.house import DATA, House
from tests.pi.machine import Otherwise

LONG_S = 600.0
UPDATE = "sudo companion update /share/next/ring-companion_*.deb"


def no_update_during_a_game(house: House) -> str:
    """While a game is being played, an update is refused and changes nothing."""
    house.to_an_attempt()
    old, process = version(house), house.process()
    done = house.machine.run(UPDATE, "pi", LONG_S)
    if done.status == 0 or version(house) != old or house.process() != process:
        raise Otherwise(f"status {done.status}, {old} became {version(house)}: {done.out.strip()[-300:]}")
    return f"status {done.status}: “{done.out.strip().splitlines()[-1]}”"


def updated_with_a_game_on_the_table(house: House) -> str:
    """If a game is paused on the table during an update, the ledger is copied first, and the game goes on unchanged."""
    house.do({"do": "draw", "colour": "blue"})
    before, old = house.record(), version(house)
    house.ask("POST", "/api/v1/deeds", {"deed": "pause"})
    house.machine.do(UPDATE, "pi", LONG_S)
    house.wait()
    _same(before, house)
    copies = house.machine.do(f"ls {DATA}/backups").split()
    if version(house) == old or not copies:
        raise Otherwise(f"it is {version(house)} still, and there are {len(copies)} copies of the ledger")
    return f"{old} became {version(house)}; kept first: {copies[0]}; {len(before)} lines before and after"


def rolled_back(house: House) -> str:
    """After a rollback to the previous package the game goes on unchanged."""
    before, new = house.record(), version(house)
    house.machine.do("sudo companion rollback --yes", "pi", LONG_S)
    house.wait()
    _same(before, house)
    house.ask("POST", "/api/v1/deeds", {"deed": "resume"})
    house.do({"do": "draw", "colour": "green"})
    return f"{new} became {version(house)}; {len(before)} lines before and after, and the next draw counts"


def version(house: House) -> str:
    """Return the version of the installed package."""
    return house.machine.do("dpkg-query -W -f '${Version}' ring-companion").strip()


def _same(before: list[object], house: House) -> None:
    after = house.record()
    if after != before:
        raise Otherwise(f"{len(before)} lines before, {len(after)} after")


SCENES = (no_update_during_a_game, updated_with_a_game_on_the_table, rolled_back)
