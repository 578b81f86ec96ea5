"""The page of a player's phone: whose turn it is, the player's hand and stations, and the possible actions.

It never shows hands or face-down cards of other players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.rounds import to_deal
from companion.games.andromeda.scoring import score
from companion.games.andromeda.state import KINDS, Phase, State, best_free_centre, label_of
from companion.games.andromeda.tellings import TELLINGS
from companion.games.andromeda.trading import (
    forbidden_cards,
    has_the_word,
    most_cards,
    must_lay,
    shown_cards,
    sitting_out,
    size,
    trading_of,
    with_sets,
)
from companion.kernel.said import Said, said
from companion.model.countdown import NAMING, REVEAL
from companion.model.game import still_to_lay
from companion.model.snapshot import Snapshot, Status
from web.components.bar import Band, PlayBar, beside, step_mark, whose_turn
from web.components.legality import taken
from web.components.players import Face, faces
from web.games.andromeda.actions.hand import Tile
from web.games.andromeda.actions.turn import turn_bar, turn_scene
from web.games.andromeda.components.board import worths
from web.games.andromeda.components.layout import bar, cards_in_hand, score_bar, where
from web.games.andromeda.trading.page import ONE_MORE, WHICH_ONE, CardChoice, lay, question
from web.games.andromeda.trading.seats import ANSWER, DECIDE, KEEP, LAY, TRADE, LaidCard, card_of, ready, step_of
from web.http.formatting import listed
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look, Scene


@dataclass(frozen=True)
class PhoneWay:
    """One use of the player's set, in words. A swap also has the partner and the partner's face-up cards."""

    words: str
    line: dict[str, Any]
    face: Face | None = None
    cards: tuple[LaidCard, ...] = ()
    main: bool = False


@dataclass(frozen=True)
class Trade:
    """The trading phase as a seat sees it.

    *ask* is the request to the player, and *hint* says whether a swap is forced. *own* are the seat's cards on the
    table, with the caption *own_words*; *leads* are those of the starting player. If the seat *answers*, *banned* are
    the cards that it must not lay. *may_name* says that the seat can name its card. *names* says that it is just
    choosing that name, from *lays*. *unnamed* is the line that lays a card without naming it. *grows* is the text of
    the button for one more card instead of a swap.
    """

    ask: str
    hint: str = ""
    own: tuple[LaidCard, ...] = ()
    own_words: str = ""
    leads: tuple[LaidCard, ...] = ()
    answers: bool = False
    banned: tuple[LaidCard, ...] = ()
    may_name: bool = False
    names: bool = False
    lays: tuple[CardChoice, ...] = ()
    unnamed: dict[str, Any] | None = None
    ways: tuple[PhoneWay, ...] = ()
    excuse: dict[str, Any] | None = None
    excuse_reason: str = ""
    grows: str = ""
    end: dict[str, Any] | None = None


def answered(snapshot: Snapshot, own: str) -> bool:
    """Tell whether the seat *own* has said that its card is laid, although the record doesn't contain the card yet."""
    state: State = snapshot.state
    return state.trading is not None and step_of(snapshot) in (ANSWER, REVEAL) and own in ready(snapshot)


def trading_for(snapshot: Snapshot, own: str, query: Mapping[str, str]) -> Trade:
    """Return the trading phase as *own* sees it."""
    state: State = snapshot.state
    if state.options.trade_record == "off" or state.trading is None:
        end = {"do": "end_trading"} if own == state.starter else None
        return Trade(_("Trade at the table"), end=end)
    step = step_of(snapshot)
    mine = own in has_the_word(state) and step != REVEAL and not answered(snapshot, own)
    answers = mine and step == ANSWER
    unnamed = step == ANSWER and own in must_lay(state)
    picks = (unnamed and "name" in query) or (mine and _may_grow(state, step) and "more" in query)
    excuse = {"do": "excuse", "player": own}
    return Trade(
        ask=_ask(snapshot, own, step, mine, picks),
        hint=_hint(state, step) if mine and not picks else "",
        own=tuple(card_of(state, card) for card in trading_of(state).sets.get(own, ())),
        own_words=_own_words(step, mine and not picks),
        leads=tuple(card_of(state, card) for card in shown_cards(state, state.starter)),
        answers=answers,
        banned=tuple(card_of(state, card) for card in forbidden_cards(state)) if answers else (),
        may_name=unnamed and not picks,
        names=picks,
        lays=_lays(snapshot, own, step) if picks or (mine and step in (LAY, NAMING)) else (),
        unnamed=lay(own, None) if mine and step == LAY and not taken(snapshot, lay(own, None)) else None,
        ways=_ways(state, own, step) if mine and not picks else (),
        excuse=excuse if unnamed else None,
        excuse_reason=taken(snapshot, excuse) if unnamed else "",
        grows=_(ONE_MORE[size(state)]) if mine and _may_grow(state, step) else "",
    )


