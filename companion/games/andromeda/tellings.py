"""The sentences of Andromeda: whose turn it is, and each event and line (spoken, in the history, for beginners).

They never name a card that is face down.
"""

from __future__ import annotations

from companion.games.andromeda import explanations, sentences
from companion.games.andromeda.actions import CardsExchanged, LevelGained, SetPlayed, StationsMoved
from companion.games.andromeda.attempt import AttemptBegan, AttemptEnded, CentreTaken, FlewHome, PutBack
from companion.games.andromeda.corrections import Corrected
from companion.games.andromeda.rounds import (
    ActionDone,
    CardsShown,
    CreditEarned,
    Dealt,
    GameEnded,
    PhaseBegan,
    RoundBegan,
    TurnBegan,
)
from companion.games.andromeda.state import (
    KINDS,
    Phase,
    State,
    name_of,
)
from companion.games.andromeda.swaps import SetLeft, SetsSwapped, SetTaken
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
from companion.games.andromeda.transport import Transported, TransportPassed
from companion.kernel.fields import Line
from companion.kernel.said import Said, pattern, said, said_n, word
from companion.model.speech import RING, TURN, Utterance, Verbosity
from companion.model.tellings import Gaps, Occurrence, Silent, Telling, Tellings, nobody


def turn(state: State) -> Utterance | None:
    """Return a sentence that says who must act, and what they must do."""
    match state.phase:
        case Phase.CARDS:
            return _turn(said("Deal the cards."))
        case Phase.TRANSPORT:
            return _turn(said("%(name)s, transport?", name=name_of(state, state.turn)), state.turn)
        case Phase.ACTIONS if state.attempt is None:
            return _actions(state)
        case Phase.TRADING if state.options.trade_record == "on":
            return _trading(state)
        case _:
            return None


def _turn(text: Said, *seats: str) -> Utterance:
    return Utterance(text, seats, Verbosity.FEW, TURN)


def _actions(state: State) -> Utterance:
    text = said_n(
        "%(name)s's turn: %(num)s action.",
        "%(name)s's turn: %(num)s actions.",
        state.actions_left,
        name=name_of(state, state.turn),
    )
    return _turn(text, state.turn)


def _trading(state: State) -> Utterance:
    """Return a sentence that says who must act in the trading phase, and which choices they have."""
    partner = trading_of(state).partner
    if partner:
        return _turn(said("%(name)s, keep or leave?", name=name_of(state, partner)), partner)
    if must_lay(state):
        return Utterance(said("Everyone else, one card face down."), must_lay(state), Verbosity.USUAL, TURN)
    if laying(state):
        return _turn(_starter(state), state.starter)
    trader = next_trader(state)
    return _turn(said("%(name)s, swap or take the cards back?", name=name_of(state, trader)), trader)


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


def laid(line: Line, header: Line) -> str:
    """Return the name of the card that *line* lays, as a caption for its picture."""
    card = line["card"]
    if card is None:
        return said("a card")
    return word(str(card)) if card in KINDS else sentences.planet_of(Occurrence(line, {}, header=header), card)


GAPS: Gaps = {
    "name": lambda what: what.name,
    "other": lambda what: what.named(what.fields.get("partner") or what.fields["with"]),
    "card": sentences.card_named,
    "set": sentences.set_played,
    "kind": lambda what: word(what.fields["kind"]),
    "planet": lambda what: sentences.planet_of(what, what.fields["planet"]),
    "value": sentences.value,
}
TELLINGS = Tellings(
    turn,
    GAPS,
    {
        CardsShown: Telling(
            pattern("%(name)s's set-up cards are face up"),
            "setup",
            said("Each face-up card puts one station on its planet."),
            "setup",
            aloud=pattern("%(name)s's stations are on the board"),
            words=Verbosity.ALL,
            possible=said("Turn your set-up cards over and tap their planets"),
            how=said("one station per card"),
        ),
        Dealt: Telling(
            said("Cards dealt"),
            "deal",
            said("Every hand is filled to its ship's limit: nine cards at first."),
            "cards",
            aloud=Silent("everybody takes cards at this moment"),
            possible=said("Deal the cards"),
            how=said("up to each hand limit"),
        ),
        RoundBegan: Telling(sentences.round_began),
        PhaseBegan: Telling(sentences.phase_began),
        TurnBegan: Silent("the announcement of the turn says it"),
        Transported: Telling(sentences.transported),
        TransportPassed: Telling(pattern("%(name)s keeps the transport card"), words=Verbosity.ALL),
        CardLaid: Telling(
            pattern("%(name)s plays %(card)s"),
            "lay",
            explanations.lay,
            "lay",
            aloud=sentences.card_laid,
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
        SetTaken: Telling(sentences.kept, then=Telling(sentences.took_back, words=Verbosity.ALL)),
        CardsExchanged: Telling(
            sentences.exchanges, "exchange", explanations.exchange, "exchange", aloud=sentences.exchanged
        ),
        SetPlayed: Silent("the action it pays for is said"),
        StationsMoved: Telling(sentences.moves, "move", explanations.move, "move", aloud=sentences.moved),
        AttemptBegan: Telling(
            pattern("%(name)s plays %(set)s for a centre"),
            "establish",
            explanations.establish,
            "establish",
            aloud=sentences.tries,
            topic=RING,
        ),
        CentreTaken: Telling(
            pattern("%(name)s takes the %(value)s at %(planet)s."),
            words=Verbosity.FEW,
            topic=RING,
            then=Telling(sentences.last_round, words=Verbosity.FEW, about=nobody),
        ),
        FlewHome: Telling(
            pattern("%(name)s's station flies home"),
            topic=RING,
            about=lambda what: (what.seat, *sentences.of_the_attempt(what)),
            then=Telling(sentences.draws_left, words=Verbosity.ALL, about=sentences.of_the_attempt),
        ),
        PutBack: Telling(
            sentences.double_exit,
            "double_exit",
            said("Your house rule decides what counts."),
            "establish",
            aloud=sentences.put_back,
            topic=RING,
            about=lambda what: what.fields["colours"],
        ),
        AttemptEnded: Telling(
            pattern("%(name)s stops drawing"),
            "stop_drawing",
            said("Unused draws are lost."),
            "establish",
            aloud=sentences.missed,
            words=Verbosity.FEW,
            about=sentences.of_the_attempt,
            possible=said("Stop drawing"),
            how=said("unused draws are lost"),
        ),
        CreditEarned: Telling(pattern("%(name)s earns a %(kind)s credit")),
        LevelGained: Telling(sentences.risen),
        ActionDone: Silent("the next announcement says how many actions are left"),
        Corrected: Telling(
            sentences.corrects,
            "correct",
            said("What the pages show is put right by hand."),
            "round",
            aloud=sentences.corrected,
            at_once=True,
        ),
        GameEnded: Silent("the narrator says the result"),
    },
    {
        "transport": Telling(sentences.transports, means=explanations.transport, card="transport"),
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
        "draw": Telling(pattern("%(name)s's station comes out"), means=explanations.draw, card="establish"),
        "ship": Telling(pattern("%(name)s plays %(set)s for a bigger ship"), means=explanations.ship, card="ship"),
        "technology": Telling(
            pattern("%(name)s plays %(set)s for technology"), means=explanations.technology, card="technology"
        ),
        "end_turn": Telling(
            pattern("%(name)s ends the turn"),
            means=said("You may skip actions."),
            card="round",
            possible=said("End the turn"),
            how=said("you may skip actions"),
        ),
    },
)
