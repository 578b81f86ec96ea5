"""The table: what commands do, and its snapshots."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.boxes import Copy
from companion.model.snapshot import MovedOn, Snapshot, Status
from companion.ports.ring import RingState, RingView
from companion.session.commands import Abandon, Leave, Pause, Resume, Return
from tests.companion.live_table import HOST, LiveTable
from tests.companion.toy import Toy, ToyState


def test_an_empty_table_shows_nothing(live_table: LiveTable) -> None:
    """Table: without a game the status is NONE, the version is 0, and commands are refused."""
    assert live_table.snapshot.status is Status.NONE
    assert live_table.snapshot.version == 0
    assert live_table.table.order() is None
    assert live_table.table.archive.history() == ()
    with pytest.raises(Refused, match="no game"):
        live_table.do("stop")
    with pytest.raises(Malformed, match="no game"):
        live_table.table.archive.record()


@pytest.mark.parametrize("wrong", [{"game": "chess"}, {"game": None}, {"game": ["toy"]}, {"players": []}])
def test_a_bad_header_opens_nothing(live_table: LiveTable, wrong: dict[str, object]) -> None:
    """Table: a header that its game refuses opens no game, and nothing is written."""
    with pytest.raises(Malformed):
        live_table.open(**wrong)

    assert live_table.snapshot.status is Status.NONE
    assert live_table.ledger.last == 0


def test_a_command_changes_the_game_and_the_version(live_table: LiveTable) -> None:
    """Table: a legal command is applied, stored and shown, and returns the new version."""
    live_table.open()
    before = live_table.snapshot.version

    version = live_table.table.do({"do": "score", "player": "red", "points": 3}, HOST, before)

    assert version == live_table.snapshot.version > before
    assert live_table.view["scores"] == {"red": 3, "blue": 0}
    (line,) = live_table.snapshot.recent
    assert (line.line, line.who, line.via) == ({"do": "score", "player": "red", "points": 3}, "host", "tablet")


def test_a_restart_resumes_the_same_game(live_table: LiveTable) -> None:
    """Table: the snapshot after a restart equals the one before it."""
    live_table.open().score(3).dig().slide("blue").slide(None)
    before = live_table.snapshot

    live_table.restart()

    assert live_table.running == before


def test_a_page_that_is_too_old_is_refused(live_table: LiveTable) -> None:
    """Table: a command with an older or a future version is refused."""
    old = live_table.open().snapshot.version
    live_table.score()

    for version in (old, live_table.snapshot.version + 1):
        with pytest.raises(MovedOn) as moved:
            live_table.table.do({"do": "skip", "player": "blue"}, HOST, version)
        assert moved.value.version == live_table.snapshot.version


def test_a_notice_leaves_an_older_page_its_say(live_table: LiveTable) -> None:
    """Table: a notice increases the version, but a command that names the version before it is still accepted."""
    old = live_table.open().snapshot.version
    live_table.slide("red", token=0)
    assert live_table.snapshot.version > old

    live_table.table.do({"do": "skip", "player": "red"}, HOST, old)

    assert live_table.view["turn"] == 1


def test_refusals_change_nothing(live_table: LiveTable) -> None:
    """Table: a refused or invalid command changes and stores nothing."""
    live_table.open()
    before, last = live_table.snapshot, live_table.ledger.last

    with pytest.raises(Refused):
        live_table.do("skip", player="blue")
    with pytest.raises(Malformed):
        live_table.do("dance")
    with pytest.raises(Malformed):
        live_table.table.do({}, HOST)

    assert live_table.snapshot == before
    assert live_table.ledger.last == last


def test_what_a_line_says_beside_its_command_is_kept_apart(live_table: LiveTable) -> None:
    """Table: a line's note is stored as sent, but its time and source are set by the table."""
    live_table.open()

    live_table.table.do({"do": "skip", "player": "red", "note": "thinking", "at": 5, "via": "ring"}, HOST)

    assert live_table.lines() == [{"do": "skip", "player": "red", "at": 0, "via": "tablet", "note": "thinking"}]


def test_the_companion_does_by_itself_what_leaves_no_choice(live_table: LiveTable) -> None:
    """Table: after a command, automatic lines of the game are added with the source `companion`."""
    live_table.open(bag={"red": 1, "blue": 1}).dig(2).draw("red")

    assert [(line["do"], line["via"]) for line in live_table.lines()][-2:] == [
        ("draw", "tablet"),
        ("draw", "companion"),
    ]
    assert live_table.view["turn"] == 1