def _may_grow(state: State, step: str) -> bool:
    """Tell whether players may lay one more card instead of a swap."""
    return step == DECIDE and size(state) < most_cards(state)


ASKS: Mapping[str, tuple[Said, ...]] = {
    LAY: (said("Play a card face up"), said("Play a second card face up")),
    ANSWER: (
        said("Play a card face down"),
        said("Play a second card face down"),
        said("Play a third card face down"),
        said("Play a fourth card face down"),
    ),
    NAMING: (said("Which card did you play?"),),
    KEEP: (said("Keep the new cards?"),),
    DECIDE: (said("Who do you swap with?"),),
    TRADE: (said("Who do you swap with?"),),
}
"""The request to the player who must act, for each step of trading: for the first card, the second, and so on."""


def _ask(snapshot: Snapshot, own: str, step: str, mine: bool, picks: bool) -> str:
    state: State = snapshot.state
    if own in sitting_out(state):
        return _("You sit out this trading phase")
    if answered(snapshot, own):
        return _("You have played")
    if not mine:
        return question(snapshot, faces(state.setting.seats), step)["ask"]
    if picks and step == DECIDE:
        return _(WHICH_ONE[size(state)])
    asks = ASKS[step]
    return _(asks[size(state) - (step == ANSWER) if len(asks) > 1 else 0])


def _hint(state: State, step: str) -> str:
    """Return whether the player who asks for a swap has to make one."""
    if step == DECIDE:
        grows = _may_grow(state, step)
        return _("You must swap, now or after one more card.") if grows else _("You must swap. Nobody may refuse.")
    return _("Or take your set back: you don't have to swap.") if step == TRADE else ""


def _own_words(step: str, mine: bool) -> str:
    """Return the caption of a seat's cards: the cards that it has laid or offers, or the set after a swap."""
    if mine and step in (DECIDE, TRADE):
        return _("You give")
    if step == KEEP:
        return _("The new cards") if mine else _("Your set")
    return _("Your set") if step == TRADE else _("On the table")


def _lays(snapshot: Snapshot, own: str, step: str) -> tuple[CardChoice, ...]:
    """Return the cards that can be laid: planets, the credits in hand, and an unnamed card unless it has a button."""
    credits = (kind for kind in KINDS if snapshot.state.players[own].credit(kind))
    cards = (*PLANETS, *credits, *(() if step == LAY else (None,)))
    lines = ((card, lay(own, card)) for card in cards)
    return tuple(CardChoice(card_of(snapshot.state, card), line, taken(snapshot, line)) for card, line in lines)


def _ways(state: State, own: str, step: str) -> tuple[PhoneWay, ...]:
    if step == KEEP:
        keep = PhoneWay(_("Keep"), {"do": "keep", "player": own}, main=True)
        return (keep, PhoneWay(_("Leave"), {"do": "leave", "player": own}))
    if step not in (DECIDE, TRADE):
        return ()
    known = faces(state.setting.seats)
    swaps = tuple(
        PhoneWay(known[seat].name, {"do": "swap", "player": own, "with": seat}, known[seat], _open_cards(state, seat))
        for seat in with_sets(state)
        if seat != own
    )
    back = PhoneWay(_("Take your set back"), {"do": "take_back", "player": own})
    return (*swaps, back) if step == TRADE else swaps


