"""The page before a round: the next general mission, swaps of personal missions, and the roll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.wreck.dice import CONTAMINATION, MOST_CONTAMINATION, SYMBOLS
from companion.games.wreck.offers import rerolled
from companion.games.wreck.state import Phase, State
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.players import faces
from web.components.possible_now import Possible
from web.games.wreck.components.dice_codes import LETTERS, letters, symbols
from web.games.wreck.components.ship import ship
from web.games.wreck.play.choices import thing
from web.games.wreck.play.missions import may_open, opening, swaps
from web.http.i18n import _, ngettext
from web.request.game_pages import Look, Scene

Query = Mapping[str, str]
MOST_REROLLS = 60


@dataclass(frozen=True)
class RollEntry:
    """The roll as entered so far: the *first* dice, a list of dice for each reroll, and the number of missing dice."""

    first: tuple[str, ...]
    lists: tuple[tuple[str, ...], ...]
    wanted: int
    again: bool

    @property
    def shown(self) -> tuple[str, ...]:
        """The dice of the roll or reroll that is being entered."""
        return self.lists[-1] if self.again and self.lists else self.first


def roll_scene(look: Look) -> Scene:
    """Return the page before a round, for opening a mission or entering the dice."""
    state: State = look.state
    face = faces(state.setting.seats)[state.starter]
    if state.open_due:
        words, facts, template = _("opens a mission"), opening(look), "wreck/mission.html"
    else:
        words = _("rolls the dice")
        facts, template = _rolling(state, look.query), "wreck/roll.html"
    cleaning = state.phase is Phase.CLEANUP
    more = {"swaps": swaps(look.snapshot) if cleaning else (), "ship": ship(state), "player": state.starter}
    return Scene(template, facts | more, PlayBar(face.name, face, left_words=words))


def things(snapshot: Snapshot) -> tuple[Possible, ...]:
    """Return what can be done before a round."""
    due = snapshot.state.open_due
    return (may_open(snapshot), thing("roll", _("Open the mission first.") if due else ""))


def rolled(first: str, again: str, dice: int) -> RollEntry:
    """Parse the letters of the first roll and of all rerolls after it. *dice* is the number of dice in the game."""
    shown, more = symbols(first, dice), symbols(again, MOST_REROLLS)
    if len(shown) < dice:
        return RollEntry(shown, (), dice - len(shown), False)
    lists: list[tuple[str, ...]] = []
    left = rerolled(shown)
    while left:
        part, more = more[:left], more[left:]
        lists.append(part)
        if len(part) < left:
            return RollEntry(shown, tuple(lists), left - len(part), True)
        left = part.count(CONTAMINATION)
    return RollEntry(shown, tuple(lists), 0, bool(lists))


def _rolling(state: State, query: Query) -> dict[str, Any]:
    dice = state.setting.dice
    partial = rolled(query.get("d", ""), query.get("a", ""), dice)
    line: dict[str, Any] = {"do": "roll", "player": state.starter, "dice": list(partial.first)}
    if partial.lists:
        line["rerolls"] = [list(each) for each in partial.lists]
    return {
        "rolled": partial,
        "counts": [(symbol, partial.shown.count(symbol), _onward(query, partial, symbol)) for symbol in SYMBOLS],
        "line": None if partial.wanted else line,
        "by_itself": {"do": "roll", "player": state.starter},
        "back": _back(query, partial) if partial.first else "",
        "asks": _asks(partial),
        "dice": dice,
        "kept": MOST_CONTAMINATION,
    }


def _asks(partial: RollEntry) -> str:
    if not partial.wanted:
        return _("All dice are entered")
    if partial.again:
        return ngettext(
            "Too much contamination: roll %(num)s die again",
            "Too much contamination: roll %(num)s dice again",
            partial.wanted,
        )
    return ngettext("Tap what you rolled: %(num)s die left", "Tap what you rolled: %(num)s dice left", partial.wanted)


def _onward(query: Query, partial: RollEntry, symbol: str) -> str:
    """Return the URL with one more die that shows *symbol*, or "" if no die is missing."""
    if not partial.wanted:
        return ""
    first, again = letters(partial.first), letters(sum(partial.lists, ()))
    one = LETTERS[symbol]
    return to(d=first, a=again + one) if partial.again else to(d=first + one)


def _back(query: Query, partial: RollEntry) -> str:
    first, again = letters(partial.first), letters(sum(partial.lists, ()))
    return to(d=first, a=again[:-1]) if again else to(d=first[:-1])
