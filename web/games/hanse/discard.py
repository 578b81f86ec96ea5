"""The page that ends a turn by discarding: players choose the discards, may name some of them, and then draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.hanse.cards import CARDS, LABELS
from companion.games.hanse.rules import legal
from companion.games.hanse.state import State, turn_of
from companion.games.hanse.turns import EndTurn, most_drawn
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.players import faces
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look, Scene

UNNAMED = "-"


@dataclass(frozen=True)
class DiscardedCard:
    """A card, which may have no name, and the URL that discards it or takes it back; "" if it can't be in the hand."""

    name: str | None
    label: str
    address: str


def discard_scene(look: Look) -> Scene:
    """Return the page that ends a turn with discards."""
    state: State = look.state
    player = turn_of(state).player
    chosen = _chosen(look.query.get("cards", ""))[: state.players[player].hand]
    if not legal(state, EndTurn(player, chosen)):
        chosen = ()
    left = state.players[player].discarding(chosen)
    more = {
        "still": bool(chosen),
        "face": faces(state.setting.seats)[player],
        "thrown": _thrown(chosen),
        "unnamed": _address((*chosen, None)) if left.hand else "",
        "named": tuple(_named(state, player, chosen, card) for card in CARDS),
        "hand": left.hand,
        "ways": _ways(player, chosen, most_drawn(state, left)),
    }
    heading = PlayBar(_("End the turn"), back=to())
    return Scene("hanse/discard.html", more, heading)


def _thrown(chosen: tuple[str | None, ...]) -> tuple[DiscardedCard, ...]:
    return tuple(
        DiscardedCard(card, _label(card), _address(chosen[:at] + chosen[at + 1 :])) for at, card in enumerate(chosen)
    )


def _chosen(text: str) -> tuple[str | None, ...]:
    words = text.split(",") if text else []
    return tuple(None if word == UNNAMED else word for word in words if word == UNNAMED or word in CARDS)


def _address(cards: tuple[str | None, ...]) -> str:
    return to("act/discard", cards=",".join(UNNAMED if card is None else card for card in cards))


def _label(card: str | None) -> str:
    return _("a card") if card is None else str(translated(LABELS[card]))


def _named(state: State, player: str, chosen: tuple[str | None, ...], card: str) -> DiscardedCard:
    more = (*chosen, card)
    return DiscardedCard(card, _label(card), _address(more) if legal(state, EndTurn(player, more)) else "")


def _ways(player: str, chosen: tuple[str | None, ...], most: int) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the ways to end the turn: drawing as many cards as allowed, or fewer."""
    line: dict[str, Any] = {"do": "end_turn", "player": player, **({"discard": list(chosen)} if chosen else {})}
    found = [(_drawn(most), line)]
    return (*found, *((_fewer(count), {**line, "draw": count}) for count in range(most - 1, -1, -1)))


def _drawn(count: int) -> str:
    return ngettext("End turn, draw %(num)s", "End turn, draw %(num)s", count) if count else _("End turn, draw none")


def _fewer(count: int) -> str:
    return _("Draw %(num)s", num=count) if count else _("Draw none")
