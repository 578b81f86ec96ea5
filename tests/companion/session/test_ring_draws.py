"""Ring draws: what a passage does to the game, and when a person is asked."""

from __future__ import annotations

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MovedOn
from companion.ports.ring import Kind, RingView
from tests.companion.live_table import HOST, Evening


def test_a_sure_passage_is_the_draw(evening: Evening) -> None:
    """Ring draws: a sure passage of the present arming is the draw, by the ring's hand."""
    evening.open().dig().slide("blue")

    assert evening.view["bag"] == {"red": 3, "blue": 2, "green": 2}
    assert (evening.lines()[-1]["do"], evening.lines()[-1]["via"]) == ("draw", "ring")


def test_a_simulated_ring_says_so(evening: Evening) -> None:
    """Ring draws: what a simulated ring drew is marked as virtual."""
    evening.open().dig().table.ring_changed(RingView(simulated=True))

    assert evening.slide("blue").lines()[-1]["via"] == "virtual"


def test_an_event_counts_once(evening: Evening) -> None:
    """Ring draws: an event that comes again is acknowledged again and changes nothing, after a restart too."""
    evening.open().dig()
    event = evening.event(Kind.OUT, "blue")

    evening.table.heard(event)
    evening.table.heard(event)
    evening.restart().table.heard(event)

    assert evening.view["left"] == 1
    assert evening.deeds() == ["dig", "draw"]


def test_a_second_station_in_the_same_slide_is_the_next_draw(evening: Evening) -> None:
    """Ring draws: while the attempt is open the next station is the next draw; after its end it is surplus."""
    evening.open().dig(2)
    token = evening.token()

    evening.slide("red").slide("blue", token).slide("green", token)

    assert evening.deeds() == ["dig", "draw", "draw"]
    assert evening.notices == ["surplus"]
    assert evening.view["bag"]["green"] == 2


def test_the_token_outlives_draws_of_the_ring_and_a_restart(evening: Evening) -> None:
    """Ring draws: the ring is armed once for all its draws, and for the same after a restart."""
    token = evening.open().dig(3).token()

    assert evening.slide("red").token() == token
    assert evening.restart().token() == token
    assert evening.slide("red", token).view["left"] == 1


def test_a_typed_draw_arms_anew(evening: Evening) -> None:
    """Ring draws: a draw typed in by hand gives the ring a new token."""
    token = evening.open().dig(3).token()

    assert evening.draw("red").token() > token
    assert evening.table.order().under == {"red": 2, "blue": 3, "green": 2}  # type: ignore[union-attr]


def test_the_ring_is_disarmed_without_an_attempt(evening: Evening) -> None:
    """Ring draws: no attempt, no arming; nor while the game is paused."""
    assert evening.open().table.order() is None
    evening.dig()
    assert evening.table.order() is not None
    evening.table.pause(HOST)
    assert evening.table.order() is None


def test_practice_is_logged_and_changes_nothing(evening: Evening) -> None:
    """Ring draws: a station that leaves while no draw is wanted is practice: raw row and notice, no line."""
    evening.slide("red")
    assert evening.notices == ["practice"]
    evening.open().slide("red")
    assert evening.notices == ["practice"]
    evening.dig().slide("red", token=0)
    evening.table.pause(HOST)
    evening.slide("red", token=3)

    assert evening.notices == ["practice"] * 3
    assert evening.deeds() == ["dig"]
    kept = evening.ledger._connection.execute("SELECT count(*) FROM row WHERE kind = 'ring'")
    assert kept.fetchone() == (4,)


def test_an_unsure_colour_is_asked(evening: Evening) -> None:
    """Ring draws: a colour that is not sure is offered, likeliest first, and drawn when somebody says what it was."""
    evening.open().dig().slide(None, ranking=(("blue", 0.6), ("red", 0.4)))

    assert evening.question.kind == "unsure"
    assert [colour for colour, _ in evening.question.offered] == ["blue", "red", "green"]
    assert evening.view["left"] == 2

    evening.answer("red")
    assert evening.view["bag"]["red"] == 2
    assert (evening.lines()[-1]["via"], evening.sight.recent[0].ring is not None) == ("tablet", True)


def test_without_a_judge_the_numbers_under_the_ring_are_offered(evening: Evening) -> None:
    """Ring draws: a passage without any colour offers what lies under the ring by its number."""
    evening.open(bag={"red": 1, "blue": 3, "green": 0}).dig().slide(None)

    assert evening.question.offered == (("blue", 0.75), ("red", 0.25))


def test_a_question_survives_a_restart(evening: Evening) -> None:
    """Ring draws: a question stays open until it is answered, over a restart too."""
    evening.open().dig().slide(None)
    question = evening.question

    assert evening.restart().question == question


def test_a_colour_that_cannot_be_there_is_flagged(evening: Evening) -> None:
    """Ring draws: a colour that does not lie under the ring is never applied silently."""
    evening.open().dig().slide("white")

    assert evening.question.kind == "foreign"
    assert evening.view["left"] == 2
    assert evening.answer("green").view["bag"]["green"] == 1


