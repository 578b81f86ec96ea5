"""Ring draws: what a passage does to the game, and when a person is asked."""

from __future__ import annotations

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MovedOn
from companion.ports.ring import RingEventKind, RingView
from companion.session.commands import Answer, Pause
from companion.session.line_reducer import DEPTH
from tests.companion.live_table import HOST, LiveTable


def test_a_sure_passage_is_the_draw(live_table: LiveTable) -> None:
    """Ring draws: a passage whose colour is certain, under the current arming, becomes a draw of the source `ring`."""
    live_table.open().dig().slide("blue")

    assert live_table.view["bag"] == {"red": 3, "blue": 2, "green": 2}
    assert (live_table.lines()[-1]["do"], live_table.lines()[-1]["via"]) == ("draw", "ring")


def test_a_simulated_ring_says_so(live_table: LiveTable) -> None:
    """Ring draws: draws of a simulated ring have the source `virtual`."""
    live_table.open().dig().table.ring_changed(RingView(simulated=True))

    assert live_table.slide("blue").lines()[-1]["via"] == "virtual"


def test_an_event_counts_once(live_table: LiveTable) -> None:
    """Ring draws: a repeated event is acknowledged and changes nothing, even after a restart."""
    live_table.open().dig()
    event = live_table.event(RingEventKind.OUT, "blue")

    live_table.table.heard(event)
    live_table.table.heard(event)
    live_table.restart().table.heard(event)

    assert live_table.view["left"] == 1
    assert live_table.deeds() == ["dig", "draw"]


def test_a_second_station_in_the_same_slide_is_the_next_draw(live_table: LiveTable) -> None:
    """Ring draws: a second station in the same slide is the next draw, or surplus if the attempt is over."""
    live_table.open().dig(2)
    token = live_table.token()

    live_table.slide("red").slide("blue", token).slide("green", token)

    assert live_table.deeds() == ["dig", "draw", "draw"]
    assert live_table.notices == ["surplus"]
    assert live_table.view["bag"]["green"] == 2


def test_the_token_outlives_draws_of_the_ring_and_a_restart(live_table: LiveTable) -> None:
    """Ring draws: all draws of an attempt have the same token, even after a restart."""
    token = live_table.open().dig(3).token()

    assert live_table.slide("red").token() == token
    assert live_table.restart().token() == token
    assert live_table.slide("red", token).view["left"] == 1


def test_a_typed_draw_arms_anew(live_table: LiveTable) -> None:
    """Ring draws: after a draw is typed in, the ring gets a new token."""
    token = live_table.open().dig(3).token()

    assert live_table.draw("red").token() > token
    assert live_table.table.order().under == {"red": 2, "blue": 3, "green": 2}  # type: ignore[union-attr]


def test_the_ring_is_disarmed_without_an_attempt(live_table: LiveTable) -> None:
    """Ring draws: without an attempt, or while the game is paused, the ring is not armed."""
    assert live_table.open().table.order() is None
    live_table.dig()
    assert live_table.table.order() is not None
    live_table.table.execute(Pause(), HOST)
    assert live_table.table.order() is None


def test_practice_is_logged_and_changes_nothing(live_table: LiveTable) -> None:
    """Ring draws: a station that comes out when no draw is expected is practice: a raw row and a notice, no line."""
    live_table.slide("red")
    assert live_table.notices == ["practice"]
    live_table.open().slide("red")
    assert live_table.notices == ["practice"]
    live_table.dig().slide("red", token=0)
    live_table.table.execute(Pause(), HOST)
    live_table.slide("red", token=3)

    assert live_table.notices == ["practice"] * 3
    assert live_table.deeds() == ["dig"]
    kept = live_table.ledger._connection.execute("SELECT count(*) FROM row WHERE kind = 'ring'")
    assert kept.fetchone() == (4,)


