"""Who waited for whom."""

from __future__ import annotations

from companion.session.time_report import Spell, waits


def spell(**ms: int) -> Spell:
    """Return a step in which each seat had done its part after so many milliseconds."""
    return Spell("step", tuple(ms), (), max(ms.values()), ms)


def test_whoever_is_not_on_the_move_waits_for_whom_is() -> None:
    """Waiting: a turn of one player is all others' waiting for them, and nobody waits for themselves."""
    assert waits([spell(red=600)], ("red", "blue")) == {"red": {"blue": 0.0}, "blue": {"red": 600.0}}


def test_whoever_is_done_waits_for_the_rest() -> None:
    """Waiting: when several choose at once, the quick wait for the slow from the moment they are done."""
    assert waits([spell(red=100, blue=700)], ("red", "blue")) == {"red": {"blue": 600.0}, "blue": {"red": 0.0}}


def test_those_who_hold_the_table_up_share_it() -> None:
    """Waiting: a minute in which two are still busy counts half for each."""
    found = waits([spell(red=100, blue=300)], ("red", "blue", "green"))

    assert found["green"] == {"red": 50.0, "blue": 50.0 + 200.0}
    assert found["red"] == {"blue": 200.0, "green": 0.0}


def test_a_step_of_nobody_makes_nobody_wait() -> None:
    """Waiting: a step without seats, such as setting out, is everybody's."""
    assert waits([Spell("set", (), (), 900, {})], ("red", "blue"))["red"] == {"blue": 0.0}