def _open_cards(state: State, seat: str) -> tuple[LaidCard, ...]:
    return tuple(card_of(state, card) for card in shown_cards(state, seat))


LATELY = 2
TURN = ("deeds", "end_turn", "ends", "tiles")
"""The parts of the board's page that a phone shows during its player's turn."""


@dataclass(frozen=True)
class HeldStations:
    """The player's stations on one planet, with the value of the planet's next centre. For Earth, *planet* is None.

    *tile* begins an attempt there, if that is possible now.
    """

    planet: Planet | None
    count: int
    value: int | None = None
    tile: Tile | None = None


def seat_scene(look: Look) -> Scene:
    """Return the page of the viewer's seat."""
    state: State = look.state
    own = str(look.viewer.seat)
    face, mine = faces(state.setting.seats)[own], must_act(look.snapshot, own)
    turn = _turn(look, own) if mine else {}
    more = {
        "face": face,
        "mine": mine,
        "credits": _credits(state, own),
        "held": _held(state, own, turn.get("tiles", {})),
        "worths": worths(state),
        "lately": _lately(look.snapshot),
        "turn": turn,
        "drawing": _drawing(state, own) if state.phase is Phase.CARDS else None,
        "trading": trading_for(look.snapshot, own, look.query) if state.phase is Phase.TRADING else None,
    }
    return Scene("andromeda/phone.html", more, bar(state, face.name, face=face))


def must_act(snapshot: Snapshot, own: str) -> bool:
    """Tell whether this seat must act now and has not answered yet."""
    assert snapshot.game is not None, "only a game has seats"
    if snapshot.status is not Status.LIVE or (snapshot.timing is not None and snapshot.timing.lead_ms):
        return False
    return own in snapshot.game.waited_for(snapshot.state) and not answered(snapshot, own)


def band(look: Look, own: str, heading: PlayBar) -> Band:
    """Return the band of the phone of *own*."""
    state: State = look.state
    mine = must_act(look.snapshot, own)
    title, words, used, left = _said(look, own) if mine else (_waiting(look.snapshot), "", 0, 0)
    face, place, points = faces(state.setting.seats)[own], where(state)[0], _points(look.snapshot, own)
    hand = cards_in_hand(state.players[own].hand)
    return Band(face, title, place, points, words, used, left, step_mark(look.snapshot, mine), hand)


def _said(look: Look, own: str) -> tuple[str, str, int, int]:
    """Return the title during the seat's own turn, and what is left of it in words and as numbers used and left."""
    state: State = look.state
    title = whose_turn(faces(state.setting.seats)[own], mine=True)
    if state.attempt:
        left = state.attempt.draws_left
        words = ngettext("%(num)s draw left", "%(num)s draws left", left)
        return (
            _("You at %(planet)s", planet=label_of(state, state.attempt.planet)),
            words,
            state.attempt.draws - left,
            left,
        )
    if state.phase is Phase.TRADING and len(_open(look.snapshot)) > 1:
        return _("Everyone plays"), "", 0, 0
    if state.phase is Phase.TRANSPORT:
        cards = state.players[own].transport
        return title, ngettext("%(num)s transport left", "%(num)s transports left", cards), 2 - cards, cards
    if state.phase is not Phase.ACTIONS:
        return title, _("You start this round") if state.phase is Phase.CARDS else "", 0, 0
    counted = turn_bar(state)
    return title, counted.left_words, counted.used, counted.left


def _points(snapshot: Snapshot, own: str) -> str:
    """Return the player's points in words, with the distance to the best of the others."""
    totals = {each.colour: each.points for each in score_bar(snapshot)}
    points = totals.pop(own)
    words = ngettext("%(num)s point", "%(num)s points", points)
    return ", ".join(filter(None, (words, beside(points, max(totals.values())))))