def test_an_unsure_colour_is_asked(live_table: LiveTable) -> None:
    """Ring draws: for an uncertain colour, a question offers the likeliest first, and the answer becomes the draw."""
    live_table.open().dig().slide(None, ranking=(("blue", 0.6), ("red", 0.4)))

    assert live_table.question.kind == "unsure"
    assert [colour for colour, _ in live_table.question.offered] == ["blue", "red", "green"]
    assert live_table.view["left"] == 2

    live_table.answer("red")
    assert live_table.view["bag"]["red"] == 2
    assert (live_table.lines()[-1]["via"], live_table.snapshot.recent[0].ring is not None) == ("tablet", True)


def test_without_a_judge_the_numbers_under_the_ring_are_offered(live_table: LiveTable) -> None:
    """Ring draws: without a ranking, colours are offered according to their numbers under the ring."""
    live_table.open(bag={"red": 1, "blue": 3, "green": 0}).dig().slide(None)

    assert live_table.question.offered == (("blue", 0.75), ("red", 0.25))


def test_a_question_survives_a_restart(live_table: LiveTable) -> None:
    """Ring draws: an open question is still open after a restart."""
    live_table.open().dig().slide(None)
    question = live_table.question

    assert live_table.restart().question == question


def test_a_colour_that_cannot_be_there_is_flagged(live_table: LiveTable) -> None:
    """Ring draws: a colour that is not under the ring becomes a question, not a draw."""
    live_table.open().dig().slide("white")

    assert live_table.question.kind == "foreign"
    assert live_table.view["left"] == 2
    assert live_table.answer("green").view["bag"]["green"] == 1


def test_not_a_draw_closes_a_question(live_table: LiveTable) -> None:
    """Ring draws: the answer "not a draw" adds no line, and the ring gets a new token."""
    token = live_table.open().dig().token()

    live_table.slide(None).answer("not a draw")

    assert live_table.deeds() == ["dig"]
    assert live_table.snapshot.questions == ()
    assert live_table.token() != token
    assert live_table.slide("green").deeds() == ["dig", "draw"]


def test_what_waits_behind_no_draw_keeps_its_token(live_table: LiveTable) -> None:
    """Ring draws: after "not a draw", a waiting passage of the same arming becomes the draw."""
    token = live_table.open().dig().token()

    live_table.slide(None).slide("green", token).answer("not a draw")

    assert live_table.deeds() == ["dig", "draw"]
    assert live_table.snapshot.questions == ()


def test_a_slide_that_arrives_whole_is_one_commit(live_table: LiveTable) -> None:
    """Ring draws: several events that arrive together are stored in order, in one commit with one notification."""
    token = live_table.open().dig().token()
    kinds = (RingEventKind.GATE, RingEventKind.OUT, RingEventKind.GATE)
    slide = [live_table.event(kind, "green" if kind is RingEventKind.OUT else None, token) for kind in kinds]
    told: list[int] = []
    live_table.table.subscribe(lambda snapshot: told.append(snapshot.version))

    live_table.table.heard(*slide)
    live_table.table.heard(*slide)

    assert live_table.deeds() == ["dig", "draw"]
    assert len(told) == 1


def test_later_passages_wait_for_the_question(live_table: LiveTable) -> None:
    """Ring draws: passages that come after an open question wait for its answer, to keep their order."""
    token = live_table.open().dig(2).token()

    live_table.slide(None).slide("blue", token).slide("red", token)
    assert live_table.deeds() == ["dig"]

    live_table.restart().answer("green")
    assert [line.get("colour") for line in live_table.lines()] == [None, "green", "blue"]
    assert live_table.notices == ["surplus"]


def test_answers_must_fit_the_question(live_table: LiveTable) -> None:
    """Ring draws: an invalid answer, or one to another question, is refused and changes nothing."""
    live_table.open().dig().slide(None)
    before = live_table.snapshot

    with pytest.raises(Refused):
        live_table.answer("white")
    with pytest.raises(Malformed):
        live_table.answer("same")
    with pytest.raises(MovedOn):
        live_table.table.execute(Answer(before.questions[0].id + 1, "red"), HOST)

    assert live_table.snapshot == before
    live_table.answer("red")
    with pytest.raises(MovedOn):
        live_table.table.execute(Answer(before.questions[0].id, "red"), HOST)


