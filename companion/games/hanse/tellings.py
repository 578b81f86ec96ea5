"""The sentences of Die Kosmische Hanse: whose turn it is, and those of each chapter's events."""

from __future__ import annotations

from companion.games.hanse import corrections, flight, interventions, planet_actions, setup, turns
from companion.games.hanse.cards import LABELS
from companion.games.hanse.places import label_of
from companion.games.hanse.state import Phase, State, name_of, naming, other, turn_of
from companion.kernel.said import Said, said
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Gaps, Tellings


def turn(state: State) -> Utterance | None:
    """Return a sentence that says who must act, and what they must do."""
    match state.phase:
        case Phase.CHOICE:
            younger = state.setting.younger
            return _asked(said("%(name)s, move first or name the planet?", name=name_of(state, younger)), younger)
        case Phase.PLANET:
            namer = naming(state)
            return _asked(said("%(name)s, where do both ships start?", name=name_of(state, namer)), namer)
        case Phase.TURN:
            return _turn(state)
        case Phase.ANSWER:
            against = other(state, turn_of(state).player)
            return _asked(said("%(name)s, allow it?", name=name_of(state, against)), against)
        case _:
            return None


def _asked(text: Said, seat: str) -> Utterance:
    return Utterance(text, (seat,), Verbosity.FEW, TURN)


def _turn(state: State) -> Utterance:
    turn = turn_of(state)
    name = name_of(state, turn.player)
    if turn.begun:
        return _asked(said("%(name)s goes on.", name=name), turn.player)
    return _asked(said("%(name)s's turn.", name=name), turn.player)


GAPS: Gaps = {
    "name": lambda what: what.name,
    "planet": lambda what: label_of(what.fields.get("to") or what.fields["planet"]),
    "card": lambda what: LABELS[what.fields["card"]],
    "num": lambda what: what.fields["container"] + 1,
    "dice": lambda what: ", ".join(map(str, what.fields.get("dice", ()))),
}
TELLINGS = Tellings(
    turn,
    GAPS,
    {
        **setup.TELLINGS,
        **flight.TELLINGS,
        **planet_actions.TELLINGS,
        **interventions.TELLINGS,
        **turns.TELLINGS,
        **corrections.TELLINGS,
    },
)
