"""The table: what it does with commands, and what it shows."""

from __future__ import annotations

import json
from threading import Thread

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MovedOn, Sight, Status
from companion.ports.ring import RingState, RingView
from tests.companion.live_table import HOST, Evening


def test_an_empty_table_shows_nothing(evening: Evening) -> None:
    """Table: without a game there is no status, version 0, and nothing can be done."""
    assert evening.sight.status is Status.NONE
    assert evening.sight.version == 0
    assert evening.table.order() is None
    assert evening.table.history() == ()
    with pytest.raises(Refused, match="no game"):
        evening.do("stop")
    with pytest.raises(Malformed, match="no game"):
        evening.table.record()


@pytest.mark.parametrize("wrong", [{"game": "chess"}, {"game": None}, {"game": ["toy"]}, {"players": []}])
def test_a_bad_header_opens_nothing(evening: Evening, wrong: dict[str, object]) -> None:
    """Table: a header that its game does not understand is refused, and nothing is written."""
    with pytest.raises(Malformed):
        evening.open(**wrong)

    assert evening.sight.status is Status.NONE
    assert evening.ledger.last == 0


def test_a_command_changes_the_game_and_the_version(evening: Evening) -> None:
    """Table: a command that the rules allow is done, recorded and shown, and answers the new version."""
    evening.open()
    before = evening.sight.version

    version = evening.table.do({"do": "score", "player": "red", "points": 3}, HOST, before)

    assert version == evening.sight.version > before
    assert evening.view["scores"] == {"red": 3, "blue": 0}
    (told,) = evening.sight.recent
    assert (told.line, told.who, told.via) == ({"do": "score", "player": "red", "points": 3}, "host", "tablet")


def test_a_restart_resumes_the_same_game(evening: Evening) -> None:
    """Table: after a restart everything stands as it stood."""
    evening.open().score(3).dig().slide("blue").slide(None)
    before = evening.sight

    evening.restart()

    assert evening.running == before


def test_a_page_that_is_too_old_is_refused(evening: Evening) -> None:
    """Table: a command from a page that shows an older game is refused, and so is one from the future."""
    old = evening.open().sight.version
    evening.score()

    for version in (old, evening.sight.version + 1):
        with pytest.raises(MovedOn) as moved:
            evening.table.do({"do": "skip", "player": "blue"}, HOST, version)
        assert moved.value.version == evening.sight.version


def test_a_notice_leaves_an_older_page_its_say(evening: Evening) -> None:
    """Table: a notice makes a new version to look at, but a command from the page before it still counts."""
    old = evening.open().sight.version
    evening.slide("red", token=0)
    assert evening.sight.version > old

    evening.table.do({"do": "skip", "player": "red"}, HOST, old)

    assert evening.view["turn"] == 1


def test_refusals_change_nothing(evening: Evening) -> None:
    """Table: what the rules or the format refuse leaves no trace."""
    evening.open()
    before, last = evening.sight, evening.ledger.last

    with pytest.raises(Refused):
        evening.do("skip", player="blue")
    with pytest.raises(Malformed):
        evening.do("dance")
    with pytest.raises(Malformed):
        evening.table.do({}, HOST)

    assert evening.sight == before
    assert evening.ledger.last == last


def test_what_a_line_says_beside_its_command_is_kept_apart(evening: Evening) -> None:
    """Table: a note is kept with its line; time and hand are the table's to say."""
    evening.open()

    evening.table.do({"do": "skip", "player": "red", "note": "thinking", "at": 5, "via": "ring"}, HOST)

    assert evening.lines() == [{"do": "skip", "player": "red", "at": 0, "via": "tablet", "note": "thinking"}]


def test_the_companion_does_by_itself_what_leaves_no_choice(evening: Evening) -> None:
    """Table: after a command the companion adds what the game does by itself, in its own name."""
    evening.open(bag={"red": 1, "blue": 1}).dig(2).draw("red")

    assert [(line["do"], line["via"]) for line in evening.lines()][-2:] == [("draw", "tablet"), ("draw", "companion")]
    assert evening.view["turn"] == 1


def test_the_companion_plays_for_who_has_left(evening: Evening) -> None:
    """Table: a player who left is played for by the idlest line, until they return."""
    evening.open()

    evening.table.left("blue", HOST)
    evening.score().score()
    assert evening.sight.absent == {"blue"}
    assert evening.deeds() == ["score", "skip", "score", "skip"]

    evening.table.returned("blue", HOST)
    evening.score()
    assert evening.deeds()[-1] == "score"
    assert evening.sight.state.mover == "blue"


def test_leaving_twice_or_by_nobody_is_refused(evening: Evening) -> None:
    """Table: only a player who is there can leave, only one who left can return."""
    evening.open()
    with pytest.raises(Malformed):
        evening.table.left("green", HOST)
    with pytest.raises(Refused):
        evening.table.returned("blue", HOST)
    evening.table.left("blue", HOST)
    with pytest.raises(Refused):
        evening.table.left("blue", HOST)


