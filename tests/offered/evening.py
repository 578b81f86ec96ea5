"""Evenings for the walk: random games, which it visits while the table is live, paused, asking or over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.kernel.fields import Line
from companion.model.snapshot import Status
from companion.session.commands import Abandon, Leave, Pause, Resume, Return
from tests.offered.house import HOST, OfferedHouse
from tests.offered.walk import Fault, Walked, press_all, seek, walk

SOUGHT_PAGES = 4_000
"""The most pages searched for a legal command: a pool of dice or a set is chosen with a tap for each piece."""
STOPS = 12
"""The number of positions in one game."""
DISTANCE = 40
"""The greatest number of commands between two positions."""
MANNERS = ("live", "live", "live", "live", "paused", "abandoned", "absent", "asked", "asked", "ready")


def examined(folder: Path, name: str, positions: int, lots: Random, pages: int, sought: int) -> Walked:
    """Walk at *positions* positions of random games of *name*."""
    found, number = Walked(), 0
    while positions > 0:
        number += 1
        own = folder / f"{name}-{number}"
        own.mkdir()
        house = _house(own, name, lots)
        try:
            for _ in range(min(STOPS, positions)):
                found.add(_examine(house, lots, pages, sought))
                positions -= 1
                if house.over:
                    break
                _play_on(house, lots)
        finally:
            house.close()
    return found


def _house(folder: Path, name: str, lots: Random) -> OfferedHouse:
    from companion.games.registry import GAMES

    play = GAMES[name].random_play
    assert play is not None
    return OfferedHouse(folder, name, lots.choice(play.players), lots, lots.random() < 0.5, lots.random() < 0.3)


def _play_on(house: OfferedHouse, lots: Random) -> None:
    """Play some commands, and now and then to the end of the game."""
    far = 10_000 if lots.random() < 0.04 else lots.randrange(DISTANCE) + 1
    for _ in range(far):
        if house.over:
            return
        house.step()


def _examine(house: OfferedHouse, lots: Random, pages: int, sought: int) -> Walked:
    found = Walked()
    with _in_a_manner(house, lots):
        addresses = set[str]()
        for who in house.browsers:
            # Each viewer also visits addresses of pages that others have found by their links.
            also = tuple(lots.sample(sorted(addresses), min(8, len(addresses))))
            walked, seen = walk(house, who, lots, pages, also)
            addresses |= {each for each in seen if each.startswith("/table")}
            found.add(walked)
        found.add(press_all(house))
        # While the ring asks what came out, its question replaces everything else.
        if house.snapshot.status is Status.LIVE and not house.over and not house.snapshot.questions:
            _seek(house, lots, sought, found)
    return found


def _seek(house: OfferedHouse, lots: Random, sought: int, found: Walked) -> None:
    """Search for some of each seat's legal commands, on its phone and on the tablet."""
    legal = [(seat, command) for seat in house.seats for command in house.game.choices(house.state, seat)]
    for seat, command in lots.sample(legal, min(sought, len(legal))):
        line = house.game.line(command)
        for who in ("host", seat):
            if not house.accepts(who, line) or _takes_first(house, who, line):
                continue
            found.sought += 1
            if why := seek(house, who, line, SOUGHT_PAGES):
                found.faults.append(Fault("missing", who, f"/table ({_phase(house)})", f"{line}, {why}", line["do"]))


def _takes_first(house: OfferedHouse, who: str, line: Line) -> bool:
    """Return whether the player of a draw must take the ring first, which takes two taps on the tablet."""
    return house.game.name == "draws" and who == "host" and line["do"] == "draw" and line["player"] != house.state.taker


def _phase(house: OfferedHouse) -> str:
    return str(getattr(house.state, "phase", ""))


@contextmanager
def _in_a_manner(house: OfferedHouse, lots: Random) -> Iterator[None]:
    """Put the table into a random state of MANNERS, such as paused, inside this context."""
    manner, table = lots.choice(MANNERS), house.table
    if house.over or manner == "live":
        yield
        return
    if manner == "asked":
        with house.asked_by_the_ring(lots):
            yield
        return
    if manner == "ready":
        house.lay_face_down(lots)
        yield
        return
    seat = lots.choice(house.seats) if house.seats else ""
    if manner == "absent" and seat:
        table.execute(Leave(seat), HOST)
        yield
        if seat in house.snapshot.absent:
            table.execute(Return(seat), HOST)
        return
    table.execute(Pause() if manner == "paused" else Abandon("trying out"), HOST)
    yield
    table.execute(Resume(), HOST)
