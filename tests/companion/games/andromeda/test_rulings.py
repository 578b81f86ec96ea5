"""Rulings: the options of a table and their defaults, and that display options change no rule."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from companion.games.andromeda import Options
from companion.games.andromeda.options import DISPLAY
from companion.kernel.errors import Malformed
from tests.companion.games.andromeda.evening import Evening
from tests.companion.games.andromeda.stories import tell
from tests.effort import seeds

TABLE = {
    "tech4_rounds_up": ("draws", "draws_and_moves"),
    "transport_as_action": (False, True),
    "allow_overpay": (False, True),
    "may_stop_drawing": (False, True),
    "double_exit": ("random_of_two", "redo"),
    "virtual_ring": (False, True),
    "trade_record": ("on", "off"),
    "show_bonus_credits": ("end", "always"),
    "show_odds": (False, True),
}
"""Each option with its values, the default first; the tests of each chapter test their effects."""


def test_the_defaults():
    """Rulings: without options every ruling has its default."""
    assert asdict(Options()) == {name: values[0] for name, values in TABLE.items()}
    assert Evening().game.options == Options()


@pytest.mark.parametrize(("name", "values"), TABLE.items())
def test_both_settings_are_accepted(name, values):
    """Rulings: each option accepts all its values, including the default."""
    assert [getattr(Evening(options={name: value}).game.options, name) for value in values] == list(values)


@pytest.mark.parametrize(("name", "values"), TABLE.items())
@pytest.mark.parametrize("wrong", [None, 1, 0, "true", "", [], {}, 1.0])
def test_other_settings_are_refused(name, values, wrong):
    """Rulings: any other value is refused with a message that names the option."""
    with pytest.raises(Malformed, match=f"options.{name}"):
        Evening(options={name: wrong})


def test_unknown_options_are_refused():
    """Rulings: an unknown option is refused."""
    with pytest.raises(Malformed, match="house_rule"):
        Evening(options={"house_rule": True})


@pytest.mark.parametrize("seed", seeds(4))
def test_display_options_change_nothing(seed):
    """Rulings: display options change neither the legal commands nor the final state."""
    evening = tell(seed, 250)
    shown = {**evening.record[0]["options"], "virtual_ring": True, "show_bonus_credits": "always", "show_odds": True}
    hidden = {name: value for name, value in shown.items() if name not in DISPLAY}

    assert final(evening, shown) == final(evening, hidden) == evening.view


def final(evening, options):
    """Replay the lines of *evening* at a table with other *options*."""
    header = evening.record[0]
    again = Evening(len(header["players"]), options, header["first"])
    for line in evening.record[1:]:
        again.do(**line)
    return again.view