def test_a_paused_game_takes_no_lines(evening: Evening) -> None:
    """Table: while a game is paused nothing is done in it, across a restart too, until it goes on."""
    evening.open().dig()
    evening.table.pause(HOST)
    evening.restart()

    assert evening.sight.status is Status.PAUSED
    assert evening.table.order() is None
    for deed in (lambda: evening.draw("red"), evening.undo, lambda: evening.table.pause(HOST)):
        with pytest.raises(Refused):
            deed()

    evening.table.resume(HOST)
    evening.draw("red")
    assert evening.view["left"] == 1


def test_a_game_is_given_up_with_a_reason(evening: Evening) -> None:
    """Table: an abandoned game says why, takes no lines, and can be taken up again."""
    evening.open()
    with pytest.raises(Refused, match="why"):
        evening.table.abandon(" ", HOST)

    evening.table.abandon("the dog ate the board", HOST)

    assert evening.sight.status is Status.ABANDONED
    assert evening.table.games()[0].reason == "the dog ate the board"
    with pytest.raises(Refused):
        evening.score()
    evening.table.resume(HOST)
    assert evening.score().sight.status is Status.LIVE


def test_a_finished_game_can_still_be_taken_back(evening: Evening) -> None:
    """Table: the end shows as finished; an undo makes the game live again."""
    evening.open(goal=3).score(3)
    assert (evening.sight.status, evening.table.games()[0].status) == (Status.FINISHED, Status.FINISHED)

    evening.undo()

    assert (evening.sight.status, evening.table.games()[0].status) == (Status.LIVE, Status.LIVE)


def test_recent_lines_are_few_and_newest_first(evening: Evening) -> None:
    """Table: the sight holds the last dozen lines, however many there are."""
    evening.open()
    for points in range(30):
        evening.score(points)

    assert [told.line["points"] for told in evening.sight.recent] == list(range(29, 17, -1))


def test_history_is_leafed_through(evening: Evening) -> None:
    """Table: history comes in pages, newest first, taken back lines among them with why."""
    evening.open()
    for points in range(10):
        evening.score(points)
    evening.undo("slip")

    first = evening.table.history(most=4)
    second = evening.table.history(before=first[-1].id, most=20)

    assert [told.line["points"] for told in (*first, *second)] == list(range(9, -1, -1))
    assert [(told.undone, told.note) for told in first[:2]] == [(True, "slip"), (False, "")]


def test_subscribers_are_told_what_is_committed(evening: Evening) -> None:
    """Table: whoever subscribed hears each new sight once it is in the ledger, and nothing after the end of it."""
    kept: list[tuple[int, int]] = []

    def look(sight: Sight) -> None:
        kept.append((sight.version, evening.ledger.newest().id))  # type: ignore[union-attr]

    end = evening.table.subscribe(look)
    evening.open().score()
    end()
    evening.score()

    assert kept == [(1, 2), (3, 4)]


def test_a_refusal_tells_nobody(evening: Evening) -> None:
    """Table: what changed nothing is told to nobody."""
    told: list[Sight] = []
    evening.open().table.subscribe(told.append)

    with pytest.raises(Refused):
        evening.do("stop")

    assert told == []


def test_the_ring_shows_without_a_new_version(evening: Evening) -> None:
    """Table: a ring that looks different is shown and told apart from the game."""
    views: list[RingView] = []
    version = evening.open().sight.version
    evening.table.subscribe_ring(views.append)

    evening.table.ring_changed(RingView(RingState.LIVE, port="here"))

    assert views == [evening.sight.ring] == [RingView(RingState.LIVE, port="here")]
    assert evening.sight.version == version
    assert evening.score().sight.ring.port == "here"


def test_many_threads_make_one_story(evening: Evening) -> None:
    """Table: commands from several threads at once happen one after another, and each is told in order."""
    versions: list[int] = []
    evening.open().table.subscribe(lambda sight: versions.append(sight.version))

    def fix() -> None:
        for count in range(20):
            evening.do("fix", colour="red", count=count)

    threads = [Thread(target=fix) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert evening.deeds() == ["fix"] * 80
    assert versions == sorted(versions)
    assert versions[-1] == evening.sight.version
    assert evening.restart().deeds() == ["fix"] * 80


def test_names_may_hold_anything(evening: Evening) -> None:
    """Table: a name may hold any text, half a surrogate pair too, and comes back the same."""
    odd = "Zo\u00eb \ud83d \U0001f680\u0000"
    evening.open(players=[{"colour": "red", "name": odd}, {"colour": "blue", "name": "Ben"}])

    evening.restart()

    assert evening.sight.header is not None
    assert evening.sight.header["players"][0]["name"] == odd
    assert json.loads(json.dumps(list(evening.table.record())))[0]["players"][0]["name"] == odd
