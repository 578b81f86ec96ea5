"""Face-down cards: no address shows one until the 3-2-1 countdown is over, whatever happens to the clock."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from companion.model.capabilities import Viewer
from companion.session.commands import Hold, Pause, Resume, SetPace, Switch, Undo
from companion.session.hidden import clock_now, seen_by, seen_moves, seen_now, seen_partial, seen_stored
from tests.web.games.andromeda.room import HOST, Room, header_for
from web.components.replay_steps import begun

CARDS = {"blue": "p2", "green": "p3", "yellow": "silver"}
ADDRESSES = (
    *("/table", "/help?ask", "/table/undo", "/help", "/table/board", "/screen", "/api/v1/state"),
    *("/api/v1/answers", "/api/v1/table", "/api/v1/utterances?after=0&words=all", "/games/1/replay?undone=1"),
    *("/games/1/replay", "/games/1/replay/step", "/games/1/so-far", "/games/1/replay.html"),
)


@pytest.fixture
def laid(room: Room) -> Room:
    """All have answered Ana's card, and the countdown runs; Dora's card is a credit."""
    room.in_trading()
    room.do("correct", player="yellow", reason="counted", bonus={"silver": 1})
    room.do("lay", player="red", card="p1")
    for colour, card in CARDS.items():
        room.do("lay", player=colour, card=card)
    return room


def named(room: Room) -> dict[str, list[str]]:
    """Return, for each URL, the face-down cards that its page names."""
    labels = [room.state.setting.board.planet(card).label for card in ("p2", "p3")]
    tells = [f"plays a {label} card" for label in labels] + [
        f"Ben: {labels[0]}",
        f"Cem: {labels[1]}",
        "a silver credit",
    ]
    found = {}
    for address in ADDRESSES:
        body = room.app.test_client().get(address).get_data(as_text=True)
        if address == "/api/v1/state":
            body = json.dumps({**json.loads(body), "bonus_supply": None, "players": None})
        if there := [tell for tell in tells if tell in body]:
            found[address] = there
    return found


def test_nobody_is_told_a_card_before_zero(laid: Room) -> None:
    """Countdown: visitors see no card at any address before it ends, and all of them afterwards."""
    before = named(laid)
    laid.wait(2.9)
    at_one = named(laid)

    assert (before, at_one) == ({}, {})
    assert {"/help?ask", "/api/v1/answers", "/games/1/replay"} <= named(laid.wait(0.2)).keys()


@pytest.mark.parametrize("stops", [Pause(), Hold()])
def test_a_clock_that_stands_shows_no_card(laid: Room, stops: Pause | Hold) -> None:
    """Countdown: if somebody stops it, no card is shown, however long it stays stopped."""
    laid.wait(1).table.execute(stops, HOST)

    assert named(laid.wait(3600)) == {}


def test_a_card_that_is_taken_back_is_named_nowhere(laid: Room) -> None:
    """Undo: the last card goes back unseen and another one is played; history, answers and replay name neither."""
    laid.table.execute(Pause(), HOST)
    laid.table.execute(Resume(), HOST)
    laid.table.execute(Undo(), HOST)
    laid.do("lay", player="yellow", card="p5")

    assert named(laid) == {}
    assert not any("a silver credit" in tells for tells in named(laid.wait(4)).values())


def test_a_game_that_was_put_aside_in_between_shows_nothing(laid: Room) -> None:
    """Cards that were face down when a game was put away are hidden in its replay, too."""
    labels = [laid.state.setting.board.planet(card).label for card in ("p2", "p3")]
    laid.table.open(header_for(4), HOST)

    pages = [laid.look("/games/1/replay").text, laid.look("/games/1/so-far").text]

    assert not any(f"plays a {label} card" in page for label in labels for page in pages)
    shared = seen_stored(laid.table.archive, 1, begun_in(laid))
    assert shared.at(len(shared)).line is not None
    assert shared.at(len(shared)).line.line["card"] is None  # type: ignore[union-attr]
    laid.table.execute(Switch(1), HOST)


def begun_in(room: Room) -> Callable[..., object]:
    """Return a function that starts a timeline as a page of *room* does."""

    def begin(*given: object) -> object:
        with room.app.test_request_context("/"):
            return begun(*given)  # type: ignore[arg-type]

    return begin


def test_a_seat_sees_its_own_card_and_no_other(laid: Room) -> None:
    """Viewers: the owner of a face-down card sees it; other seats and the table only see that there is one."""
    own, other, everybody = (
        seen_by(laid.snapshot, Viewer(seat)).state.trading.sets for seat in ("blue", "green", None)
    )

    assert own["blue"] == ("p2",)
    assert other["blue"] == everybody["blue"] == ("face down",)
    assert own["red"] == everybody["red"] == ("p1",)
    assert seen_by(laid.snapshot, Viewer(owner=True)).state == laid.state


def test_a_credit_is_known_while_it_lies_open(laid: Room) -> None:
    """Viewers: others see the revealed credits, and only the size of a hand."""
    before = seen_by(laid.snapshot, Viewer("blue")).state.players["yellow"]
    after = seen_by(laid.wait(4).snapshot, Viewer("blue")).state.players["yellow"]

    assert (before.credits, after.credits) == ((0, 0, 0, 0), (1, 0, 0, 0))
    assert before.hand == after.hand == laid.state.players["yellow"].hand


def test_a_table_without_three_two_one_turns_over_with_the_last_card(room: Room) -> None:
    """Pace: without a countdown, the cards are revealed as soon as all have played."""
    room.in_trading().table.execute(SetPace(room.snapshot.pace.changed({"reveal": False}).line()), HOST)
    room.do("lay", player="red", card="p1").do("lay", player="blue", card="p2").do("lay", player="green", card="p3")
    before = named(room)
    room.do("lay", player="yellow", card="p4")

    assert before == {}
    assert "/help?ask" in named(room)


def test_corrected_credits_stay_hidden(room: Room) -> None:
    """History: a correction of credits is reported, but only their owner sees which kind."""
    room.in_trading().do("correct", player="red", reason="counted", bonus={"silver": 1})

    text = room.app.test_client().get("/games/1/replay").get_data(as_text=True)

    assert "Ana: credits corrected" in text
    assert seen_by(room.snapshot, Viewer("red")).recent[0].line["bonus"] == {"silver": 1}
    assert seen_by(room.snapshot, Viewer("blue")).recent[0].line["bonus"] == {}


@pytest.mark.parametrize("then", ["laid", "taken back"])
def test_a_page_that_is_made_while_a_card_is_laid_or_taken_back_names_none(laid: Room, then: str) -> None:
    """Races: if game and clock were read at different moments, the newest cards count as face down."""
    if then == "laid":
        laid.table.execute(Undo(), HOST)
    timeline, moves, found = (
        laid.table.archive.timeline(1, begun_in(laid)),
        laid.table.archive.moves(),
        laid.table.archive.partial(1),
    )
    clock = clock_now(laid.snapshot)
    if then == "laid":
        laid.do("lay", player="yellow", card="p4")
        timeline, moves, found = (
            laid.table.archive.timeline(1, begun_in(laid)),
            laid.table.archive.moves(),
            laid.table.archive.partial(1),
        )
    else:
        laid.table.execute(Undo(), HOST)
        clock = clock_now(laid.snapshot)

    through = seen_now(timeline, lambda: clock)
    lines = [
        through.at(len(through)).line,
        *(move.line for move in seen_moves(moves, laid.snapshot.game, clock, Viewer())),
    ]
    lines += seen_partial(found, clock, Viewer()).snapshot.recent

    assert {line.line["card"] for line in lines if line and line.line["do"] == "lay"} == {"p1", None}
