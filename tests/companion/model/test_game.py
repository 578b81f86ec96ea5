"""If a game's state lacks an attribute that shared code reads, the error names the attribute and is not damage."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from companion.kernel.fields import Fields
from companion.model.game import GameDefaults, Seat, phase_of
from companion.model.parser import EventCodec, Known, SeatForm
from companion.session.line_reducer import MISFITS
from tests.sum_game.rules import TELLINGS
from tests.sum_game.rules.rules import Taken

SEATED = SimpleNamespace(setting=SimpleNamespace(seats=(Seat("red", "Ana"), Seat("blue", "Ben"))))
BARE = SimpleNamespace()


def test_a_seat_of_an_event_may_be_any_seat_of_the_setting():
    """Events: for a state without `colours`, a seat may be any seat of the setting."""
    assert SeatForm().read(Fields({"player": "blue"}), "player", Known({}, SEATED)) == "blue"


@pytest.mark.parametrize(
    ("use", "lacks"),
    [
        (lambda: GameDefaults().seats(BARE), "GameDefaults.seats reads state.setting.seats"),
        (lambda: TELLINGS.uttered(BARE, Taken("red", 6)), "Tellings reads state.setting.seats"),
        (
            lambda: EventCodec.of(Taken, lambda *_: True).unpack({"event": "Taken", "player": "red", "value": 6}, BARE),
            "an event with a Seat field reads state.colours or state.setting.seats",
        ),
        (lambda: phase_of(BARE, "a page"), "a page reads state.phase"),
    ],
)
def test_what_a_state_lacks_is_named(use, lacks):
    """States: the error names the reader and the missing attribute, and does not count as damage to a ledger."""
    with pytest.raises(NotImplementedError) as fault:
        use()

    assert str(fault.value) == f"{lacks}, but a SimpleNamespace has none: see docs/add-a-game.md, The state."
    assert not isinstance(fault.value, MISFITS)