def _waiting(snapshot: Snapshot) -> str:
    """Return a line of text that says what the game is waiting for."""
    state: State = snapshot.state
    assert snapshot.game is not None, "only a game has seats"
    if snapshot.status in (Status.PAUSED, Status.ABANDONED):
        return _("Game paused")
    if snapshot.timing is not None and snapshot.timing.lead_ms:
        return _("Three, two, one")
    known = faces(state.setting.seats)
    if state.attempt:
        return _("%(name)s draws", name=known[state.attempt.player].name)
    names = [known[seat].name for seat in _open(snapshot)]
    if len(names) != 1:
        return _("Waiting for %(names)s", names=listed(names)) if names else _("All have played")
    return _one_waited_for(snapshot, names[0])


def _open(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the seats that must act now and have not answered yet."""
    assert snapshot.game is not None, "only a game has seats"
    return tuple(seat for seat in snapshot.game.waited_for(snapshot.state) if not answered(snapshot, seat))


def _one_waited_for(snapshot: Snapshot, name: str) -> str:
    state: State = snapshot.state
    match state.phase:
        case Phase.CARDS:
            return _("Deal the cards") if sum(to_deal(state).values()) else _("All hands are full")
        case Phase.TRANSPORT:
            return _("%(name)s: transport?", name=name)
        case Phase.TRADING if snapshot.game and still_to_lay(snapshot.game, state):
            return _("Waiting for %(names)s", names=name)
        case Phase.TRADING:
            return _("%(name)s trades", name=name)
        case Phase.ACTIONS:
            return _("%(name)s's turn", name=name)
        case Phase.SETUP | Phase.FINISHED:
            return _("Waiting for %(names)s", names=name)


def _credits(state: State, own: str) -> str:
    """Return the credits in the player's hand in words, or "" without any."""
    player = state.players[own]
    words = {
        "silver": lambda n: ngettext("a silver credit", "%(num)s silver credits", n),
        "gold": lambda n: ngettext("a gold credit", "%(num)s gold credits", n),
        "platinum": lambda n: ngettext("a platinum credit", "%(num)s platinum credits", n),
        "diamond": lambda n: ngettext("a diamond credit", "%(num)s diamond credits", n),
    }
    held = listed([words[kind](count) for kind, count in zip(KINDS, player.credits, strict=True) if count])
    if held and state.options.show_bonus_credits == "end":
        worth = score(state, own).bonus  # Scores don't include them before the end.
        return _("%(credits)s, +%(points)s points", credits=held, points=worth)
    return held


def _held(state: State, own: str, tiles: Mapping[str, Tile]) -> tuple[HeldStations, ...]:
    player = state.players[own]
    planets = (
        HeldStations(planet, player.on(planet.id), _next_value(state, planet), tiles.get(planet.id))
        for planet in state.setting.board.planets
    )
    return (*planets, HeldStations(None, player.earth))


def _next_value(state: State, planet: Planet) -> int | None:
    slot = best_free_centre(state, planet.id)
    return None if slot is None else planet.centres[slot]


def _lately(snapshot: Snapshot) -> tuple[tuple[Face | None, str], ...]:
    """Return the last events and their players, newest first."""
    assert snapshot.header is not None, "only a game has a story"
    header, known = snapshot.header, faces(snapshot.state.setting.seats)
    standing = [entry.line for entry in snapshot.recent if not entry.undone and entry.line.get("do") != "undo"]
    whose = [known.get(str(line.get("player") or line.get("colour"))) for line in standing]
    texts = [translated(TELLINGS.sentence(line, header)) for line in standing[:LATELY]]
    return tuple(zip(whose, texts, strict=False))


def _drawing(state: State, own: str) -> dict[str, Any]:
    """Return how many cards each player draws now: the player of this seat, and each in seat order."""
    cards, known = to_deal(state), faces(state.setting.seats)
    each = tuple({"colour": seat, "name": face.name, "cards": cards[seat]} for seat, face in known.items())
    return {"own": cards[own], "total": sum(cards.values()), "each": each, "starter": known[state.starter].name}


def _turn(look: Look, own: str) -> dict[str, Any]:
    """Return the actions of this seat outside of transport and trading."""
    state: State = look.state
    match state.phase:
        case Phase.CARDS:
            return {"deal": {"do": "deal"}}
        case Phase.ACTIONS:
            return {name: value for name, value in turn_scene(look).context.items() if name in TURN}
        case _:
            return {}
