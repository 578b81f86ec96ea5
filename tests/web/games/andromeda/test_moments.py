"""The large picture of a result: each kind of result has its own picture, and other lines have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.session.commands import Undo
from tests.web.games.andromeda.room import HOST, Room
from web.components.result_stage import ResultMoment


def moment(room: Room) -> ResultMoment | None:
    """Return the first moment that covers the current page, or None."""
    shown: tuple[ResultMoment, ...] = room.scene()["moments"]
    return shown[0] if shown else None


def of(room: Room) -> ResultMoment:
    """Return the moment that the current page shows large; there must be one."""
    shown = moment(room)
    assert shown is not None
    return shown


def test_a_centre_names_its_winner_its_value_and_the_score(room: Room) -> None:
    """Won: the moment shows Ana, the 9, and her new score."""
    room.in_actions().attempt(cards=4).do("draw", colour="red")

    shown = of(room)

    assert (shown.kind, shown.words, shown.value) == ("won", "Ana", 9)
    assert shown.gain is not None
    assert (shown.gain.changed, shown.gain.total - shown.gain.before) == ("+9", 9)


def test_a_stranger_gains_a_point_and_draws_are_left(room: Room) -> None:
    """The moment of a station that returns to Earth shows a point for its owner."""
    room.in_actions().attempt().do("draw", colour="blue")

    shown = of(room)

    assert (shown.kind, shown.words, shown.small) == ("home", "Ben", "2 draws left")
    assert shown.gain is not None
    assert shown.gain.changed == "+1"


def test_the_last_stranger_says_which_centre_was_missed(room: Room) -> None:
    """No centre: the moment names the player of the attempt, and says that the centre is still free."""
    room.in_actions().attempt(cards=4).do("draw", colour="blue").do("draw", colour="green")

    shown = of(room)

    assert (shown.kind, shown.words, shown.missed) == ("miss", "No centre for Ana", 9)
    assert shown.small == "The 9 at Ringworld stays free"
    assert [face.name for face in shown.pieces] == ["Cem"]


def test_an_empty_ring_is_said(room: Room) -> None:
    """After the last station has left, the moment says that the ring is empty, so the other draws cannot be made."""
    room.in_actions().attempt()
    for colour, kept in (("red", 0), ("blue", 1), ("green", 0), ("yellow", 0)):
        move = {"from": "p1", "to": "earth", "count": room.state.players[colour].on("p1") - kept}
        room.do("correct", player=colour, reason="x", move=move)
    room.do("draw", colour="blue")

    assert (of(room).words, of(room).small) == ("No centre for Ana", "The ring is empty.")
    assert "The ring is empty." in room.look().text


def test_surplus_goes_back(room: Room) -> None:
    """A station that comes out after the last draw is shown as put back, even if the attempt was won."""
    room.in_actions().attempt(cards=4)
    order = room.table.order()
    assert order is not None
    room.out("red").hear_late("blue", order.token)

    shown = of(room)

    assert shown.kind == "back"
    assert "came out after the last draw" in shown.small


def test_two_that_go_back_use_no_draw(rooms: Callable[..., Room]) -> None:
    """At a table that draws again after a double exit, both stations are shown as put back."""
    room = rooms(double_exit="redo").in_actions().attempt()
    room.do("double_exit", colours=["blue", "green"])

    shown = of(room)

    assert (shown.kind, [face.name for face in shown.pieces]) == ("back", ["Ben", "Cem"])


def filled(room: Room, *planets: str) -> Room:
    """Bring *room* to its actions with all centres of *planets* taken, except the best one of p1."""
    room.in_actions()
    for planet in planets:
        for at in range(3):
            colour = ("blue", "green", "yellow")[at]
            if (planet, at) != ("p1", 0):
                room.do("correct", player=colour, reason="x", move={"from": planet, "to": f"{planet}/{at}", "count": 1})
    return room


def shown_after(room: Room) -> dict[str, Any]:
    """Return the moments that the current page shows large, by kind, in their order."""
    return {one.kind: one for one in room.scene()["moments"]}


def test_a_full_planet_has_a_moment_of_its_own(room: Room) -> None:
    """After the winning draw, a second one says that the planet is full, and how many more begin the last round."""
    filled(room, "p1", "p2").attempt(cards=4).do("draw", colour="red")

    shown = shown_after(room)

    assert list(shown) == ["won", "full"]
    assert shown["full"].words == "Ringworld is full"
    assert shown["full"].small == "1 more full planet, then the last round"
    assert [face.name for _, face in shown["full"].slots][-1] == "Ana"
    assert (shown["full"].full, shown["full"].at) == (2, shown["won"].at)


def test_the_third_full_planet_begins_the_last_round(room: Room) -> None:
    """The moment of the last round shows the full planets, and everybody who still plays."""
    filled(room, "p1", "p2", "p3").attempt(cards=4).do("draw", colour="red")

    shown = shown_after(room)

    assert list(shown) == ["won", "full", "last"]
    assert (shown["last"].words, shown["last"].small) == ("Last round", "Ringworld is the third full planet")
    assert [planet.symbol for planet in shown["last"].planets] == ["p1", "p2", "p3"]
    assert [face.name for face in shown["last"].still] == ["Ana", "Ben", "Cem", "Dora"]


def test_the_end_shows_all_columns_and_the_winner(room: Room) -> None:
    """The winner's moment has columns in seat order with credits on top; a later correction doesn't show it again."""
    filled(room, "p1", "p2", "p3").attempt(cards=4).do("draw", colour="red")
    for colour in ("red", "blue", "green", "yellow"):
        room.do("end_turn", player=colour)

    shown = shown_after(room)

    assert list(shown) == ["winner"]
    assert [one.face.name for one in shown["winner"].columns] == ["Ana", "Ben", "Cem", "Dora"]
    best = max(shown["winner"].columns, key=lambda one: one.total)
    assert shown["winner"].words == f"{best.face.name} wins with {best.total}"
    room.do("correct", player="blue", reason="x", hand=3)
    assert not shown_after(room)


def test_what_is_taken_back_or_corrected_is_no_moment(room: Room) -> None:
    """Undo and corrections are not shown large."""
    room.in_actions().attempt().do("draw", colour="blue")
    first = of(room).at
    room.do("draw", colour="green").table.execute(Undo(), HOST)

    assert of(room).at == first
    assert of(room).at < room.snapshot.version
    room.do("correct", player="blue", reason="x", hand=3)
    assert moment(room) is None
