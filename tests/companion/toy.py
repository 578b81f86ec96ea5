"""A small game with everything that a table can use: turns, ring draws, random choices and automatic lines.

Two or more seats. `dig` starts an attempt with a number of draws from a bag of
stations; each `draw` is one of them; a draw of the player's own colour scores. `score`
adds points, `skip` passes, `fix` corrects the bag. With a single station left
in the bag an attempt has no choice, so the companion draws it automatically.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.model.capabilities import RingWords, Wanted
from companion.model.clock import Limit, Step, Strictness, TimeControl
from companion.model.game import Result, Seat, Viewer
from companion.ports.console import Shape

FIELDS: dict[str, dict[str, type]] = {
    "score": {"player": str, "points": int},
    "skip": {"player": str},
    "dig": {"player": str, "draws": int},
    "draw": {"colour": str},
    "double": {"colours": list},
    "stop": {},
    "fix": {"colour": str, "count": int},
}


@dataclass(frozen=True)
class ToyState:
    """The bag, the scores, and whose turn it is."""

    seats: tuple[Seat, ...]
    bag: Mapping[str, int]
    scores: Mapping[str, int]
    goal: int
    turn: int = 0
    left: int = 0

    @property
    def mover(self) -> str:
        return self.seats[self.turn % len(self.seats)].colour


class ToyBoard:
    """The board of a copy of the toy: any mapping; scores of five points or more are remembered in it."""

    def of(self, header: Line) -> Line | None:
        return header.get("board")

    def checked(self, value: object) -> Line:
        if not isinstance(value, dict):
            raise Malformed("no board")
        return value

    def invented(self, header: Line) -> bool:
        """Return False, since the board never has example values."""
        return False

    def learnt(self, board: Line | None, line: Line) -> Line | None:
        return (
            {**(board or {}), "best": line["points"]} if line.get("points", 0) > (board or {}).get("best", 4) else board
        )


class Toy:
    """The toy game; *version* is the version of its rules."""

    name = "toy"
    pace = TimeControl({"turn": Limit(Strictness.GENTLE, 20)})

    open_draws = None
    reveal = None
    secrets = None
    board = ToyBoard()

    def __init__(self, version: str = "toy-1") -> None:
        self.rules = version

    lamps: Mapping[str, Shape] = {}
    arrived = "Yes, it came"
    in_attempts = True
    colours = ("red", "blue", "green")
    speech = None
    facts = None
    luck = None
    random_play = None

    @property
    def ring(self) -> Toy:
        return self

    @property
    def console(self) -> Toy:
        return self

    def standing(self, state: ToyState) -> tuple[str, ...]:
        return tuple(f"{seat.name}: {state.scores[seat.colour]}" for seat in state.seats)

    def start(self, header: Line) -> ToyState:
        try:
            seats = tuple(Seat(each["colour"], each["name"]) for each in header["players"])
            bag = dict(header["bag"])
        except (KeyError, TypeError) as error:
            raise Malformed(f"the header lacks {error}") from error
        if len({seat.colour for seat in seats}) < 2:
            raise Malformed("two different colours at least")
        return ToyState(seats, bag, {seat.colour: 0 for seat in seats}, header.get("goal", 1_000_000))

    def actor(self, state: ToyState, line: Line) -> str | None:
        return state.mover if line.get("do") in ("draw", "double", "stop") else line.get("player")

    def by_button(self, state: ToyState, seat: str | None, held: bool = False) -> Line | None:
        return {"do": "skip", "player": state.mover} if seat is None else None

    def seats(self, state: ToyState) -> tuple[Seat, ...]:
        return state.seats

    def parse(self, line: Line) -> Line:
        fields = FIELDS.get(line.get("do", ""))
        if fields is None:
            raise Malformed(f"unknown command {line.get('do')!r}")
        optional = {"out"} if line["do"] == "double" else set()
        for name, kind in fields.items():
            if type(line.get(name)) is not kind:
                raise Malformed(f"{name} is missing or wrong")
        if set(line) - set(fields) - optional - {"do"}:
            raise Malformed("unknown fields")
        return dict(line)

    def line(self, command: Line) -> Line:
        return command

    def cast_lots(self, state: ToyState, line: Line, lots: Random) -> Line:
        if line.get("do") == "double" and "out" not in line and line.get("colours"):
            return {**line, "out": lots.choice(line["colours"])}
        return line

    def decide(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        do = command["do"]
        if self.result(state) is not None and do != "fix":
            raise Refused("the game is over")
        return getattr(self, f"_{do}")(state, command)  # type: ignore[no-any-return]

    def _score(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        self._on_the_move(state, command["player"])
        return ({"is": "scored", "player": command["player"], "points": command["points"]}, {"is": "turned"})

    def _skip(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        self._on_the_move(state, command["player"])
        return ({"is": "turned"},)

    def _dig(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        self._on_the_move(state, command["player"])
        if not sum(state.bag.values()):
            raise Refused("the bag is empty")
        return ({"is": "dug", "draws": min(command["draws"], sum(state.bag.values()))},)

    def _draw(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        if not state.left:
            raise Refused("no attempt is open")
        colour = command["colour"]
        if not state.bag.get(colour):
            raise Refused(f"there is no {colour} station under the ring")
        scored = ({"is": "scored", "player": colour, "points": 1},) if colour == state.mover else ()
        turned = ({"is": "turned"},) if state.left == 1 else ()
        return ({"is": "drawn", "colour": colour}, *scored, *turned)

    def _double(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        return self._draw(state, {"colour": command["out"]})

    def _stop(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        if not state.left:
            raise Refused("no attempt is open")
        return ({"is": "turned"},)

    def _fix(self, state: ToyState, command: Line) -> tuple[Line, ...]:
        return ({"is": "fixed", "colour": command["colour"], "count": command["count"]},)

    def _on_the_move(self, state: ToyState, player: str) -> None:
        if state.left:
            raise Refused("an attempt is open")
        if player != state.mover:
            raise Refused(f"it is {state.mover}'s turn")

    def evolve(self, state: ToyState, event: Line) -> ToyState:
        match event["is"]:
            case "scored":
                total = state.scores.get(event["player"], 0) + event["points"]
                return replace(state, scores={**state.scores, event["player"]: total})
            case "dug":
                return replace(state, left=event["draws"])
            case "drawn":
                bag = {**state.bag, event["colour"]: state.bag[event["colour"]] - 1}
                return replace(state, bag=bag, left=state.left - 1)
            case "fixed":
                return replace(state, bag={**state.bag, event["colour"]: event["count"]})
            case _:
                return replace(state, turn=state.turn + 1, left=0)

    def pack(self, event: Line) -> Line:
        return event

    def unpack(self, line: Line, state: ToyState) -> Line:
        if line.get("is") not in ("scored", "dug", "drawn", "fixed", "turned"):
            raise Malformed(f"these rules know no event {line.get('is')!r}")
        return line

    def choices(self, state: ToyState, seat: str) -> tuple[Line, ...]:
        return ({"do": "skip", "player": seat},) if seat == state.mover else ()

    def by_itself(self, state: ToyState, absent: frozenset[str]) -> Line | None:
        if self.result(state) is not None:
            return None
        held = [colour for colour, count in state.bag.items() if count]
        if state.left and sum(state.bag.values()) == 1:
            return {"do": "draw", "colour": held[0]}
        idle = state.mover in absent and len(absent) < len(state.seats) and not state.left
        return {"do": "skip", "player": state.mover} if idle else None

    def waited_for(self, state: ToyState) -> tuple[str, ...]:
        return () if self.result(state) else (state.mover,)

    def step(self, state: ToyState) -> Step | None:
        return None if self.result(state) else Step("turn", (state.mover,), (state.turn,))

    words = RingWords()

    def out(self, line: Line) -> tuple[str, ...]:
        return {"draw": (line.get("colour", ""),), "double": tuple(line.get("colours", ()))}.get(line["do"], ())

    def may_draw(self, state: ToyState) -> bool:
        return False

    def went_back(self, line: Line) -> bool:
        return bool(line["do"] == "double")

    def in_play(self, state: ToyState) -> tuple[str, ...]:
        return tuple(seat.colour for seat in state.seats)

    def wanted(self, state: ToyState) -> Wanted | None:
        return Wanted(state.mover, "bag", state.bag, state.left) if state.left else None

    def draw(self, colour: str) -> Line:
        return {"do": "draw", "colour": colour}

    def two_out(self, state: ToyState, colours: tuple[str, str]) -> Line:
        return {"do": "double", "colours": list(colours)}

    def label(self, state: ToyState, place: str) -> str:
        return f"the {place}"

    def stations(self, state: ToyState, place: str) -> Mapping[str, int]:
        return dict(state.bag)

    def redrawn(self, state: ToyState, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        changes = ((drawn, 1), (really, -1))
        return tuple({"do": "fix", "colour": each, "count": state.bag[each] + by} for each, by in changes if each)

    def view(self, state: ToyState, viewer: Viewer) -> dict[str, Any]:
        return {"bag": dict(state.bag), "scores": dict(state.scores), "turn": state.turn, "left": state.left}

    def result(self, state: ToyState) -> Result | None:
        winners = tuple(colour for colour, total in state.scores.items() if total >= state.goal)
        return Result(winners, state.scores) if winners else None


HEADER: Line = {
    "record": "table-record",
    "version": 1,
    "game": "toy",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "bag": {"red": 3, "blue": 3, "green": 2},
}
