"""The page on which the opponent answers an intervention: allow it, or discard the same card."""

from __future__ import annotations

from companion.games.hanse.cards import EFFECTS, LABELS
from companion.games.hanse.commands import Choices, Exchange, Loading
from companion.games.hanse.places import LABELS as PLANET_LABELS
from companion.games.hanse.state import State, waited_for
from web.components.legality import why_not
from web.components.players import faces
from web.games.hanse.components.layout import bar
from web.games.hanse.components.space import space
from web.http.i18n import _, translated
from web.request.game_pages import Look, Scene


def answer_scene(look: Look) -> Scene:
    """Return the page on which the opponent answers."""
    state: State = look.state
    assert state.played is not None, "a card waits"
    known = faces(state.setting.seats)
    face, card = known[waited_for(state)[0]], state.played.card
    label = str(translated(LABELS[card]))
    neutralise = {"do": "neutralise", "player": face.colour}
    more = {
        "face": face,
        "card": card,
        "label": label,
        "asks": _("%(name)s plays %(card)s.", name=known[state.played.player].name, card=label),
        "effect": said_of(state.played.choices) or str(translated(EFFECTS[card])),
        "allow": {"do": "allow", "player": face.colour},
        "neutralise": neutralise,
        "reason": why_not(look.snapshot, neutralise),
        "space": space(look.snapshot, taps=False),
    }
    return Scene("hanse/answer.html", more, bar(state, face.name, face=face))


def said_of(choices: Choices) -> str:
    """Return the choices that were made for an intervention in words, or "" if it needs none."""
    match choices:
        case Loading(planet, to):
            return _("loads for %(to)s from %(planet)s", to=PLANET_LABELS[to], planet=PLANET_LABELS[planet])
        case Exchange(mine, theirs):
            return _("container %(mine)s for container %(theirs)s", mine=mine + 1, theirs=theirs + 1)
        case _:
            return ""
