"""How long each player waited for each of the other players."""

from __future__ import annotations

from companion.session.time_report import Spell, waits


def spell(**ms: int) -> Spell:
    """Return a step in which each seat was done after a given number of milliseconds."""
    return Spell("step", tuple(ms), (), max(ms.values()), ms)


def test_whoever_is_not_on_the_move_waits_for_whom_is() -> None:
    """Waiting: during a player's turn, all others wait for that player."""
    assert waits([spell(red=600)], ("red", "blue")) == {"red": {"blue": 0.0}, "blue": {"red": 600.0}}


def test_whoever_is_done_waits_for_the_rest() -> None:
    """Waiting: in a common step, players who are done wait for those who are not."""
    assert waits([spell(red=100, blue=700)], ("red", "blue")) == {"red": {"blue": 600.0}, "blue": {"red": 0.0}}


def test_those_who_hold_the_table_up_share_it() -> None:
    """Waiting: time in which two players are not done is divided between them."""
    found = waits([spell(red=100, blue=300)], ("red", "blue", "green"))

    assert found["green"] == {"red": 50.0, "blue": 50.0 + 200.0}
    assert found["red"] == {"blue": 200.0, "green": 0.0}


def test_a_step_of_nobody_makes_nobody_wait() -> None:
    """Waiting: in a step without seats, nobody waits."""
    assert waits([Spell("set", (), (), 900, {})], ("red", "blue"))["red"] == {"blue": 0.0}
