"""Stores what this version writes as another generation: `python -m tests.generations.keep NAME`.

NAME.tar.xz has a data folder (`data/`) and the files exported from it (`out/`); NAME.json has what the program said
about them. The ring is simulated, the people are invented, and the PINs and tokens belong to a folder that nobody
uses. A generation is never made again, since it represents the programs that wrote in this way.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event

from companion.app.bootstrap import ledger_and_ring
from companion.app.ring_controller import RingController
from companion.games.andromeda import GAME
from companion.games.andromeda.attempt import Establish
from companion.games.andromeda.random_policy import command, header
from companion.games.registry import GAMES
from companion.model.snapshot import NOT_A_DRAW, Status, Who
from companion.ports.ring import Judgement, RingEvent, RingEventKind, RingState
from companion.records import RECORD, VERSION
from companion.session.commands import (
    Abandon,
    Agree,
    AllReady,
    Answer,
    Extend,
    Go,
    Hold,
    Inventory,
    Leave,
    LeaveOpen,
    Mend,
    Pause,
    Ready,
    Resume,
    Return,
    SetPace,
    Switch,
    Undo,
)
from tests.companion.app.processes import Service, companion
from tests.generations.opened import HERE, Visitor, exported, pack, said_by_commands, said_by_pages, unpacked

HOST = Who("host", "tablet")
ANA = Who("Ana", "phone")
COPY = "The red box"
COLOURS = ("red", "blue", "green", "yellow", "black")
PATIENCE_S = 60.0
MANY, HALF, TAKEN_BACK = 5_000, 30, 12
"""The most lines of another game, the lines of an unfinished one, and the line after which one is undone."""
WORLD = "[rates]\npair = 0.3\nback = 0.1\npoke = 0.1\n"


class Evenings:
    """A table with a simulated ring, and hands that play at it."""

    def __init__(self, opened: RingController) -> None:
        self.table, self.ring, self.lots = opened.table, opened.ring, Random(3)
        self.news = Event()
        self.table.subscribe(lambda snapshot: self.news.set())
        self.table.subscribe_ring(lambda view: self.news.set())
        self.wait(lambda: self.ring.view.state is RingState.LIVE)

    def wait(self, wanted: Callable[[], object]) -> None:
        """Wait until *wanted* returns a true value; try again after each change."""
        while not wanted():
            assert self.news.wait(PATIENCE_S), f"it never came: {self.ring.view}"
            self.news.clear()

    def open(self, players: int, copy: str = "", **options: object) -> int:
        """Open a game, and return its number."""
        own = {**header(players, self.lots), "options": options}
        self.table.open({"record": RECORD, "version": VERSION, "game": "andromeda", **own}, HOST, copy)
        assert self.table.snapshot.game_id is not None
        return self.table.snapshot.game_id

    def step(self) -> None:
        """Enter one legal line without the ring, in an attempt if possible."""
        state = self.table.snapshot.state
        found = [each for seat in GAME.waited_for(state) for each in GAME.choices(state, seat)]
        attempts = [each for each in found if isinstance(each, Establish) and each.set.cards > 4]
        chosen = self.lots.choice(attempts) if attempts else command(state, self.lots)
        self.table.do(GAME.line(chosen), HOST)

    def until_attempt(self) -> None:
        """Play until an attempt is open and the ring is armed for it."""
        while self.table.snapshot.state.attempt is None:
            self.step()
        order = self.table.order()
        assert order is not None
        self.wait(lambda: self.ring.view.armed == order.token)

    def slide(self, colour: str = "") -> None:
        """Let one station out, and wait until the table has processed it."""
        version = self.table.snapshot.version
        self.ring.slide()
        self.wait(lambda: self.table.snapshot.version > version)

    def draw_all(self) -> int:
        """Let the ring draw a whole attempt, and answer its questions; return the number of questions."""
        asked = 0
        while self.table.snapshot.state.attempt is not None:
            if self.table.snapshot.questions:
                question, asked = self.table.snapshot.questions[0], asked + 1
                self.table.execute(Answer(question.id, question.offered[0][0]), HOST)
            else:
                self.slide()
        return asked

    def hear(self, kind: RingEventKind, token: int, seq: int, colour: str | None = None, **detail: object) -> None:
        """Pass an event to the table that a ring seldom sends."""
        judged = Judgement(colour, (("red", 0.6), ("blue", 0.4)), "" if colour else "ambiguous")
        seen = judged if kind in (RingEventKind.OUT, RingEventKind.PAIR) else None
        raw = (f"pass b=0000abcd n={seq} t=5 k={kind} tok={token}",)
        self.table.heard(RingEvent("by-hand", "0000abcd", seq, seq * 1000, kind, token, raw, seen, detail))

    @property
    def left(self) -> int:
        """The id of the stations that should be left after the last attempt."""
        assert self.table.snapshot.left_over is not None
        return self.table.snapshot.left_over.id

    def counted(self) -> dict[str, int]:
        """Return the stations that should be left, without one of the first colour."""
        assert self.table.snapshot.left_over is not None
        must = dict(self.table.snapshot.left_over.stations)
        fewer = next(colour for colour, count in must.items() if count)
        return {**must, fewer: must[fewer] - 1}


def finished(hands: Evenings) -> None:
    """Play a whole game without the ring, undo its end once, and finish it again."""
    number = hands.open(3, trade_record="off")
    while hands.table.snapshot.status is Status.LIVE:
        hands.step()
    hands.table.execute(Undo(), HOST)
    while hands.table.snapshot.status is Status.LIVE:
        hands.step()
    assert number == hands.table.snapshot.game_id


def abandoned(hands: Evenings) -> None:
    """Play a little, let two players leave and one come back, and abandon the game."""
    hands.open(5, double_exit="redo")
    for _ in range(12):
        hands.step()
    hands.table.execute(Leave("red"), HOST)
    hands.table.execute(Leave("blue"), HOST)
    hands.table.execute(Return("red"), HOST)
    hands.table.execute(Abandon("It was late."), HOST)


def other_games(hands: Evenings) -> None:
    """Play each other game to its end with one line undone, and half of a second game of the same kind."""
    for name, game in GAMES.items():
        play = game.random_play
        if name == GAME.name or play is None:
            continue
        for lines in (MANY, HALF):
            head = play.header(max(play.players), hands.lots, False)
            hands.table.open({"record": RECORD, "version": VERSION, "game": name, **head}, HOST)
            for count in range(lines):
                if hands.table.snapshot.status is not Status.LIVE:
                    break
                chosen = play.command(hands.table.snapshot.state, hands.lots)
                hands.table.do(game.line(chosen), HOST)
                if count == TAKEN_BACK:
                    hands.table.execute(Undo(), HOST)


def clocks(hands: Evenings) -> None:
    """Use everything that a clock offers, in a trading phase."""
    table = hands.table
    while table.snapshot.state.phase != "trading":
        hands.step()
    table.execute(SetPace({"limits": {"lay": {"mode": "strict", "seconds": 45}}}), HOST)
    table.execute(Extend(30_000), HOST)
    table.execute(Hold(), HOST)
    table.execute(Go(), HOST)
    while not GAME.reveal.together(table.snapshot.state):
        hands.step()
    first, *_ = GAME.reveal.together(table.snapshot.state)
    table.execute(Ready(first), ANA)
    table.execute(AllReady(), HOST)
    table.execute(Pause(), HOST)
    table.execute(Resume(), HOST)


def ring_draws(hands: Evenings) -> None:
    """Draw by ring and by typing, agree to a count, correct one, leave one open, misread a draw, correct, and undo."""
    table = hands.table
    ways: list[Callable[[], object]] = [
        lambda: table.execute(Agree(hands.left), HOST),
        lambda: count_and_mend(hands),
        lambda: (
            table.execute(Inventory(hands.left, hands.counted()), HOST),
            table.execute(LeaveOpen(hands.left), HOST),
        ),
    ]
    seldom_heard(hands)
    asked = 0
    while ways or not asked:
        hands.until_attempt()
        asked += hands.draw_all()
        if table.snapshot.left_over is not None and ways:
            ways.pop(0)()
    misread(hands)
    table.do({"do": "correct", "player": "red", "reason": "it was so", "technology": 2}, HOST)
    table.do({"do": "correct", "player": "blue", "reason": "a card too few", "hand": 9}, HOST)
    table.execute(Undo("That was Ben's card."), HOST)


def count_and_mend(hands: Evenings) -> None:
    """Count one station too few, and select a cause for the first difference."""
    table = hands.table
    table.execute(Inventory(hands.left, hands.counted()), HOST)
    assert table.snapshot.left_over is not None
    doubt = table.snapshot.left_over.doubts[0]
    table.execute(Mend(hands.left, next(each.word for each in doubt.causes if each.lines or each.moves)), HOST)


def seldom_heard(hands: Evenings) -> None:
    """Send a late station, a station after the last draw, a practice draw, and events that are not passages."""
    table = hands.table
    hands.until_attempt()
    order = table.order()
    assert order is not None
    seat = next(colour for colour, count in order.under.items() if count)
    for seq, kind in enumerate(
        (RingEventKind.BOOT, RingEventKind.GATE, RingEventKind.GLITCH, RingEventKind.STUCK, RingEventKind.LIFT), 1
    ):
        hands.hear(kind, order.token, seq, **({"lifted": True} if kind is RingEventKind.LIFT else {}))
    hands.hear(RingEventKind.FAULT, order.token, 6, fault="ambient-light")
    table.do({"do": "draw", "colour": seat}, HOST)
    hands.hear(RingEventKind.OUT, order.token, 7, seat)
    table.execute(Answer(table.snapshot.questions[0].id, "same"), HOST)
    while table.snapshot.state.attempt is not None:
        table.do({"do": "draw"}, HOST)
    hands.until_attempt()
    late = table.order()
    assert late is not None
    hands.draw_all()
    hands.hear(RingEventKind.OUT, late.token, 8, "red")
    hands.hear(RingEventKind.OUT, 0, 9)
    hands.until_attempt()
    order = table.order()
    assert order is not None
    hands.hear(RingEventKind.OUT, order.token, 10)
    table.execute(Answer(table.snapshot.questions[0].id, NOT_A_DRAW), HOST)
    hands.draw_all()


def misread(hands: Evenings) -> None:
    """Undo a draw of the ring as misread, answer what it was, and leave another question open."""
    table = hands.table
    while (
        table.snapshot.state.attempt is None or table.snapshot.undoable is None or not table.snapshot.undoable.by_ring
    ):
        hands.until_attempt()
        if table.snapshot.questions:
            table.execute(Answer(table.snapshot.questions[0].id, table.snapshot.questions[0].offered[0][0]), HOST)
        else:
            hands.slide()
    table.execute(Undo("misread"), HOST)
    question = table.snapshot.questions[0]
    table.execute(Answer(question.id, question.offered[0][0]), HOST)
    if table.snapshot.state.attempt is None:
        hands.until_attempt()
    order = table.order()
    assert order is not None
    hands.hear(RingEventKind.PAIR, order.token, 11)
    assert table.snapshot.questions


def played(data: Path, world: Path) -> None:
    """Fill *data* with games, the last of them still on the table."""
    calibrate = ("calibrate", "--ring", "mock:?seed=4", "--passes", 5, "--copy", COPY, "--colours", ",".join(COLOURS))
    done = companion(*calibrate, "--data", data, given="\n" * 80)
    assert done.returncode == 0, done.stderr
    with ledger_and_ring(data, f"mock:?world={world}&seed=4") as opened:
        hands = Evenings(opened)
        finished(hands)
        abandoned(hands)
        other_games(hands)
        clocked = hands.open(3)
        clocks(hands)
        live = hands.open(4, COPY, trade_record="off")
        ring_draws(hands)
        opened.table.execute(Switch(clocked), HOST)
        opened.table.execute(Switch(live), HOST)
        instrument = opened.ring.instrument
        assert instrument is not None
        opened.table.archive.judge_again(live, lambda raw: instrument.judged_again(raw, None), HOST)
    record = HERE.parent / "companion/games/andromeda/records" / "the-evening-the-ring-was-knocked-over.jsonl"
    assert companion("import", record, "--data", data).returncode == 0


@contextmanager
def served(data: Path) -> Iterator[Service]:
    """Serve *data* until the end of the block."""
    service = Service(data)
    try:
        yield service
    finally:
        service.stop()


def taken_out(data: Path, out: Path) -> None:
    """Export everything from *data* into *out* by commands: games, a backup and the calibration."""
    out.mkdir()
    for game in json.loads(companion("games", "--json", "--data", data).stdout):
        for form, text in exported(data, game["id"], data.parent / "exported").items():
            (out / f"{game['id']}.{form}").write_text(text, encoding="utf-8")
    assert companion("backup", out / "backup.sqlite", "--data", data).returncode == 0
    assert companion("calibration", "export", out / "calibration.json", "--data", data).returncode == 0


def sat_down(data: Path) -> None:
    """Let a phone join a seat, so that the folder has seats, PINs, tokens and keys."""
    with served(data) as service:
        visitor = Visitor(service.url, (data / "token").read_text(encoding="utf-8").strip())
        assert visitor.posted("/join", seat="blue") == "/table"


def keep(name: str) -> None:
    """Make a generation called *name*."""
    with tempfile.TemporaryDirectory() as scratch:
        made, world = Path(scratch, "made"), Path(scratch, "world.toml")
        data, out = made / "data", made / "out"
        world.write_text(WORLD, encoding="utf-8")
        played(data, world)
        sat_down(data)
        taken_out(data, out)
        pack(name, made)
        again = unpacked(name, Path(scratch, "again"))
        told = said_by_commands(again)
        with served(again / "data") as service:
            told |= said_by_pages(service, again / "data")
        text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
        (HERE / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Make the generation named by the argument."""
    (name,) = sys.argv[1:]
    keep(name)


if __name__ == "__main__":
    main()
