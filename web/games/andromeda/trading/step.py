"""The present step of the trading phase, and the sequence of all steps."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.state import State
from companion.games.andromeda.trading import ENOUGH_TO_SWAP, laying, most_cards, must_lay, size, trading_of
from companion.kernel.i18n import said
from companion.model.clock import NAMING, REVEAL
from companion.model.snapshot import Snapshot
from web.components.players import Face
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
