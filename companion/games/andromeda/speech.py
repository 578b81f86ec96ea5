"""What the table says aloud of a game of Andromeda: events in, sentences out, no card named that lies face down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.andromeda import events as happened
from companion.games.andromeda.commands import Amount, Credits, StationMove
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.state import (
    FULL_PLANETS_TO_END,
    HAND_LIMIT,
    KINDS,
    Phase,
    State,
    best_free_centre,
    full_planets,
    label_of,
    name_of,
)
from companion.games.andromeda.trading_view import laying, most_cards, must_lay, next_trader, size, trading_of
from companion.kernel.i18n import Said, all_of, said, said_n, word
from companion.model.speech import RING, TURN, Utterance, Verbosity

Sayings = tuple[Utterance, ...]
HOME, OUT = "to_earth", "to_planet"


class AndromedaSpeech:
    """Whose turn it is, and what each event did."""

    def turn(self, state: State) -> Utterance | None:
        """Return who is on the move, and with what."""
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

    def uttered(self, before: State, event: Any) -> Sayings:
        """Return what is said of *event*; of most that others can see, one sentence."""
        return () if type(event) in SILENT else TELLERS[type(event)](before, event)


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
    """Return who speaks in the trading phase, and what there is to say."""
    partner = trading_of(state).partner
    if partner:
        return _turn(said("%(name)s, keep or leave?", name=name_of(state, partner)), partner)
    if must_lay(state):
        return Utterance(said("Everyone else, one card face down."), must_lay(state), Verbosity.USUAL, TURN)
    if laying(state):
        sentence = LAYS[min(size(state), len(LAYS) - 1)] if size(state) < most_cards(state) else SWAP
        return _turn(Said(sentence.pattern, {"name": name_of(state, state.starter)}), state.starter)
    trader = next_trader(state)
    return _turn(said("%(name)s, swap or take the cards back?", name=name_of(state, trader)), trader)


def _of(state: State, *seats: str) -> dict[str, str]:
    return {"name": name_of(state, seats[0])}


def _one(text: Said, seat: str, words: Verbosity = Verbosity.USUAL, topic: str = "") -> Sayings:
    return (Utterance(text, (seat,), words, topic),)


def _round(before: State, event: happened.RoundBegan) -> Sayings:
    name = name_of(before, event.starter)
    return (Utterance(said("Round %(num)s. %(name)s starts.", num=event.number, name=name)),)


def _phase(before: State, event: happened.PhaseBegan) -> Sayings:
    sentence = PHASES.get(event.phase)
    return () if sentence is None else (Utterance(sentence),)


def _transported(before: State, event: happened.Transported) -> Sayings:
    where = {"name": name_of(before, event.player), "planet": label_of(before, event.planet)}
    if event.move == OUT:
        text = said_n(
            "%(name)s flies %(num)s station to %(planet)s.",
            "%(name)s flies %(num)s stations to %(planet)s.",
            event.stations,
            **where,
        )
    else:
        text = said_n(
            "%(name)s flies %(num)s station home from %(planet)s.",
            "%(name)s flies %(num)s stations home from %(planet)s.",
            event.stations,
            **where,
        )
    return _one(text, event.player)


def _laid(before: State, event: happened.CardLaid) -> Sayings:
    """Name the starting player's card alone: the others' lie face down, and are seen when they are turned over."""
    name = name_of(before, event.player)
    if event.player != before.starter:
        return _one(said("%(name)s has played.", name=name), event.player, Verbosity.ALL)
    if event.card is None:
        return ()
    card = said("a %(kind)s credit", kind=word(event.card)) if event.card in KINDS else label_of(before, event.card)
    return _one(said("%(name)s plays %(card)s.", name=name, card=card), event.player, Verbosity.ALL)


def _swapped(before: State, event: happened.SetsSwapped) -> Sayings:
    names = {"name": name_of(before, event.player), "other": name_of(before, event.partner)}
    return (Utterance(said("%(name)s swaps with %(other)s.", **names), (event.player, event.partner)),)


def _set_taken(before: State, event: happened.SetTaken) -> Sayings:
    name = name_of(before, event.player)
    if trading_of(before).partner == event.player:
        return _one(said("%(name)s keeps the new cards.", name=name), event.player)
    return _one(said("%(name)s takes the cards back.", name=name), event.player, Verbosity.ALL)


def _exchanged(before: State, event: happened.CardsExchanged) -> Sayings:
    text = said_n(
        "%(name)s discards %(num)s card and draws %(num)s.",
        "%(name)s discards %(num)s cards and draws %(num)s.",
        event.cards,
        **_of(before, event.player),
    )
    return _one(text, event.player)


def _moved(before: State, event: happened.StationsMoved) -> Sayings:
    if not event.stations:
        return ()
    text = said_n(
        "%(name)s moves %(num)s station to %(planet)s.",
        "%(name)s moves %(num)s stations to %(planet)s.",
        event.stations,
        name=name_of(before, event.player),
        planet=label_of(before, event.planet),
    )
    return _one(text, event.player)


def _begun(before: State, event: happened.AttemptBegan) -> Sayings:
    slot = best_free_centre(before, event.planet)
    value = 0 if slot is None else before.setting.board.planet(event.planet).centres[slot]
    text = said_n(
        "%(name)s tries for the %(value)s at %(planet)s: %(num)s draw.",
        "%(name)s tries for the %(value)s at %(planet)s: %(num)s draws.",
        event.draws,
        name=name_of(before, event.player),
        value=value,
        planet=label_of(before, event.planet),
    )
    return _one(text, event.player, Verbosity.USUAL, RING)


def how_many_full(state: State) -> Said:
    """Return how many planets are full, and that the last round is on when they are enough."""
    full = full_planets(state)
    if full < FULL_PLANETS_TO_END:
        return said("%(full)s of %(until)s planets are full.", full=full, until=FULL_PLANETS_TO_END)
    if state.finished:
        return said("%(num)s planets are full.", num=full)
    return said("%(num)s planets are full: this is the last round.", num=full)


def _taken(before: State, event: happened.CentreTaken) -> Sayings:
    planet = before.setting.board.planet(event.planet)
    value = planet.centres[event.slot]
    won = said(
        "%(name)s takes the %(value)s at %(planet)s.", **_of(before, event.player), value=value, planet=planet.label
    )
    after = evolve(before, event)
    last = after.last_round and not before.last_round
    more = (Utterance(how_many_full(after), (), Verbosity.FEW),)
    return (*_one(won, event.player, Verbosity.FEW, RING), *(more if last else ()))


def _flown(before: State, event: happened.FlewHome) -> Sayings:
    attempt = before.attempt
    home = said("%(name)s's station flies home.", name=name_of(before, event.player))
    seats = (event.player,) if attempt is None else (event.player, attempt.player)
    left = 0 if attempt is None else attempt.draws_left - 1
    more = said_n("%(num)s draw left.", "%(num)s draws left.", left)
    return (
        Utterance(home, seats, Verbosity.USUAL, RING),
        *((Utterance(more, seats[1:], Verbosity.ALL),) if left else ()),
    )


def _back(before: State, event: happened.PutBack) -> Sayings:
    names = all_of([name_of(before, colour) for colour in event.colours])
    if len(event.colours) > 1:
        text = said("Two came out at once: %(names)s. Both go back.", names=names)
    else:
        text = said("Two came out at once. %(name)s's station goes back.", name=names)
    return (Utterance(text, event.colours, Verbosity.USUAL, RING),)


def _over(before: State, event: happened.AttemptEnded) -> Sayings:
    attempt = before.attempt
    if attempt is None or attempt.took:
        return ()
    names = {"name": name_of(before, attempt.player), "planet": label_of(before, attempt.planet)}
    return _one(said("No centre for %(name)s at %(planet)s.", **names), attempt.player, Verbosity.FEW)


def _earned(before: State, event: happened.CreditEarned) -> Sayings:
    return _one(
        said("%(name)s earns a %(kind)s credit.", **_of(before, event.player), kind=word(event.kind)), event.player
    )


def _risen(before: State, event: happened.LevelGained) -> Sayings:
    level = getattr(before.players[event.player], event.track) + 1
    name = name_of(before, event.player)
    if event.track == "ship":
        text = said("%(name)s's ship now holds %(cards)s cards.", name=name, cards=HAND_LIMIT[level])
    else:
        text = said("%(name)s reaches technology %(level)s.", name=name, level=level)
    return _one(text, event.player)


def _corrected(before: State, event: happened.Corrected) -> Sayings:
    """Say what was corrected; which credits somebody holds is nobody else's to hear."""
    name = name_of(before, event.player)
    match event.what:
        case StationMove(source, target, count):
            text = said_n(
                "Correction: %(num)s station of %(name)s's, from %(source)s to %(target)s.",
                "Correction: %(num)s stations of %(name)s's, from %(source)s to %(target)s.",
                count,
                name=name,
                source=_place(before, source),
                target=_place(before, target),
            )
        case Credits():
            text = said("Correction: %(name)s's credits.", name=name)
        case Amount(of, amount):
            pattern = AMOUNTS[of]
            text = Said(pattern.pattern, {"name": name}, pattern.plural, amount)
    return (Utterance(text, (event.player,), Verbosity.USUAL, "", True),)