def test_a_late_station_may_be_the_one_that_was_typed(live_table: LiveTable) -> None:
    """Ring draws: a passage that arrives after its draw was typed in can be answered as the same draw."""
    token = live_table.open().dig(2).token()
    live_table.draw("red").slide("red", token)

    assert live_table.question.kind == "late"
    live_table.answer("same")
    assert live_table.deeds() == ["dig", "draw"]


def test_a_late_station_may_be_another_one(live_table: LiveTable) -> None:
    """Ring draws: a late passage that is answered as another station is the next draw."""
    token = live_table.open().dig(2).token()

    live_table.draw("red").slide("blue", token).answer("blue")

    assert [line.get("colour") for line in live_table.lines()[1:]] == ["red", "blue"]


def test_a_late_station_after_the_end_can_only_be_typed_or_none(live_table: LiveTable) -> None:
    """Ring draws: if typed draws ended the attempt, a late passage cannot be answered as another draw."""
    token = live_table.open().dig(1).token()
    live_table.draw("red").slide("red", token)

    assert (live_table.question.kind, live_table.question.offered) == ("late", ())
    with pytest.raises(Refused):
        live_table.answer("red")
    assert live_table.answer("same").deeds() == ["dig", "draw"]


def test_typing_a_draw_over_an_open_question_turns_it_late(live_table: LiveTable) -> None:
    """Ring draws: typing in a draw while a question is open turns the question into one about a late station."""
    live_table.open().dig(2).slide(None).draw("red")

    assert live_table.question.kind == "late"
    assert live_table.answer("same").view["left"] == 1


def test_a_question_goes_with_its_attempt(live_table: LiveTable) -> None:
    """Ring draws: if the attempt is stopped, its open question is closed as surplus."""
    live_table.open().dig(2).slide(None).do("stop")

    assert live_table.snapshot.questions == ()
    assert live_table.notices == ["surplus"]


def test_a_station_from_before_a_correction_is_asked(live_table: LiveTable) -> None:
    """Ring draws: after a correction, a passage of the earlier arming becomes a question."""
    token = live_table.open().dig(2).token()
    live_table.do("fix", colour="green", count=1).slide("red", token)

    assert live_table.question.kind == "unsure"
    assert live_table.answer("red").view["left"] == 1


def test_a_token_of_another_game_is_practice(live_table: LiveTable) -> None:
    """Ring draws: a passage with a token of another game is practice."""
    token = live_table.open().dig().token()

    live_table.open().dig().slide("red", token)

    assert live_table.notices == ["practice"]
    assert live_table.view["left"] == 2


def test_two_at_once_are_asked_and_cast(live_table: LiveTable) -> None:
    """Ring draws: after two stations at once a person names both, and the table chooses one at random."""
    live_table.open(bag={"red": 1, "blue": 2}).dig(2).pair()
    assert live_table.question.kind == "pair"
    assert {chosen for chosen, _ in live_table.question.offered} == {"red+blue", "blue+blue"}

    for wrong in ("red", "red+", "red+blue+blue"):
        with pytest.raises(Malformed):
            live_table.answer(wrong)
    live_table.answer("red+blue")

    line = live_table.lines()[1]
    assert (line["do"], line["colours"]) == ("double", ["red", "blue"])
    assert line["out"] in ("red", "blue")


def test_two_at_once_may_be_none(live_table: LiveTable) -> None:
    """Ring draws: the question about two stations can be answered as "not a draw"."""
    assert live_table.open().dig().pair().answer("not a draw").deeds() == ["dig"]