def test_the_companion_plays_for_who_has_left(live_table: LiveTable) -> None:
    """Table: for a player who left, the companion plays automatic lines until they return."""
    live_table.open()

    live_table.table.execute(Leave("blue"), HOST)
    live_table.score().score()
    assert live_table.snapshot.absent == {"blue"}
    assert live_table.deeds() == ["score", "skip", "score", "skip"]

    live_table.table.execute(Return("blue"), HOST)
    live_table.score()
    assert live_table.deeds()[-1] == "score"
    assert live_table.snapshot.state.mover == "blue"


def test_leaving_twice_or_by_nobody_is_refused(live_table: LiveTable) -> None:
    """Table: leaving twice, or returning without having left, is refused."""
    live_table.open()
    with pytest.raises(Malformed):
        live_table.table.execute(Leave("green"), HOST)
    with pytest.raises(Refused):
        live_table.table.execute(Return("blue"), HOST)
    live_table.table.execute(Leave("blue"), HOST)
    with pytest.raises(Refused):
        live_table.table.execute(Leave("blue"), HOST)


def test_a_paused_game_takes_no_lines(live_table: LiveTable) -> None:
    """Table: in a paused game, lines, undo and another pause are refused until it is resumed, even after a restart."""
    live_table.open().dig()
    live_table.table.execute(Pause(), HOST)
    live_table.restart()

    assert live_table.snapshot.status is Status.PAUSED
    assert live_table.table.order() is None
    for deed in (lambda: live_table.draw("red"), live_table.undo, lambda: live_table.table.execute(Pause(), HOST)):
        with pytest.raises(Refused):
            deed()

    live_table.table.execute(Resume(), HOST)
    live_table.draw("red")
    assert live_table.view["left"] == 1


def test_a_game_is_given_up_with_a_reason(live_table: LiveTable) -> None:
    """Table: a game is abandoned only with a reason; it then refuses lines, and can be resumed."""
    live_table.open()
    with pytest.raises(Refused, match="why"):
        live_table.table.execute(Abandon(" "), HOST)

    live_table.table.execute(Abandon("the dog ate the board"), HOST)

    assert live_table.snapshot.status is Status.ABANDONED
    assert live_table.table.archive.games()[0].reason == "the dog ate the board"
    with pytest.raises(Refused):
        live_table.score()
    live_table.table.execute(Resume(), HOST)
    assert live_table.score().snapshot.status is Status.LIVE


def test_a_finished_game_can_still_be_taken_back(live_table: LiveTable) -> None:
    """Table: an undo makes a finished game live again."""
    live_table.open(goal=3).score(3)
    assert (live_table.snapshot.status, live_table.table.archive.games()[0].status) == (
        Status.FINISHED,
        Status.FINISHED,
    )

    live_table.undo()

    assert (live_table.snapshot.status, live_table.table.archive.games()[0].status) == (Status.LIVE, Status.LIVE)


def test_recent_lines_are_few_and_newest_first(live_table: LiveTable) -> None:
    """Table: the snapshot has the last twelve lines, newest first."""
    live_table.open()
    for points in range(30):
        live_table.score(points)

    assert [line.line["points"] for line in live_table.snapshot.recent] == list(range(29, 17, -1))


def test_history_is_leafed_through(live_table: LiveTable) -> None:
    """Table: the history is returned in pages, newest first, including undone lines with their reason."""
    live_table.open()
    for points in range(10):
        live_table.score(points)
    live_table.undo("slip")

    first = live_table.table.archive.history(most=4)
    second = live_table.table.archive.history(before=first[-1].id, most=20)

    assert [line.line["points"] for line in (*first, *second)] == list(range(9, -1, -1))
    assert [(line.undone, line.note) for line in first[:2]] == [(True, "slip"), (False, "")]


def test_subscribers_are_told_what_is_committed(live_table: LiveTable) -> None:
    """Table: subscribers get each new snapshot after it is stored, until they unsubscribe."""
    kept: list[tuple[int, int]] = []

    def look(snapshot: Snapshot) -> None:
        kept.append((snapshot.version, live_table.ledger.newest().id))  # type: ignore[union-attr]

    end = live_table.table.subscribe(look)
    live_table.open().score()
    end()
    live_table.score()

    assert kept == [(1, 2), (3, 4)]


def test_a_refusal_tells_nobody(live_table: LiveTable) -> None:
    """Table: a refused command does not notify subscribers."""
    told: list[Snapshot] = []
    live_table.open().table.subscribe(told.append)

    with pytest.raises(Refused):
        live_table.do("stop")

    assert told == []


