"""The sentences of Andromeda: whose turn it is, and one table of the sentences of all chapters.

They never name a card that is face down.
"""

from __future__ import annotations

from companion.games.andromeda import (
    actions_sentences,
    attempt_sentences,
    corrections_sentences,
    rounds_sentences,
    trading_sentences,
)
from companion.games.andromeda.state import Phase, State, name_of
from companion.games.andromeda.terms import planet_of, utterance
from companion.kernel.said import said, said_n, word
from companion.model.speech import Utterance
from companion.model.tellings import Gaps, Tellings


def turn(state: State) -> Utterance | None:
    """Return a sentence that says who must act, and what they must do."""
    match state.phase:
        case Phase.CARDS:
            return utterance(said("Deal the cards."))
        case Phase.TRANSPORT:
            return utterance(said("%(name)s, transport?", name=name_of(state, state.turn)), state.turn)
        case Phase.ACTIONS if state.attempt is None:
            return _actions(state)
        case Phase.TRADING if state.options.trade_record == "on":
            return trading_sentences.turn(state)
        case _:
            return None


def _actions(state: State) -> Utterance:
    text = said_n(
        "%(name)s's turn: %(num)s action.",
        "%(name)s's turn: %(num)s actions.",
        state.actions_left,
        name=name_of(state, state.turn),
    )
    return utterance(text, state.turn)


GAPS: Gaps = {
    "name": lambda what: what.name,
    "other": lambda what: what.named(what.fields.get("partner") or what.fields["with"]),
    "card": trading_sentences.card_named,
    "set": actions_sentences.set_played,
    "kind": lambda what: word(what.fields["kind"]),
    "planet": lambda what: planet_of(what, what.fields["planet"]),
    "value": attempt_sentences.value,
}
TELLINGS = Tellings(
    turn,
    GAPS,
    {
        **rounds_sentences.SENTENCES,
        **trading_sentences.SENTENCES,
        **actions_sentences.SENTENCES,
        **attempt_sentences.SENTENCES,
        **corrections_sentences.SENTENCES,
    },
    {**rounds_sentences.LINES, **trading_sentences.LINES, **attempt_sentences.LINES, **actions_sentences.LINES},
)
