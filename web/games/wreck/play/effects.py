"""The page for the effects of a technology's card. They are entered one by one and sent together."""

from __future__ import annotations

from typing import Any

from companion.games.wreck.cards import TELEPORTER
from companion.games.wreck.state import Phase, State
from companion.kernel.fields import Line
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.games.wreck.components.words import effect_in_words
from web.games.wreck.play.choices import technology_name
from web.games.wreck.play.effect_fields import KINDS, EffectEntry, hint, picture, rows
from web.http.i18n import translated
from web.request.game_pages import Elsewhere, Look, Scene


def effects_scene(look: Look) -> Scene | Elsewhere:
    """Return the page for the effects of the technology `tech` in the query."""
    state: State = look.state
    tech = look.query.get("tech", "")
    known = {each.id for each in state.setting.technologies} - {TELEPORTER}
    if state.phase is not Phase.TURNS or tech not in known:
        return Elsewhere()
    entry = EffectEntry.of(state, look.query)
    line = _line(state, entry)
    facts = _facts(look.snapshot, entry) | {
        "line": line,
        "reason": why_not(look.snapshot, line),
        "ship": picture(state, entry),
        "rows": rows(state, entry),
    }
    return Scene("wreck/effects.html", facts, PlayBar(technology_name(state, tech), back=to()))


def _facts(snapshot: Snapshot, entry: EffectEntry) -> dict[str, Any]:
    """Return the template values: the effects entered so far in words, and the URLs of the next choices."""
    header = snapshot.header or {}
    return {
        "entered": [effect_in_words(each, header) for each in entry.entered],
        "current": "" if entry.effect is None else effect_in_words(entry.effect, header),
        "hint": hint(entry),
        "kinds": [(translated(words), entry.kind == kind, entry.of_kind(kind)) for kind, words in KINDS.items()],
        "another": entry.another(),
        "again": to("effects", tech=entry.tech),
    }


def _line(state: State, entry: EffectEntry) -> Line:
    effects = [*entry.entered, *([] if entry.effect is None else [entry.effect])]
    return {"do": "technology", "player": state.turn, "die": "technology", "id": entry.tech, "effects": effects}