def test_the_ring_shows_without_a_new_version(live_table: LiveTable) -> None:
    """Table: a change of the ring is published without a new version of the game."""
    views: list[RingView] = []
    version = live_table.open().snapshot.version
    live_table.table.subscribe_ring(views.append)

    live_table.table.ring_changed(RingView(RingState.LIVE, port="here"))

    assert views == [live_table.snapshot.ring] == [RingView(RingState.LIVE, port="here")]
    assert live_table.snapshot.version == version
    assert live_table.score().snapshot.ring.port == "here"


def test_many_threads_make_one_story(live_table: LiveTable) -> None:
    """Table: commands from several threads are executed one after another, and published in order."""
    versions: list[int] = []
    live_table.open().table.subscribe(lambda snapshot: versions.append(snapshot.version))

    def fix() -> None:
        for count in range(20):
            live_table.do("fix", colour="red", count=count)

    threads = [Thread(target=fix) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert live_table.deeds() == ["fix"] * 80
    assert versions == sorted(versions)
    assert versions[-1] == live_table.snapshot.version
    assert live_table.restart().deeds() == ["fix"] * 80


def test_names_may_hold_anything(live_table: LiveTable) -> None:
    """Table: a name may be any text on one line, including joined emoji, and is returned unchanged."""
    odd = "Zo\u00eb \U0001f468\u200d\U0001f680 \u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
    live_table.open(players=[{"colour": "red", "name": odd}, {"colour": "blue", "name": "Ben"}])

    live_table.restart()

    assert live_table.snapshot.header is not None
    assert live_table.snapshot.header["players"][0]["name"] == odd
    assert json.loads(json.dumps(list(live_table.table.archive.record())))[0]["players"][0]["name"] == odd


class Onlooker(Toy):
    """A toy game in which all reveal together, and which looks at the table while the table makes a snapshot."""

    def __init__(self) -> None:
        super().__init__()
        self.look: Callable[[], object] = lambda: None

    @property
    def reveal(self) -> Onlooker:
        """The game's own reveal, with nothing face down."""
        return self

    def together(self, state: ToyState) -> tuple[str, ...]:
        """Return nobody, after looking at the table."""
        self.look()
        return ()

    def turning(self, state: ToyState) -> tuple[str, ...]:
        """Return nobody."""
        return ()

    def turned_over(self, before: ToyState, after: ToyState) -> bool:
        """Return False, since nothing is face down."""
        return False


def test_while_a_snapshot_is_made_the_last_one_is_seen(tmp_path: Path) -> None:
    """Snapshot: while a new one is made, readers see the last one, never a table without a game."""
    game, seen = Onlooker(), set()
    live = LiveTable(tmp_path / "ledger.db", game).open()
    game.look = lambda: seen.add(live.snapshot.game_id)

    live.table.save_copy(Copy("ours", "toy", None, {"red": "red", "blue": "blue"}), HOST)
    live.table.show_unattended(["The clock stopped."])

    assert seen == {live.snapshot.game_id}
    live.ledger.close()


def test_a_subscriber_that_fails_holds_up_no_commit(live_table: LiveTable, caplog: pytest.LogCaptureFixture) -> None:
    """If a subscriber raises, the commit is answered, the other subscribers are called, and the error is logged."""
    heard = list[int]()

    def broken(news: object) -> None:
        raise ZeroDivisionError("a page's own bug")

    live_table.table.subscribe(broken, first=True)
    live_table.table.subscribe_ring(broken)
    live_table.table.subscribe(lambda snapshot: heard.append(snapshot.version))
    live_table.open().score()
    live_table.table.ring_changed(RingView(RingState.LIVE))
    live_table.table.show_unattended(["The console stopped."])

    assert live_table.snapshot.version == heard[-1]
    assert live_table.snapshot.ring.state is RingState.LIVE
    assert live_table.snapshot.unattended == "The console stopped."
    assert caplog.text.count("a page's own bug") >= 4


def test_what_is_not_done_now_is_shown_until_it_is(live_table: LiveTable) -> None:
    """Unattended: sentences of stopped threads are shown as notices until the threads are back."""
    live_table.open().table.show_unattended(["One stopped.", "Another stopped."])
    assert [notice.text for notice in live_table.snapshot.notices] == ["One stopped.", "Another stopped."]
    assert live_table.snapshot.unattended == "One stopped. Another stopped."

    live_table.table.show_unattended([])

    assert (live_table.snapshot.notices, live_table.snapshot.unattended) == ((), "")
