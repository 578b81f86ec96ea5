"""What a picked set gives, worked out by the rules before it is played."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.odds import success
from companion.games.andromeda.state import (
    CREDIT_POINTS,
    HAND_LIMIT,
    KINDS,
    TECHNOLOGY_POINTS,
    State,
    best_free_centre,
    stations_on,
)
from companion.kernel.i18n import word
from web.games.andromeda.actions.set_pick import Pick, does_of
from web.http.formatting import percent
from web.http.i18n import _, ngettext


@dataclass(frozen=True)
class SetGain:
    """One line of what the set gives; *before*: what was so until now, where the set changes it."""

    number: str
    words: str
    small: str
    before: str = ""


def gains_of(state: State, pick: Pick) -> tuple[SetGain, ...]:
    """Return what the set gives and costs, in the order of the page."""
    hand = state.players[pick.seat].hand
    cost = SetGain(
        str(pick.size),
        ngettext("card used, %(stay)s left", "cards used, %(stay)s left", pick.size, stay=hand - pick.size),
        _("of %(num)s in hand", num=hand),
    )
    return (*_effects(state, pick), cost, *_credit(state, pick))


def _effects(state: State, pick: Pick) -> tuple[SetGain, ...]:
    player = state.players[pick.seat]
    if pick.action == "ship":
        before, after = HAND_LIMIT[player.ship], HAND_LIMIT[player.ship + 1]
        return (SetGain(str(after), _("cards: new hand limit"), _("%(num)s so far", num=before), str(before)),)
    if pick.action == "technology":
        points, before = TECHNOLOGY_POINTS[player.technology + 1], TECHNOLOGY_POINTS[player.technology]
        small = _("%(num)s so far; level %(level)s of 4", num=before, level=player.technology + 1)
        return (
            SetGain(str(points), ngettext("point for technology", "points for technology", points), small, str(before)),
        )
    if pick.action == "move":
        most = min(does_of(state, pick), player.earth)
        return (
            SetGain(
                str(most),
                ngettext("station at most", "stations at most", most),
                _("%(num)s on Earth", num=player.earth),
            ),
        )
    return _attempt_gains(state, pick)


def _attempt_gains(state: State, pick: Pick) -> tuple[SetGain, ...]:
    under = stations_on(state, pick.planet)
    total, own = sum(under.values()), under[pick.seat]
    slot = best_free_centre(state, pick.planet)
    value = state.setting.board.planet(pick.planet).centres[slot or 0]
    draws = does_of(state, pick)
    yours = ngettext("%(num)s is yours", "%(num)s are yours", own)
    small = ngettext("%(num)s station there, %(yours)s", "%(num)s stations there, %(yours)s", total, yours=yours)
    gains = [
        SetGain(str(draws), ngettext("draw with the ring", "draws with the ring", draws), small),
        SetGain(str(value), _("points for the centre"), _("if one of yours comes out")),
    ]
    if state.options.show_odds:
        gains.insert(1, SetGain(percent(success(total, own, draws)), _("chance of a centre"), _("all equally likely")))
    return tuple(gains)


def _credit(state: State, pick: Pick) -> tuple[SetGain, ...]:
    if not pick.earned:
        return ()
    if not state.credits[KINDS.index(pick.earned)]:
        return (SetGain("0", _("no %(kind)s credits left", kind=word(pick.earned)), _("its pile is empty")),)
    points = CREDIT_POINTS[pick.earned]
    small = _("for %(num)s real cards: %(points)s points", num=pick.cards, points=points)
    return (SetGain(f"+{points}", _("a %(kind)s credit", kind=word(pick.earned)), small),)
