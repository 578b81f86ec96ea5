"""The step of the trading phase and its seats: their cards, whether they must act, and what can be done for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.state import State
from companion.games.andromeda.trading import (
    ENOUGH_TO_SWAP,
    has_the_word,
    laying,
    most_cards,
    must_lay,
    sitting_out,
    size,
    trading_of,
    with_sets,
)
from companion.kernel.said import said
from companion.model.countdown import NAMING, REVEAL
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.players import Face, faces
from web.http.formatting import named
from web.http.i18n import _

LAY, ANSWER, DECIDE, KEEP, TRADE = "lay", "answer", "decide", "keep", "trade"
FACE_DOWN = (ANSWER, REVEAL)
"""The steps in which the newest cards are face down."""
LAYS = (
    said("%(name)s plays"),
    said("%(name)s again"),
    said("%(name)s, third"),
    said("%(name)s, fourth"),
)
OTHERS = (said("Others play"), said("Others again"), said("Others, third"), said("Others, fourth"))


@dataclass(frozen=True)
class TradingStep:
    """One step of the sequence: done, now or later."""

    words: str
    state: str


def step_of(snapshot: Snapshot) -> str:
    """Return the step: `lay`, `answer`, `reveal`, `name` (face up, to be typed in), `decide`, `keep` or `trade`."""
    state: State = snapshot.state
    timing = snapshot.timing
    if timing is not None and timing.step in (REVEAL, NAMING):
        return timing.step
    if trading_of(state).partner:
        return KEEP
    if not laying(state):
        return TRADE
    if missing := must_lay(state):
        return NAMING if set(missing) <= set(ready(snapshot)) else ANSWER
    return DECIDE if size(state) >= ENOUGH_TO_SWAP else LAY


def ready(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the players who have said that they laid a card face down."""
    return () if snapshot.timing is None else snapshot.timing.ready


def path_of(snapshot: Snapshot, starter: Face, step: str) -> tuple[TradingStep, ...]:
    """Return the steps of the phase.

    The steps for two cards are always included, those for a third and fourth card once they are laid.
    """
    state: State = snapshot.state
    shown = max(size(state), ENOUGH_TO_SWAP)
    turns = snapshot.pace.reveal or snapshot.pace.naming
    words: list[str] = []
    for card in range(shown):
        words += [_(LAYS[card], name=starter.name), _(OTHERS[card]), *([_("Turn over")] if turns else ())]
    words.append(_last(state, shown))
    now = _now(state, step, 2 + turns, len(words) - 1)
    return tuple(
        TradingStep(each, "done" if at < now else "now" if at == now else "later") for at, each in enumerate(words)
    )


def _last(state: State, shown: int) -> str:
    if shown >= most_cards(state) or not laying(state):
        return _("Swap")
    return _("Third card or swap") if shown == ENOUGH_TO_SWAP else _("Fourth card or swap")


def _now(state: State, step: str, each: int, last: int) -> int:
    newest = (size(state) - 1) * each
    match step:
        case "lay":
            return newest + each
        case "answer":
            return newest + 1
        case "reveal" | "name":
            return newest + 2 if each > 2 else newest + 1
        case "decide" | "keep" | "trade":
            return last
        case _:
            raise AssertionError(f"no step of trading is called {step}")


@dataclass(frozen=True)
class LaidCard:
    """A card on the table: a planet, or a kind of credit, or neither if it is unnamed or face down."""

    planet: Planet | None = None
    kind: str = ""
    down: bool = False

    @property
    def word(self) -> str:
        """The caption of the card's picture."""
        return _("played") if self.down else self.planet.label if self.planet else named(self.kind) or _("not named")