def _place(state: State, place: str) -> Said | str:
    planet, _, slot = place.partition("/")
    if planet == "earth":
        return said("Earth")
    label = label_of(state, planet)
    return said("a centre of %(planet)s", planet=label) if slot else label


def _plainly(sentence: Said, words: Verbosity = Verbosity.USUAL) -> Callable[[State, Any], Sayings]:
    """Return a teller for a sentence that names the player and nothing else."""
    return lambda before, event: _one(Said(sentence.pattern, _of(before, event.player)), event.player, words)


LAYS = (
    said("%(name)s, play a card face up.", name=""),
    said("%(name)s, play a second card.", name=""),
    said("%(name)s, another card or a swap?", name=""),
)
"""What the starting player is asked, by how many cards there are already."""
SWAP = said("%(name)s, now swap.", name="")
PHASES: Mapping[str, Said] = {
    "trading": said("Trading. Quiet at the table."),
}
AMOUNTS: Mapping[str, Said] = {
    "ship": said_n(
        "Correction: %(name)s's ship is level %(num)s.", "Correction: %(name)s's ship is level %(num)s.", 1, name=""
    ),
    "technology": said_n(
        "Correction: %(name)s has technology %(num)s.", "Correction: %(name)s has technology %(num)s.", 1, name=""
    ),
    "transport": said_n(
        "Correction: %(name)s has %(num)s transport card.",
        "Correction: %(name)s has %(num)s transport cards.",
        1,
        name="",
    ),
    "hand": said_n("Correction: %(name)s has %(num)s card.", "Correction: %(name)s has %(num)s cards.", 1, name=""),
}
TELLERS: Mapping[type, Callable[[State, Any], Sayings]] = {
    happened.CardsShown: _plainly(said("%(name)s's stations are on the board.", name=""), Verbosity.ALL),
    happened.RoundBegan: _round,
    happened.PhaseBegan: _phase,
    happened.Transported: _transported,
    happened.TransportPassed: _plainly(said("%(name)s keeps the transport card.", name=""), Verbosity.ALL),
    happened.CardLaid: _laid,
    happened.PlayerExcused: _plainly(said("%(name)s sits out.", name="")),
    happened.SetsSwapped: _swapped,
    happened.SetLeft: _plainly(said("%(name)s leaves the new cards.", name="")),
    happened.SetTaken: _set_taken,
    happened.CardsExchanged: _exchanged,
    happened.StationsMoved: _moved,
    happened.AttemptBegan: _begun,
    happened.CentreTaken: _taken,
    happened.FlewHome: _flown,
    happened.PutBack: _back,
    happened.AttemptEnded: _over,
    happened.CreditEarned: _earned,
    happened.LevelGained: _risen,
    happened.Corrected: _corrected,
}
SILENT: Mapping[type, str] = {
    happened.Dealt: "everybody takes cards at this moment",
    happened.TurnBegan: "the announcement of the turn says it",
    happened.SetPlayed: "the action it pays for is said",
    happened.ActionDone: "the next announcement says how many actions are left",
    happened.GameEnded: "the narrator says the result",
}
"""What is never said aloud, and why nobody misses it."""
SPEECH = AndromedaSpeech()
