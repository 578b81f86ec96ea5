"""A second, independent way to count a game from its record, without checking rules.

It shares no code with the engine, so that the same mistake would have to be
made twice to go unnoticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

PLANETS = [f"p{number}" for number in range(1, 8)]
POINTS = {"silver": 2, "gold": 3, "platinum": 4, "diamond": 5}
PILES = {"silver": 6, "gold": 4, "platinum": 4, "diamond": 2}
EARNED = {4: "silver", 5: "gold", 6: "platinum", 7: "diamond"}
EXAMPLE = [(9, 7, 5), (8, 6, 4), (11, 8, 5), (12, 9, 6), (10, 7, 4), (13, 9, 5), (14, 10, 6)]
LIMITS = {1: 9, 2: 10, 3: 11, 4: 13}


def recount(record: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the final state of *record*, counted line by line, without undone lines."""
    header, *lines = record
    kept: list[dict[str, Any]] = []
    for line in lines:
        if line["do"] == "undo":
            kept.pop()
        else:
            kept.append(line)
    sheet = Sheet(header)
    for line in kept:
        getattr(sheet, "on_" + line["do"])(line)
    return sheet.state()


class Sheet:
    """The counts of all players and of the table."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.colours = [seat["colour"] for seat in header["players"]]
        self.options = header.get("options", {})
        board = header.get("board", {}).get("planets")
        self.values = (
            {row["id"]: row["centres"] for row in board} if board else dict(zip(PLANETS, EXAMPLE, strict=True))
        )
        each = 2 if len(self.colours) == 3 else 1
        self.places = {colour: Counter({"earth": 4, **dict.fromkeys(PLANETS, each)}) for colour in self.colours}
        self.owner: dict[str, str] = {}
        self.hand, self.credits = Counter(), {colour: Counter() for colour in self.colours}
        self.track = {colour: Counter(ship=1, technology=1, transport=2) for colour in self.colours}
        self.piles, self.supply, self.discards = Counter(PILES), 84, 0
        self.round, self.starter, self.phase = 1, header["first"], "setup"
        self.turn, self.actions, self.missing = "", 0, list(self.colours)
        self.sets: dict[str, list[str | None]] = {}
        self.excused: list[str] = []
        self.partner, self.swapped, self.ring = "", False, None

    # small steps

    def after(self, colour: str) -> str:
        return self.colours[(self.colours.index(colour) + 1) % len(self.colours)]

    def take(self, colour: str, cards: int) -> None:
        self.hand[colour] += cards
        for _ in range(cards):
            if not self.supply:
                self.supply, self.discards = self.discards, 0
            self.supply -= 1

    def shift(self, colour: str, source: str, target: str, count: int = 1) -> None:
        self.places[colour][source] -= count
        self.places[colour][target] += count

    def play(self, line: dict[str, Any]) -> int:
        colour, jokers = line["player"], line.get("jokers", [])
        self.hand[colour] -= line["cards"] + len(jokers)
        self.discards += line["cards"]
        self.credits[colour].subtract(jokers)
        self.piles.update(jokers)
        return line["cards"] + len(jokers)

    def half(self, colour: str, size: int, up: bool) -> int:
        return -(-size // 2) if up and self.track[colour]["technology"] == 4 else size // 2

    def act(self, colour: str, line: dict[str, Any] | None = None) -> None:
        """Finish an action: give a credit for a true set, reduce the actions, and perhaps pass the turn."""
        if line and not line.get("jokers") and line.get("bonus", True):
            kind = EARNED.get(line["cards"], "")
            if self.piles[kind]:
                self.piles[kind] -= 1
                self.credits[colour][kind] += 1
                self.hand[colour] += 1
        self.actions -= 1
        if self.actions == 0:
            self.pass_turn()

    def full(self) -> int:
        return sum(all(f"{planet}/{slot}" in self.owner for slot in range(3)) for planet in PLANETS)

    def pass_turn(self) -> None:
        self.turn, self.actions = self.after(self.turn), 2
        if self.turn == self.starter:
            self.turn, self.actions, over = "", 0, self.full() >= 3
            self.phase = "finished" if over else "cards"
            if not over:
                self.round, self.starter = self.round + 1, self.after(self.starter)

    def begin_actions(self) -> None:
        self.phase, self.turn, self.actions = "actions", self.starter, 3
        self.sets, self.excused, self.partner, self.swapped = {}, [], "", False

    def traded(self) -> None:
        alone = len(self.excused) == len(self.colours) - 1
        if alone or (self.swapped and not self.partner and len(self.sets) < 2):
            self.begin_actions()

    # lines

    def on_setup(self, line: dict[str, Any]) -> None:
        self.places[line["player"]].update(line["cards"])
        self.missing.remove(line["player"])
        if not self.missing:
            self.phase = "cards"
            for colour in self.colours:
                self.take(colour, 9)

    def on_deal(self, line: dict[str, Any]) -> None:
        at = self.colours.index(self.starter)
        for colour in self.colours[at:] + self.colours[:at]:
            wanted = max(0, LIMITS[self.track[colour]["ship"]] - self.hand[colour])
            self.take(colour, min(wanted, self.supply + self.discards))
        self.phase, self.turn = "transport", self.starter

    def on_transport(self, line: dict[str, Any]) -> None:
        colour, planet = line["player"], line.get("planet")
        if line["move"] == "to_planet":
            self.shift(colour, "earth", planet, min(2, self.places[colour]["earth"]))
        elif line["move"] == "to_earth":
            self.shift(colour, planet, "earth", self.places[colour][planet])
        self.track[colour]["transport"] -= line["move"] != "pass"
        if self.phase == "actions":
            return self.act(colour)
        self.turn = self.after(self.turn)
        if self.turn == self.starter:
            self.phase = "trading"
        return None

    def on_lay(self, line: dict[str, Any]) -> None:
        self.sets.setdefault(line["player"], []).append(line["card"])

    def on_excuse(self, line: dict[str, Any]) -> None:
        self.sets.pop(line["player"], None)
        self.excused.append(line["player"])
        self.traded()

    def on_swap(self, line: dict[str, Any]) -> None:
        one, other = line["player"], line["with"]
        given, got = self.sets.pop(one), self.sets[other]
        self.sets[other], self.partner, self.swapped = given, other, True
        for colour, lost, won in ((one, given, got), (other, got, given)):
            self.credits[colour].subtract(card for card in lost if card in PILES)
            self.credits[colour].update(card for card in won if card in PILES)

    def on_keep(self, line: dict[str, Any]) -> None:
        del self.sets[line["player"]]
        self.on_leave(line)

    def on_leave(self, line: dict[str, Any]) -> None:
        self.partner = ""
        self.traded()

    def on_take_back(self, line: dict[str, Any]) -> None:
        del self.sets[line["player"]]
        self.traded()

    def on_end_trading(self, line: dict[str, Any]) -> None:
        self.begin_actions()

    def on_exchange(self, line: dict[str, Any]) -> None:
        self.hand[line["player"]] -= line["cards"]
        self.discards += line["cards"]
        self.take(line["player"], line["cards"])
        self.act(line["player"])

    def on_move(self, line: dict[str, Any]) -> None:
        self.play(line)
        self.shift(line["player"], "earth", line["planet"], line["stations"])
        self.act(line["player"], line)

    def on_ship(self, line: dict[str, Any]) -> None:
        self.play(line)
        self.track[line["player"]][line["do"]] += 1
        self.act(line["player"], line)

    on_technology = on_ship

    def on_end_turn(self, line: dict[str, Any]) -> None:
        self.pass_turn()

    def on_establish(self, line: dict[str, Any]) -> None:
        size = self.play(line)
        self.ring = {**line, "left": self.half(line["player"], size, up=True)}

    def on_draw(self, line: dict[str, Any]) -> None:
        ring, colour = self.ring, line["colour"]
        ring["left"] -= 1
        if colour == ring["player"]:
            free = [slot for slot in range(3) if f"{ring['planet']}/{slot}" not in self.owner]
            best = sorted(free, key=lambda slot: -self.values[ring["planet"]][slot])[0]
            self.places[colour][ring["planet"]] -= 1
            self.owner[f"{ring['planet']}/{best}"] = colour
        else:
            self.shift(colour, ring["planet"], "earth")
        self.attempt_over(colour == ring["player"] or not ring["left"])

    def attempt_over(self, over: bool = False) -> None:
        if self.ring is None:
            return
        planet = self.ring["planet"]
        left = any(places[planet] for places in self.places.values())
        free = any(f"{planet}/{slot}" not in self.owner for slot in range(3))
        if over or not left or not free:
            ring, self.ring = self.ring, None
            self.act(ring["player"], ring)

    def on_double_exit(self, line: dict[str, Any]) -> None:
        if "out" in line:
            self.on_draw({"colour": line["out"]})

    def on_stop_drawing(self, line: dict[str, Any]) -> None:
        self.attempt_over(True)

    def on_correct(self, line: dict[str, Any]) -> None:
        colour = line["player"]
        if "move" in line:
            source, target, count = line["move"]["from"], line["move"]["to"], line["move"]["count"]
            for place, by in ((source, -count), (target, count)):
                if "/" not in place:
                    self.places[colour][place] += by
                elif by > 0:
                    self.owner[place] = colour
                else:
                    del self.owner[place]
        elif "bonus" in line:
            for kind, count in line["bonus"].items():
                more = count - self.credits[colour][kind]
                self.credits[colour][kind] += more
                self.piles[kind] -= more
                self.hand[colour] += more
        elif "hand" in line:
            self.supply += max(0, self.hand[colour] - line["hand"])
            self.take(colour, max(0, line["hand"] - self.hand[colour]))
            self.hand[colour] = line["hand"]
        else:
            self.track[colour].update(
                {of: line[of] - self.track[colour][of] for of in self.track[colour] if of in line}
            )
        self.attempt_over()

    # the final state

    def state(self) -> dict[str, Any]:
        """Return the counts in the form of a record's final state."""
        finished = self.phase == "finished"
        ring = self.ring and {"player": self.ring["player"], "planet": self.ring["planet"]}
        players = {colour: self.player(colour) for colour in self.colours}
        size = max(map(len, self.sets.values()), default=0)
        sets = [colour for colour in self.colours if colour in self.sets]
        excused = [colour for colour in self.colours if colour in self.excused]
        return {
            "game": "andromeda",
            "round": self.round,
            "phase": self.phase,
            "starter": self.starter,
            "to_act": self.to_act(size),
            "actions_left": self.actions if self.phase == "actions" else 0,
            "ring": ring and {**ring, "draws_left": self.ring["left"]},
            "trading": {"size": size, "sets": sets, "excused": excused} if self.phase == "trading" else None,
            "players": players,
            "bonus_supply": {kind: self.piles[kind] for kind in PILES},
            "supply": self.supply,
            "discards": self.discards,
            "last_round": finished or self.full() >= 3,
            "finished": finished,
            "winners": self.winners(players) if finished else [],
        }

    def player(self, colour: str) -> dict[str, Any]:
        """Return one player's part of the final state."""
        held = [
            place for planet in PLANETS for slot in range(3) if self.owner.get(place := f"{planet}/{slot}") == colour
        ]
        centres = [{"planet": place[:2], "value": self.values[place[:2]][int(place[3])]} for place in held]
        points = {
            "centres": sum(centre["value"] for centre in centres),
            "earth": self.places[colour]["earth"],
            "technology": {1: 0, 2: 1, 3: 3, 4: 6}[self.track[colour]["technology"]],
            "bonus": sum(POINTS[kind] * self.credits[colour][kind] for kind in PILES),
        }
        return {
            "earth": self.places[colour]["earth"],
            "planets": {planet: self.places[colour][planet] for planet in PLANETS},
            "centres": centres,
            **self.track[colour],
            "hand": self.hand[colour],
            "bonus": {kind: self.credits[colour][kind] for kind in PILES},
            "score": {**points, "total": sum(points.values())},
        }

    def winners(self, players: dict[str, Any]) -> list[str]:
        """Return the players with the most points, then technology, then ship."""
        rank = {colour: (row["score"]["total"], row["technology"], row["ship"]) for colour, row in players.items()}
        return [colour for colour in self.colours if rank[colour] == max(rank.values())]

    def to_act(self, size: int) -> list[str]:
        """Return the players who must act, in seat order."""
        if self.phase == "setup":
            return [colour for colour in self.colours if colour in self.missing]
        if self.phase == "cards" or (self.phase == "trading" and self.options.get("trade_record") == "off"):
            return [self.starter]
        if self.phase == "trading":
            return self.traders(size)
        return [self.turn] if self.turn else []

    def traders(self, size: int) -> list[str]:
        """Return the players who must act in the trading phase."""
        if self.partner:
            return [self.partner]
        if not self.swapped:
            others = [colour for colour in self.colours if colour != self.starter and colour not in self.excused]
            late = [colour for colour in others if len(self.sets.get(colour, [])) < size]
            return late or [self.starter]
        at = self.colours.index(self.starter)
        return [next(colour for colour in self.colours[at:] + self.colours[:at] if colour in self.sets)]