@dataclass(frozen=True)
class TradingSeat:
    """One seat of the trading phase.

    *gift* is the player from whom the seat's cards came in the last swap. *took* is the player whose cards went to its
    hand. *slot* describes the place of its next card: `ready` (a tap says that it has laid), `name` (a tap names the
    card), `named` (the card is being named), `lays` (it lays a card face up), or "" if no card is expected. *name_it*
    is the URL for naming its card, or "". *played* says that its newest card is on the table while other seats' cards
    are missing.
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
    """Return *card* as a face-up card."""
    if card in PLANETS:
        return LaidCard(planet=state.setting.board.planet(str(card)))
    return LaidCard(kind=card or "")


def waiting(snapshot: Snapshot, step: str) -> tuple[str, ...]:
    """Return the players, in seat order, who still have to lay a card face down, or to name it."""
    missing = must_lay(snapshot.state)
    if step == NAMING:
        return missing
    return tuple(colour for colour in missing if colour not in ready(snapshot)) if step == ANSWER else ()


def unnamed(snapshot: Snapshot, step: str) -> tuple[str, ...]:
    """Return the players whose newest card can still be named."""
    return must_lay(snapshot.state) if step in (ANSWER, NAMING) else ()


def place(snapshot: Snapshot, colour: str, step: str, naming: str) -> TradingSeat:
    """Return the seat of the player *colour*. *naming* is the seat whose card is being named, or ""."""
    state: State = snapshot.state
    waits, excused = colour in waiting(snapshot, step), colour in sitting_out(state)
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
    """Return the two players of a swap if the newest line is a swap, otherwise two empty strings."""
    line = snapshot.recent[0].line if snapshot.recent else {}
    return (str(line["player"]), str(line["with"])) if line.get("do") == "swap" else ("", "")


def _other(snapshot: Snapshot, colour: str, own: str, other: str) -> Face | None:
    """Return the player in field *other* of the last swap if its field *own* is *colour*, otherwise None."""
    ends = dict(zip(("player", "with"), swapped(snapshot), strict=True))
    return faces(snapshot.state.setting.seats)[ends[other]] if ends[own] == colour else None


def _has_the_word(snapshot: Snapshot, step: str) -> tuple[str, ...]:
    return has_the_word(snapshot.state) if step in (LAY, DECIDE, KEEP, TRADE) else ()


def _cards(snapshot: Snapshot, colour: str, step: str) -> tuple[LaidCard, ...]:
    """Return the cards of the player *colour* on the table.

    The newest card stays face down until all are turned over.
    """
    state: State = snapshot.state
    laid = trading_of(state).sets.get(colour, ())
    if colour == state.starter or step not in FACE_DOWN:
        return tuple(card_of(state, card) for card in laid)
    shown = tuple(card_of(state, card) for card in laid[: size(state) - 1])
    return (*shown, LaidCard(down=True)) if _laid(snapshot, colour, step) else shown


def _laid(snapshot: Snapshot, colour: str, step: str) -> bool:
    """Tell whether the answering player *colour* has laid the newest card."""
    state: State = snapshot.state
    sets = trading_of(state).sets
    if colour == state.starter or not laying(state) or colour in sitting_out(state) or not sets:
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
    """Return the line with which the player in turn swaps with *colour*, or None if that is impossible."""
    if step not in (DECIDE, TRADE):
        return None
    trader = has_the_word(state)[0]
    return {"do": "swap", "player": trader, "with": colour} if colour in with_sets(state) and colour != trader else None


def _words(snapshot: Snapshot, colour: str, step: str, waits: bool) -> str:
    state: State = snapshot.state
    if colour in sitting_out(state):
        return _("sits out")
    if trading_of(state).partner == colour:
        return _("keep or leave?")
    if step == DECIDE or (step == LAY and colour == state.starter):
        return ""  # The card on the table, or the card being laid now, already shows it.
    if not laying(state):
        if step == TRADE and colour == has_the_word(state)[0]:
            return _("swaps")
        return _("on the table") if colour in with_sets(state) else _("has traded")
    if colour == state.starter:
        return _("plays face up")
    if waits:
        return "" if step == NAMING else _("is choosing")  # The empty place for the card already shows this.
    return _("has played") if _laid(snapshot, colour, step) else _("waiting")
