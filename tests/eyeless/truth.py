"""Computes the right answers from the API, and finds the parts that an answer lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from companion.games.andromeda.header import setting_from
from companion.games.andromeda.state import Setting
from tests.companion.app.processes import Service

LIMITS = {1: 9, 2: 10, 3: 11, 4: 13}
CENTRES = 3


@dataclass(frozen=True)
class Truth:
    """The table according to the API."""

    state: Mapping[str, Any]
    names: Mapping[str, str]
    clock: Mapping[str, Any]
    setting: Setting
    moves: tuple[Mapping[str, Any], ...]

    @property
    def board(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Return label and values of each planet."""
        return {planet.id: (planet.label, planet.centres) for planet in self.setting.board.planets}

    def stations(self, place: str) -> dict[str, int]:
        """Count the stations on a planet, by name."""
        players = self.state["players"]
        return {self.names[colour]: one["planets"][place] for colour, one in players.items()}


def truth(service: Service) -> Truth:
    """Request everything from *service*."""
    record = standing(service.record())
    names = {each["colour"]: each["name"] for each in record[0]["players"]}
    state, clock = (service.ask("GET", f"/api/v1/{what}")[1] for what in ("state", "clock"))
    return Truth(state, names, clock, setting_from(record[0]), tuple(record[1:]))


def standing(record: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the lines of a record that were not undone."""
    kept: list[Mapping[str, Any]] = []
    for line in record:
        if line.get("do") == "undo":
            kept.pop()
        else:
            kept.append(line)
    return kept


def missing(about: str, text: str, known: Truth) -> list[str]:
    """Return the expected parts that an answer lacks."""
    wanted = CHECKS[about](known) if about in CHECKS else _place(known, about)
    return [one for one in wanted if one not in text]


def counted(counts: Mapping[str, int]) -> str:
    """Return counts in the form of an answer."""
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "none"


def _turn(known: Truth) -> list[str]:
    state = known.state
    if state["ring"]:
        return [known.names[state["ring"]["player"]], f"{state['ring']['draws_left']} draw"]
    if state["phase"] == "cards":
        return ["Deal the cards."]
    left = [f"{state['actions_left']} action"] if state["phase"] == "actions" else []
    full = sum(owned == CENTRES for owned in _owned(state).values())
    return [
        *(known.names[colour] for colour in state["to_act"]),
        *left,
        f"Round {state['round']}.",
        f"{full} of 3 planets",
    ]


def _owned(state: Mapping[str, Any]) -> dict[str, int]:
    held = [each["planet"] for one in state["players"].values() for each in one["centres"]]
    return {planet: held.count(planet) for planet in held}


def _score(known: Truth) -> list[str]:
    points = {colour: one["score"]["total"] for colour, one in known.state["players"].items()}
    best = max(points.values())
    leaders = [known.names[colour] for colour, count in points.items() if count == best]
    behind = sorted(points.values())[-2]
    lead = [f"{leaders[0]} leads by {best - behind}."] if len(leaders) == 1 else []
    return [*(f"{known.names[colour]} {count}" for colour, count in points.items()), *lead]


def _last(known: Truth) -> list[str]:
    """Return the name of the player of the newest line that isn't undone, or nothing if it is the table's line."""
    if not known.moves:
        return ["Nothing yet."]
    newest = known.moves[-1]
    colour = str(newest.get("player") or newest.get("colour"))
    return [known.names[colour]] if colour in known.names and newest["do"] not in ("undo", "deal") else []


def _clock(known: Truth) -> list[str]:
    if known.clock.get("limit_ms"):
        return []
    return ["Time for the whole game: " if known.clock.get("banks") else "No clock is running."]


def _ring(known: Truth) -> list[str]:
    ring = known.state["ring"]
    if not ring:
        return ["Nobody is drawing now."]
    label, values = known.board[ring["planet"]]
    free = sorted(values)
    for one in known.state["players"].values():
        for held in one["centres"]:
            if held["planet"] == ring["planet"]:
                free.remove(held["value"])
    return [
        f"Under the ring at {label}: {counted(known.stations(ring['planet']))}.",
        f"best free centre is {free[-1]}.",
    ]


def _chance(known: Truth) -> list[str]:
    ring = known.state["ring"]
    if not ring:
        return ["Nobody is drawing now."]
    there, name = known.stations(ring["planet"]), known.names[ring["player"]]
    total, own, draws = sum(there.values()), there[name], min(ring["draws_left"], sum(there.values()))
    share = 1 - comb(total - own, draws) / comb(total, draws)
    odds = known.setting.options.show_odds
    shown = f"Chance of a centre: {round(100 * share)}%." if odds else "This table shows no chances."
    return [f"{own} of {total} are {name}'s, {ring['draws_left']} draw", shown]


def _draws(known: Truth) -> list[str]:
    """Return every draw of the newest attempt by name, in order."""
    begun = [at for at, line in enumerate(known.moves) if line["do"] == "establish"]
    if not begun:
        return ["No draws yet."]
    newest = known.moves[begun[-1]]
    out = [known.names[line["colour"]] for line in known.moves[begun[-1] :] if line["do"] == "draw"]
    name, planet = known.names[newest["player"]], known.board[newest["planet"]][0]
    came_out = f"{name}'s attempt at {planet}: {', then '.join(out)} came out."
    return [came_out if out else f"{name} drew nothing at {planet}."]


def _hand(known: Truth) -> list[str]:
    return [
        f"{known.names[colour]} has {one['hand']} card{'' if one['hand'] == 1 else 's'}, limit {LIMITS[one['ship']]}; "
        f"technology level {one['technology']}; transport cards: {one['transport']}."
        for colour, one in known.state["players"].items()
    ]


def _cards(known: Truth) -> list[str]:
    trading = known.state["trading"] if known.state["phase"] == "trading" else None
    sets = trading["sets"] if trading else []
    return [f"{known.names[colour]}: " for colour in sets] or ["No cards are on the table."]


def _place(known: Truth, place: str) -> list[str]:
    label, _values = known.board[place]
    players = known.state["players"]
    taken = [
        (held["value"], known.names[colour])
        for colour, one in players.items()
        for held in one["centres"]
        if held["planet"] == place
    ]
    stations = f"Stations: {counted(known.stations(place))}."
    first = f"{label} is full." if len(taken) == CENTRES else f"{label}, free centres: "
    return [first, stations, *(f"{value} {name}" for value, name in taken)]


def _earth(known: Truth) -> list[str]:
    counts = {known.names[colour]: one["earth"] for colour, one in known.state["players"].items()}
    return [f"Earth: {counted(counts)}."]


CHECKS: Mapping[str, Callable[[Truth], list[str]]] = {
    "turn": _turn,
    "score": _score,
    "last": _last,
    "clock": _clock,
    "ring": _ring,
    "chance": _chance,
    "draws": _draws,
    "hand": _hand,
    "cards": _cards,
    "earth": _earth,
}
KEYS = {
    **dict(
        zip("123456789", ("turn", "score", "last", "clock", "ring", "chance", "draws", "hand", "cards"), strict=True)
    ),
    **dict(zip("abcdefgh", ("p1", "p2", "p3", "p4", "p5", "p6", "p7", "earth"), strict=True)),
}