def test_not_a_draw_closes_a_question(evening: Evening) -> None:
    """Ring draws: what was no draw leaves no line, and the ring is armed anew, since it goes back under it."""
    token = evening.open().dig().token()

    evening.slide(None).answer("not a draw")

    assert evening.deeds() == ["dig"]
    assert evening.sight.questions == ()
    assert evening.token() != token
    assert evening.slide("green").deeds() == ["dig", "draw"]


def test_what_waits_behind_no_draw_keeps_its_token(evening: Evening) -> None:
    """Ring draws: a passage that came under the same arming is still judged, not asked about once more."""
    token = evening.open().dig().token()

    evening.slide(None).slide("green", token).answer("not a draw")

    assert evening.deeds() == ["dig", "draw"]
    assert evening.sight.questions == ()


def test_a_slide_that_arrives_whole_is_one_commit(evening: Evening) -> None:
    """Ring draws: gate, station and gate that come together are kept in order, each once, and told of once."""
    token = evening.open().dig().token()
    kinds = (Kind.GATE, Kind.OUT, Kind.GATE)
    slide = [evening.event(kind, "green" if kind is Kind.OUT else None, token) for kind in kinds]
    told: list[int] = []
    evening.table.subscribe(lambda sight: told.append(sight.version))

    evening.table.heard(*slide)
    evening.table.heard(*slide)

    assert evening.deeds() == ["dig", "draw"]
    assert len(told) == 1


def test_later_passages_wait_for_the_question(evening: Evening) -> None:
    """Ring draws: order matters, so passages after an open question wait until it is answered."""
    token = evening.open().dig(2).token()

    evening.slide(None).slide("blue", token).slide("red", token)
    assert evening.deeds() == ["dig"]

    evening.restart().answer("green")
    assert [line.get("colour") for line in evening.lines()] == [None, "green", "blue"]
    assert evening.notices == ["surplus"]


def test_answers_must_fit_the_question(evening: Evening) -> None:
    """Ring draws: an answer that the rules refuse, or to another question, changes nothing."""
    evening.open().dig().slide(None)
    before = evening.sight

    with pytest.raises(Refused):
        evening.answer("white")
    with pytest.raises(Malformed):
        evening.answer("same")
    with pytest.raises(MovedOn):
        evening.table.answer(before.questions[0].id + 1, "red", HOST)

    assert evening.sight == before
    evening.answer("red")
    with pytest.raises(MovedOn):
        evening.table.answer(before.questions[0].id, "red", HOST)


def test_a_late_station_may_be_the_one_that_was_typed(evening: Evening) -> None:
    """Ring draws: a passage from before draws were typed in is offered: the same one, or another."""
    token = evening.open().dig(2).token()
    evening.draw("red").slide("red", token)

    assert evening.question.kind == "late"
    evening.answer("same")
    assert evening.deeds() == ["dig", "draw"]


def test_a_late_station_may_be_another_one(evening: Evening) -> None:
    """Ring draws: a late passage that is another station is the next draw."""
    token = evening.open().dig(2).token()

    evening.draw("red").slide("blue", token).answer("blue")

    assert [line.get("colour") for line in evening.lines()[1:]] == ["red", "blue"]


def test_a_late_station_after_the_end_can_only_be_typed_or_none(evening: Evening) -> None:
    """Ring draws: once typed draws ended the attempt, a late station can be no further draw."""
    token = evening.open().dig(1).token()
    evening.draw("red").slide("red", token)

    assert (evening.question.kind, evening.question.offered) == ("late", ())
    with pytest.raises(Refused):
        evening.answer("red")
    assert evening.answer("same").deeds() == ["dig", "draw"]


def test_typing_a_draw_over_an_open_question_turns_it_late(evening: Evening) -> None:
    """Ring draws: who types the draw instead of answering is asked whether that was the one."""
    evening.open().dig(2).slide(None).draw("red")

    assert evening.question.kind == "late"
    assert evening.answer("same").view["left"] == 1


def test_a_question_goes_with_its_attempt(evening: Evening) -> None:
    """Ring draws: when the attempt is taken back or stopped, an open question about it closes as surplus."""
    evening.open().dig(2).slide(None).do("stop")

    assert evening.sight.questions == ()
    assert evening.notices == ["surplus"]


def test_a_station_from_before_a_correction_is_asked(evening: Evening) -> None:
    """Ring draws: when the table was corrected since the arming, a passage is offered instead of applied."""
    token = evening.open().dig(2).token()
    evening.do("fix", colour="green", count=1).slide("red", token)

    assert evening.question.kind == "unsure"
    assert evening.answer("red").view["left"] == 1


