"""Plays whole games of Andromeda by ear and keyboard: controls are found by role and name, page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.companion.app.processes import Service
from tests.eyeless.reader import Lost, Reader, plain
from tests.eyeless.tree import Node, Tree
from tests.eyeless.truth import KEYS, missing, truth

SEATS = ("Ana", "Ben", "Cem", "Dora", "Eli")
ASKS = 0.25
"""The probability of a question before a decision."""
SOMETIMES = 0.5
BY_THE_CLOCK = ("10 seconds.", "Time.")
"""Parts of announcements that depend on time only."""
PLANETS = 7
PLAYED = ("establish", "move", "technology", "ship")
"""The lines that play a set."""
ENOUGH = 2_000


@dataclass
class Account:
    """The result of a game.

    It has the decisions, keys and questions, the most keys for one question, the announcements and the faults.
    """

    players: int
    decisions: Counter[str] = field(default_factory=Counter)
    keys: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    most_keys: int = 0
    events: int = 0
    said: int = 0
    refusals: int = 0
    faults: list[str] = field(default_factory=list)
    winner: str = ""
    rounds: int = 0


class Player:
    """One player for all seats of a table, by ear only."""

    def __init__(self, reader: Reader, service: Service, lots: Random) -> None:
        self.reader, self.service, self.lots = reader, service, lots
        self.account = Account(0)
        self.tell: Callable[[str], None] = lambda deed: None
        self._told = 0
        self._pressed, self._sent, self._entered = "", "", ""
        self._refused: set[str] = set()

    def new_game(self, players: int) -> None:
        """Start a game for that many players on its page."""
        self.account = Account(players)
        self.reader.open("/new")
        self.reader.go_to("^Name, seat 1$", "textbox")
        self.reader.key("Shift+Tab")
        self._choose(str(players))
        for number, name in enumerate(SEATS[:players], 1):
            self.reader.go_to(f"^Name, seat {number}$", "textbox")
            self.reader.type(name)
        self.reader.press("^Start game$", "button")
        self.begin()

    def begin(self) -> None:
        """Start listening."""
        self.reader.heard()
        self._told = self.reader.version

    def _choose(self, value: str) -> None:
        """Move in a group of choices with the arrow keys to *value*."""
        for _ in range(len(SEATS)):
            if self.reader.focus[1] == value:
                return
            self.reader.key("ArrowRight")
        raise AssertionError(f"no choice {value!r}")

    def play(self, enough: Callable[[Account], bool] = lambda account: False) -> Account:
        """Play until the final page, or until *enough* returns true; return the account of the game."""
        for _ in range(ENOUGH):
            version, tree = self.reader.version, self.reader.look()
            self._check_news()
            if self.service.ask("GET", "/api/v1/state")[1]["finished"] or enough(self.account):
                break
            if self.lots.random() < ASKS:
                self._ask()
            self._decide_at(tree, version)
        self.account.keys, self.reader.keys = self.reader.keys, 0
        self.account.winner = tree.title
        self.account.rounds = self.service.ask("GET", "/api/v1/state")[1]["round"]
        return self.account

    # Deciding

    def _decide_at(self, tree: Tree, version: int) -> None:
        """Decide; if the page of *version* was swapped before a key was pressed, do nothing."""
        try:
            self._decide(tree)
        except Lost:
            if self.reader.version == version:
                raise

    def _decide(self, tree: Tree) -> None:
        for name, way in self._ways():
            if way(tree):
                self.account.decisions[name] += 1
                self.tell(name)
                return
        raise AssertionError(f"nothing to do at {self.reader.page.url}: {[node.name for node in tree.controls]}")

    def _ways(self) -> Iterator[tuple[str, Callable[[Tree], bool]]]:
        """Yield the actions possible on any page, the most urgent first, found by a control's line or address."""
        yield "set up", self._set_up
        yield "deal", self._doing("deal")
        yield "transport", self._transport
        yield "all have played", self._leading("^/table/all_ready$")
        yield "swap", self._doing("swap")
        yield "keep or leave", lambda tree: self._one_of([*tree.doing("keep"), *tree.doing("leave")])
        yield "take back", self._doing("take_back")
        yield "play a card", self._lead
        yield "name no more", self._doing("lay", card=None)
        yield "answer the ring", self._answer
        yield "draw", self._draw
        yield "type a draw in", self._doing("draw")
        yield "pick a set", self._pick
        yield "go back", self._back
        yield "agree", lambda tree: self._often() and self._leading("^/table/agree$", "button")(tree)
        yield "establish", self._enter("^/table/act/establish$")
        yield "improve", self._enter("^/table/act/(technology|ship)$")
        yield "move", self._enter("^/table/act/move$")
        yield "exchange", self._doing("exchange", cards=1)
        yield "end turn", self._doing("end_turn")

    def _often(self) -> bool:
        return self.lots.random() < SOMETIMES

    def _doing(self, do: str, **fills: object) -> Callable[[Tree], bool]:
        return lambda tree: self._one_of(tree.doing(do, **fills))

    def _leading(self, pattern: str, role: str = "") -> Callable[[Tree], bool]:
        return lambda tree: self._one_of([node for node in tree.leading(pattern) if role in ("", node.role)])

    def _one_of(self, nodes: Sequence[Node]) -> bool:
        """Press one of *nodes* that the table hasn't just refused, if there is any."""
        found = [node for node in nodes if node.does not in self._refused]
        return bool(found) and self._press(self.lots.choice(found))

    def _press(self, node: Node) -> bool:
        self._pressed = node.does or ""
        if node.role == "button":
            self._sent = self._pressed
        self.reader.press(plain(node.name), node.role)
        return True

    def _set_up(self, tree: Tree) -> bool:
        return self._doing("setup")(tree) or self._leading(r"^/table\?seat=\w+&cards=[\d.]*[1-9]")(tree)

    def _transport(self, tree: Tree) -> bool:
        if not tree.doing("transport", move="pass"):
            return False
        flies = self._often() and self._doing("transport", move="to_planet")(tree)
        return flies or self._doing("transport", move="pass")(tree)

    def _lead(self, tree: Tree) -> bool:
        """Play a planet's card face up."""
        cards = [node for node in tree.doing("lay") if node.line["card"] is not None]
        return self._one_of(cards[:PLANETS])

    def _answer(self, tree: Tree) -> bool:
        """Answer a question of the ring."""
        return self._leading("^/table/answer$", "button")(tree)

    def _draw(self, tree: Tree) -> bool:
        """Slide the ring, and wait for the draw."""
        version = self.reader.version
        if not self._leading("^/table/slide$", "button")(tree):
            return False
        self.reader.await_version(version + 1)
        return True

    def _enter(self, pattern: str) -> Callable[[Tree], bool]:
        def enter(tree: Tree) -> bool:
            done = self._leading(pattern, "link")(tree)
            self._entered = self._pressed if done else self._entered
            return done

        return enter

    def _pick(self, tree: Tree) -> bool:
        """Choose an available planet and a number of cards, unless the table has just refused one of these sets."""
        if sets := [node for do in PLAYED for node in tree.doing(do)]:
            return not any(node.does in self._refused for node in sets) and self._one_of(sets)
        chosen = self._leading(r"^/table/act/\w+\?planet=p\d")
        return "/table/act/" in self.reader.page.url and chosen(tree)

    def _back(self, tree: Tree) -> bool:
        """Leave the page of an action for which no set can be played."""
        back = "/table/act/" in self.reader.page.url and self._leading("^/table$", "link")(tree)
        self._refused |= {self._entered} if back else set()
        return back

    # Questions and announcements

    def _ask(self) -> None:
        """Ask one question, and compare the answer with the API's."""
        key = self.lots.choice(list(KEYS))
        self._check_news()
        focus, version = self.reader.focus, self.service.ask("GET", "/api/v1/state")[1]["version"]
        text, keys = self.reader.ask(key, by_menu=not key.isdigit() or self.lots.random() < 0.5)
        fact = KEYS[key]
        self.account.asked[fact] += 1
        self.account.most_keys = max(self.account.most_keys, keys)
        known = truth(self.service)
        lacks = missing(fact, text, known)
        if lacks and known.state["version"] == version:  # otherwise something has happened meanwhile
            self._fault(f"asked about {fact}, {text!r} lacks {lacks}")
        if self.reader.focus != focus:
            self._fault(f"the focus was at {focus}, and after a question at {self.reader.focus}")
        heard = [what for where, what in self.reader.heard() if where == "answer"]
        if len(heard) != 1:
            self._fault(f"an answer was said {len(heard)} times: {heard}")

    def _check_news(self) -> None:
        """Compare announcements with the API's sentences: each exactly once."""
        version, heard = self.reader.heard_by()
        told: dict[int, list[str]] = {}
        for one in self.service.ask("GET", f"/api/v1/utterances?after={self._told}")[1]["utterances"]:
            if one["version"] <= version:
                told.setdefault(one["version"], []).append(one["text"])
        wanted = [" ".join(texts) for texts in told.values()]
        if version != self._told:
            self._refused.clear()
        self._told = version
        self._hear_refusal([what for where, what in heard if where == "alarm"])
        news = [what for where, what in heard if where != "alarm" and what not in BY_THE_CLOCK]
        self.account.events += len(wanted)
        self.account.said += len(news)
        if news != wanted:
            self._fault(f"said {heard}, but what happened is {wanted}")

    def _hear_refusal(self, alarms: list[str]) -> None:
        """Record that the table has refused the last action, which is possible with hidden hands.

        Only what a button sends can be refused: the refusal may be heard after a link was followed.
        """
        self.account.refusals += bool(alarms)
        if alarms:
            self._refused.add(self._sent)
        if len(alarms) > 1:
            self._fault(f"a refusal was said {len(alarms)} times: {alarms}")

    def _fault(self, text: str) -> None:
        self.account.faults.append(f"{self.reader.page.url.partition('/table')[1:]}: {text}")
