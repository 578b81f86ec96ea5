"""Sentences about trading. They never name a card that is face down."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.state import KINDS, State, name_of
from companion.games.andromeda.swaps import SetLeft, SetsSwapped, SetTaken
from companion.games.andromeda.terms import planet_of, utterance
from companion.games.andromeda.trading import (
    CardLaid,
    PlayerExcused,
    laying,
    most_cards,
    must_lay,
    next_trader,
    size,
    trading_of,
)
from companion.kernel.fields import Line
from companion.kernel.said import Said, pattern, said, word
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence, Rows, Telling


def turn(state: State) -> Utterance:
    """Return a sentence that says who must act in the trading phase, and which choices they have."""
    partner = trading_of(state).partner
    if partner:
        return utterance(said("%(name)s, keep or leave?", name=name_of(state, partner)), partner)
    if must_lay(state):
        return Utterance(said("Everyone else, one card face down."), must_lay(state), Verbosity.USUAL, TURN)
    if laying(state):
        return utterance(_starter(state), state.starter)
    trader = next_trader(state)
    return utterance(said("%(name)s, swap or take the cards back?", name=name_of(state, trader)), trader)


def _starter(state: State) -> Said:
    """Return a sentence that says what the starting player must do. This depends on the number of cards laid so far."""
    name = name_of(state, state.starter)
    if size(state) >= most_cards(state):
        return said("%(name)s, now swap.", name=name)
    if not size(state):
        return said("%(name)s, play a card face up.", name=name)
    if size(state) == 1:
        return said("%(name)s, play a second card.", name=name)
    return said("%(name)s, another card or a swap?", name=name)


def card_named(what: Occurrence) -> Said:
    """Return the name of the card that was laid, with its article."""
    card = what.fields["card"]
    if card is None:
        return said("a card")
    if card in KINDS:
        return said("a %(kind)s credit", kind=word(card))
    planet = planet_of(what, card)
    vowel = planet[:1].lower() in "aeiou"
    return said("an %(planet)s card", planet=planet) if vowel else said("a %(planet)s card", planet=planet)


def card_laid(what: Occurrence) -> Said | None:
    """Name the card that the starting player laid.

    The cards of the other players are face down, so this returns None for them.
    """
    card = what.fields["card"]
    if what.seat != what.before.starter:
        return said("%(name)s has played", name=what.name)
    if card is None:
        return None
    called = card_named(what) if card in KINDS else planet_of(what, card)
    return said("%(name)s plays %(card)s", name=what.name, card=called)


def kept(what: Occurrence) -> Said | None:
    """Return a sentence that says that the partner of a swap takes the new cards into the hand."""
    partner = what.before.trading.partner == what.seat
    return said("%(name)s keeps the new cards", name=what.name) if partner else None


def took_back(what: Occurrence) -> Said | None:
    """Return a sentence that says that a trader takes their own set back."""
    partner = what.before.trading.partner == what.seat
    return None if partner else said("%(name)s takes the cards back", name=what.name)


def lay_means(what: Occurrence) -> Said:
    """Return a sentence that says who plays face up, and what the others may not play."""
    starter = what.before.starter
    if what.seat == starter:
        return said("The starting player plays face up. The others may not play the same.")
    name = name_of(what.before, starter)
    return said("The others play face down, nothing that %(name)s has played.", name=name)


def laid(line: Line, header: Line) -> str:
    """Return the name of the card that *line* lays, as a caption for its picture."""
    card = line["card"]
    if card is None:
        return said("a card")
    return word(str(card)) if card in KINDS else planet_of(Occurrence(line, {}, header=header), card)


SENTENCES: Rows = {
    CardLaid: Telling(
        pattern("%(name)s plays %(card)s"),
        "lay",
        lay_means,
        "lay",
        aloud=card_laid,
        words=Verbosity.ALL,
        possible=said("Play a card"),
    ),
    PlayerExcused: Telling(
        pattern("%(name)s has no legal card and sits out"),
        "excuse",
        said("A player without a legal card sits out until next round."),
        "lay",
        aloud=pattern("%(name)s sits out."),
        possible=said("Sit out"),
        how=said("only without a legal card"),
    ),
    SetsSwapped: Telling(
        pattern("%(name)s swaps with %(other)s"),
        "swap",
        said("Whole sets change hands; nobody may refuse. The new cards go into the hand."),
        "swap",
        about=lambda what: (what.fields["player"], what.fields["partner"]),
        possible=said("Swap your whole set with a player"),
        how=said("nobody may refuse"),
    ),
    SetLeft: Telling(
        pattern("%(name)s leaves the new cards on the table"),
        "leave",
        said("Left on the table, the set can be swapped again."),
        "swap",
        aloud=pattern("%(name)s leaves the new cards"),
        possible=said("Leave the new cards on the table"),
        how=said("they can be swapped again"),
    ),
    SetTaken: Telling(kept, then=Telling(took_back, words=Verbosity.ALL)),
}
LINES: Mapping[str, Telling] = {
    "keep": Telling(
        pattern("%(name)s keeps the new cards"),
        means=said("The other player may keep the new cards and is then done trading."),
        card="swap",
        possible=said("Keep the new cards"),
        how=said("then your trading is over"),
    ),
    "take_back": Telling(
        pattern("%(name)s takes the set back"),
        means=said("After the starting player nobody has to swap."),
        card="swap",
        possible=said("Take your set back"),
        how=said("without swapping"),
    ),
    "end_trading": Telling(
        said("Trading is over"),
        means=said("This table doesn't record trades. Tap when you're done."),
        card="swap",
        possible=said("Trade, then tap when done"),
        how=said("you trade off the screen"),
    ),
}