def test_a_token_of_another_game_is_practice(evening: Evening) -> None:
    """Ring draws: a passage armed by another game is no draw of this one."""
    token = evening.open().dig().token()

    evening.open().dig().slide("red", token)

    assert evening.notices == ["practice"]
    assert evening.view["left"] == 2


def test_two_at_once_are_asked_and_cast(evening: Evening) -> None:
    """Ring draws: two that left together are asked for, and the table casts which of them stays out."""
    evening.open(bag={"red": 1, "blue": 2}).dig(2).pair()
    assert evening.question.kind == "pair"
    assert {chosen for chosen, _ in evening.question.offered} == {"red+blue", "blue+blue"}

    for wrong in ("red", "red+", "red+blue+blue"):
        with pytest.raises(Malformed):
            evening.answer(wrong)
    evening.answer("red+blue")

    line = evening.lines()[1]
    assert (line["do"], line["colours"]) == ("double", ["red", "blue"])
    assert line["out"] in ("red", "blue")


def test_two_at_once_may_be_none(evening: Evening) -> None:
    """Ring draws: a pair that was none is dismissed."""
    assert evening.open().dig().pair().answer("not a draw").deeds() == ["dig"]


def test_faults_are_shown_and_kept_raw(evening: Evening) -> None:
    """Ring draws: a fault gives a notice with a way on; a gate's move only its raw row."""
    version = evening.open().sight.version
    evening.table.heard(evening.event(Kind.GATE, position="open"))
    assert evening.sight.version == version

    evening.table.heard(evening.event(Kind.STUCK))
    evening.table.heard(evening.event(Kind.FAULT, fault="sensor-missing"))
    evening.table.heard(evening.event(Kind.FAULT, fault="hiccups"))

    assert evening.notices == ["hiccups", "sensor-missing", "stuck"]
    assert all(notice.text for notice in evening.sight.notices)
    assert evening.restart().notices == ["hiccups", "sensor-missing", "stuck"]


def test_a_ring_that_starts_anew_is_told_during_an_attempt(evening: Evening) -> None:
    """Ring draws: a ring that starts again in the middle of an attempt may have missed a draw."""
    evening.open().table.heard(evening.event(Kind.BOOT))
    assert evening.notices == []

    evening.dig().table.heard(evening.event(Kind.BOOT))
    assert evening.notices == ["device-restarted"]


def test_a_ring_that_is_lifted_is_told_during_an_attempt(evening: Evening) -> None:
    """Ring draws: a ring lifted in the middle of an attempt may have lost stations underneath."""
    evening.open().table.heard(evening.event(Kind.LIFT, lifted=True))
    assert evening.notices == []

    evening.dig().table.heard(evening.event(Kind.LIFT, lifted=True), evening.event(Kind.LIFT, lifted=False))
    assert evening.notices == ["lifted"]


def test_notices_grow_old(evening: Evening) -> None:
    """Ring draws: a notice of some minutes ago is gone."""
    evening.open().slide("red").later(130).score()

    assert evening.notices == []


def test_a_raw_event_is_kept_whole(evening: Evening) -> None:
    """Ring draws: token, device clock, raw lines and detail can be judged again later; the judgement is beside them."""
    evening.open().dig()
    event = evening.event(Kind.OUT, None, ranking=(("red", 0.5), ("blue", 0.4)), frames=[1, 2])
    evening.table.heard(event)

    row = evening.ledger.row(evening.question.id)

    assert row is not None
    assert row.source == ("ring-1", "boot-1", 1)
    assert row.body == {
        "at_us": 1000,
        "token": evening.token(),
        "raw": ["raw"],
        "detail": {"frames": [1, 2]},
    }
    judged = evening.ledger.judged(row.id)
    assert judged is not None
    assert (judged.body["colour"], judged.body["ranking"]) == (None, [["red", 0.5], ["blue", 0.4]])


def test_a_late_station_is_no_draw_of_a_later_attempt(evening: Evening) -> None:
    """Ring draws: a station from an attempt that was typed in to its end is not offered to the next attempt."""
    token = evening.open().dig(1).token()
    evening.draw("red").dig(2).slide("blue", token)

    assert (evening.question.kind, evening.question.offered) == ("late", ())


def test_an_attempt_that_is_gone_back_to_is_still_the_same(evening: Evening) -> None:
    """Ring draws: an attempt opened again by undo still takes its stations, but asks; after a restart too."""
    token = evening.open().dig(1).token()
    evening.slide("red").undo("knocked over").restart().slide("blue", token)

    assert evening.question.kind == "unsure"
    assert evening.answer("blue").view["bag"]["blue"] == 2


def test_a_deep_undo_knows_its_attempts(evening: Evening) -> None:
    """Ring draws: an attempt from beyond what is kept in memory is still the same one when it is gone back to."""
    evening.open().dig(1).draw("red")
    for _ in range(300):
        evening.score()
    for _ in range(301):
        evening.undo()

    assert evening.sight.state.left == 1
    assert evening.slide("blue").view["bag"] == {"red": 3, "blue": 2, "green": 2}