def test_faults_are_shown_and_kept_raw(live_table: LiveTable) -> None:
    """Ring draws: a fault gives a notice, and a move of the gate only a raw row."""
    version = live_table.open().snapshot.version
    live_table.table.heard(live_table.event(RingEventKind.GATE, position="open"))
    assert live_table.snapshot.version == version

    live_table.table.heard(live_table.event(RingEventKind.STUCK))
    live_table.table.heard(live_table.event(RingEventKind.FAULT, fault="sensor-missing"))
    live_table.table.heard(live_table.event(RingEventKind.FAULT, fault="hiccups"))

    assert live_table.notices == ["hiccups", "sensor-missing", "stuck"]
    assert all(notice.text for notice in live_table.snapshot.notices)
    assert live_table.restart().notices == ["hiccups", "sensor-missing", "stuck"]


def test_a_ring_that_starts_anew_is_told_during_an_attempt(live_table: LiveTable) -> None:
    """Ring draws: if the ring restarts during an attempt, a notice says so, since it may have missed a draw."""
    live_table.open().table.heard(live_table.event(RingEventKind.BOOT))
    assert live_table.notices == []

    live_table.dig().table.heard(live_table.event(RingEventKind.BOOT))
    assert live_table.notices == ["device-restarted"]


def test_a_ring_that_is_lifted_is_told_during_an_attempt(live_table: LiveTable) -> None:
    """Ring draws: if the ring is lifted during an attempt, a notice says so, since stations may have moved."""
    live_table.open().table.heard(live_table.event(RingEventKind.LIFT, lifted=True))
    assert live_table.notices == []

    live_table.dig().table.heard(
        live_table.event(RingEventKind.LIFT, lifted=True), live_table.event(RingEventKind.LIFT, lifted=False)
    )
    assert live_table.notices == ["lifted"]


def test_notices_grow_old(live_table: LiveTable) -> None:
    """Ring draws: a notice disappears after two minutes."""
    live_table.open().slide("red").later(130).score()

    assert live_table.notices == []


def test_a_raw_event_is_kept_whole(live_table: LiveTable) -> None:
    """Ring draws: token, device clock, raw lines and detail are stored, so that a passage can be judged again."""
    live_table.open().dig()
    event = live_table.event(RingEventKind.OUT, None, ranking=(("red", 0.5), ("blue", 0.4)), frames=[1, 2])
    live_table.table.heard(event)

    row = live_table.ledger.row(live_table.question.id)

    assert row is not None
    assert row.source == ("ring-1", "boot-1", 1)
    assert row.body == {
        "at_us": 1000,
        "token": live_table.token(),
        "raw": ["raw"],
        "detail": {"frames": [1, 2]},
    }
    judged = live_table.ledger.judged(row.id)
    assert judged is not None
    assert (judged.body["colour"], judged.body["ranking"]) == (None, [["red", 0.5], ["blue", 0.4]])


def test_a_late_station_is_no_draw_of_a_later_attempt(live_table: LiveTable) -> None:
    """Ring draws: a late station of an attempt that was typed in is not offered as a draw of the next attempt."""
    token = live_table.open().dig(1).token()
    live_table.draw("red").dig(2).slide("blue", token)

    assert (live_table.question.kind, live_table.question.offered) == ("late", ())


def test_an_attempt_that_is_gone_back_to_is_still_the_same(live_table: LiveTable) -> None:
    """Ring draws: if undo reopens an attempt, its passages become questions, even after a restart."""
    token = live_table.open().dig(1).token()
    live_table.slide("red").undo("knocked over").restart().slide("blue", token)

    assert live_table.question.kind == "unsure"
    assert live_table.answer("blue").view["bag"]["blue"] == 2


def test_a_deep_undo_knows_its_attempts(live_table: LiveTable) -> None:
    """Ring draws: an attempt that undo reopens is recognised even if it is no longer in memory."""
    live_table.open().dig(1).draw("red")
    for _ in range(DEPTH + 1):
        live_table.score()
    for _ in range(DEPTH + 2):
        live_table.undo()

    assert live_table.snapshot.state.left == 1
    assert live_table.slide("blue").view["bag"] == {"red": 3, "blue": 2, "green": 2}
