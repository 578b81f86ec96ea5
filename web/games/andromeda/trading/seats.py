"""The seats at the trading table: what lies before each, who is waited for, and what can be done for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.state import State
from companion.games.andromeda.trading import has_the_word, laying, must_lay, size, trading_of, with_sets
from companion.model.countdown import NAMING
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.players import Face, faces
from web.games.andromeda.trading.step import ANSWER, DECIDE, FACE_DOWN, KEEP, LAY, TRADE, ready
from web.http.formatting import named
from web.http.i18n import _


@dataclass(frozen=True)
class LaidCard:
    """A card as it lies: a planet, a credit's kind, or neither when nobody named it; face down it shows nothing."""

    planet: Planet | None = None
    kind: str = ""
    down: bool = False

    @property
    def word(self) -> str:
        """What is written below the picture."""
        return _("played") if self.down else self.planet.label if self.planet else named(self.kind) or _("not named")


@dataclass(frozen=True)
class TradingSeat:
    """One seat at the trading table.

    *gift* is whose cards lie there since the last swap, *took* whose went to
    this hand with it. *slot* says what stands where its next card comes:
    `ready` a tap when it has laid, `name` a way to say which, `named` that
    this is being said, `lays` that it lays openly; empty: no card is waited for.
    *name_it* is where its card is named, empty where that cannot be done now.
    *played*: its newest card lies there while others are still waited for.
    """

    face: Face
    cards: tuple[LaidCard, ...]
    words: str
    now: bool
    out: bool
    excused: bool
    laid: bool
    slot: str
    name_it: str
    swap: dict[str, Any] | None
    gift: Face | None = None
    took: Face | None = None
    played: bool = False


def card_of(state: State, card: str | None) -> LaidCard:
    """Return a card that lies open."""
    if card in PLANETS:
        return LaidCard(planet=state.setting.board.planet(str(card)))
    return LaidCard(kind=card or "")


def waiting(snapshot: Snapshot, step: str) -> tuple[str, ...]:
    """Return who is still waited for, in seat order: to lay face down, or for the word which card it was."""
    missing = must_lay(snapshot.state)
    if step == NAMING:
        return missing
    return tuple(colour for colour in missing if colour not in ready(snapshot)) if step == ANSWER else ()


def unnamed(snapshot: Snapshot, step: str) -> tuple[str, ...]:
    """Return whose newest card has no name yet and can be given one: said to be laid or not, until all turn over."""
    return must_lay(snapshot.state) if step in (ANSWER, NAMING) else ()


def place(snapshot: Snapshot, colour: str, step: str, naming: str) -> TradingSeat:
    """Return the seat of *colour*; *naming* is whose card is being said, if anybody's."""
    state: State = snapshot.state
    trading = trading_of(state)
    waits, excused = colour in waiting(snapshot, step), colour in trading.excused
    cards = _cards(snapshot, colour, step)
    return TradingSeat(
        face=faces(state.setting.seats)[colour],
        cards=cards,
        words=_words(snapshot, colour, step, waits),
        now=colour == naming if naming and step == NAMING else waits or colour in _has_the_word(snapshot, step),
        out=excused or (not laying(state) and colour not in with_sets(state)),
        excused=excused,
        laid=_laid(snapshot, colour, step) and not waits,
        slot=_slot(state, colour, step, naming, waits),
        name_it=to(seat=colour) if colour in unnamed(snapshot, step) else "",
        swap=_swap(state, colour, step),
        gift=_other(snapshot, colour, "with", "player"),
        took=_other(snapshot, colour, "player", "with"),
        played=bool(cards) and step in FACE_DOWN and not waits and not excused,
    )


def swapped(snapshot: Snapshot) -> tuple[str, str]:
    """Return who has just swapped with whom, twice nobody when that is not the newest thing."""
    line = snapshot.recent[0].line if snapshot.recent else {}
    return (str(line["player"]), str(line["with"])) if line.get("do") == "swap" else ("", "")


def _other(snapshot: Snapshot, colour: str, own: str, other: str) -> Face | None:
    """Return the face of the *other* of the last swap, where *colour* is its *own* end."""
    ends = dict(zip(("player", "with"), swapped(snapshot), strict=True))
    return faces(snapshot.state.setting.seats)[ends[other]] if ends[own] == colour else None


def _has_the_word(snapshot: Snapshot, step: str) -> tuple[str, ...]:
    return has_the_word(snapshot.state) if step in (LAY, DECIDE, KEEP, TRADE) else ()


def _cards(snapshot: Snapshot, colour: str, step: str) -> tuple[LaidCard, ...]:
    """Return what lies before *colour*: the newest card stays face down until all turn over."""
    state: State = snapshot.state
    laid = trading_of(state).sets.get(colour, ())
    if colour == state.starter or step not in FACE_DOWN:
        return tuple(card_of(state, card) for card in laid)
    shown = tuple(card_of(state, card) for card in laid[: size(state) - 1])
    return (*shown, LaidCard(down=True)) if _laid(snapshot, colour, step) else shown


def _laid(snapshot: Snapshot, colour: str, step: str) -> bool:
    """Tell whether the newest card of *colour*, who answers, lies before it."""
    state: State = snapshot.state
    sets = trading_of(state).sets
    if colour == state.starter or not laying(state) or colour in trading_of(state).excused or not sets:
        return False
    return len(sets.get(colour, ())) == size(state) or colour in ready(snapshot)


def _slot(state: State, colour: str, step: str, naming: str, waits: bool) -> str:
    if colour == state.starter:
        return "lays" if step == LAY else ""
    if not waits:
        return ""
    if colour == naming:
        return "named"
    return "name" if step == NAMING else "ready"


def _swap(state: State, colour: str, step: str) -> dict[str, Any] | None:
    """Return the line by which whoever has the word swaps with *colour*, if that can be."""
    if step not in (DECIDE, TRADE):
        return None
    trader = has_the_word(state)[0]
    return {"do": "swap", "player": trader, "with": colour} if colour in with_sets(state) and colour != trader else None


def _words(snapshot: Snapshot, colour: str, step: str, waits: bool) -> str:
    state: State = snapshot.state
    trading = trading_of(state)
    if colour in trading.excused:
        return _("sits out")
    if trading.partner == colour:
        return _("keep or leave?")
    if step == DECIDE or (step == LAY and colour == state.starter):
        return ""  # The card before it, or the one that it plays now, says so.
    if not laying(state):
        if step == TRADE and colour == has_the_word(state)[0]:
            return _("swaps")
        return _("on the table") if colour in with_sets(state) else _("has traded")
    if colour == state.starter:
        return _("plays face up")
    if waits:
        return "" if step == NAMING else _("is choosing")  # The place of its card says that it has no name yet.
    return _("has played") if _laid(snapshot, colour, step) else _("waiting")
