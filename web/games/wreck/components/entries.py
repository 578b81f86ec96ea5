"""Mission cards that players type in, parsed from the query of a URL."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.cards import MOST_KP, MOST_SACRIFICED
from companion.games.wreck.state import State
from companion.kernel.fields import Line
from companion.kernel.names import trimmed
from companion.model.snapshot import Snapshot
from web.components.addresses import number

LONGEST = 40


def known_missions(snapshot: Snapshot) -> tuple[Line, ...]:
    """Return the missions entered in earlier games with this box, sorted by name, without those seen in this game."""
    state: State = snapshot.state
    seen = {each.card.name for each in state.general if each.card is not None}
    seen |= {each.name for player in state.players.values() for each in player.missions}
    cards = (snapshot.box or {}).get("missions", ())
    return tuple(sorted((each for each in cards if each["name"] not in seen), key=lambda each: each["name"].casefold()))


def card_of(query: Mapping[str, str]) -> Line | None:
    """Return the card in *query*, or None if it is incomplete."""
    kp, sacrifice = number(query, "kp", 0, MOST_KP), number(query, "sacrifice", 0, MOST_SACRIFICED)
    if kp is None or sacrifice is None:
        return None
    name = trimmed(query.get("name", ""), LONGEST)
    return {"name": name, "kp": kp, "sacrifice": sacrifice}
