"""Names and short descriptions for pages of the wreck, and its texts on pages that all games share."""

from __future__ import annotations

import re

from companion.games.wreck.rooms import label_of
from companion.games.wreck.tellings import room, technology_in
from companion.games.wreck.terms import SYMBOLS
from companion.kernel.fields import Line
from web.http.i18n import _, lazy, translated
from web.request.game_pages import GameWords

DEEDS = {
    "training": lazy("Train up to 2 researchers"),
    "support": lazy("Call up to 2 researchers"),
    "improvise": lazy("Train 1 or call 1"),
    "move": lazy("Move up to 3 steps"),
    "technology": lazy("Use a technology"),
    "contamination": lazy("Lose a researcher"),
}
"""The use of each symbol of a die, in a few words."""
PAYS = {
    "training": lazy("Pay with Training"),
    "support": lazy("Pay with Support"),
    "improvise": lazy("Pay with Improvise"),
    "move": lazy("Pay with Movement"),
    "technology": lazy("Pay with Technology"),
}
"""Each symbol of a die as the price of a step or of exploring."""
EFFECTS = {
    "armoury": lazy("Send any researcher back to its species card"),
    "hangar": lazy("Fly one researcher from here to any room"),
    "quarters": lazy("Move 2 steps"),
    "communications": lazy("Train 1 or call 1"),
    "bridge": lazy("Draw 2 personal missions, put 2 back"),
    "airlock": lazy("Where everyone starts"),
    "engine": lazy("Each call brings 1 more"),
    "reactor": lazy("Swap two researchers in adjacent rooms"),
    "cryo": lazy("Needs 2 researchers to control"),
    "laboratory": lazy("Needs 2 researchers; no teleporters"),
    "zone": lazy("Needs 2 researchers; contamination hits here first"),
}
"""The effect of each room, in a few words."""
WORDS = GameWords(
    setup=lazy("players, species, rooms"),
    demo=lazy("three made-up players, your taps"),
    practice=lazy(
        "Three made-up players play slowly, and every step is explained. Pause, go step by step, or leave any time."
    ),
    corrections=lazy("researchers, rooms, dice, KP"),
    leaving=lazy("Whoever leaves keeps rooms and KP. The companion declines offers and ends the turns."),
    log=lazy("the whole game"),
    steps={
        "setup": lazy("Set-up"),
        "offer": lazy("An offer"),
        "answer": lazy("An answer"),
        "turn": lazy("A turn"),
        "cleanup": lazy("Clean-up"),
    },
    limits={
        "offer": lazy("An offer"),
        "answer": lazy("An answer"),
        "turn": lazy("A turn"),
        "cleanup": lazy("Clean-up"),
    },
    penalty=lazy("lose one die"),
)
LAST_PARTS = re.compile(r"(?<=\w{3})(cations|kations|kammer|kamer|zentrale|quartiere|verblijf|schleuse|sluis|raum)")


def room_name(room: str) -> str:
    """Return the name of *room* with soft hyphens, as some browsers can't hyphenate Dutch and German words."""
    return LAST_PARTS.sub("\u00ad\\1", str(translated(label_of(room))))


def effect_in_words(effect: Line, header: Line) -> str:
    """Return one effect of a card or a correction in a few words. The effect may be incomplete."""
    names = {player["colour"]: player["name"] for player in header.get("players", ())}
    name = names.get(effect.get("colour", ""), effect.get("colour", ""))
    match effect.get("what"):
        case "researchers":
            ends = {"source": _place(effect.get("from")), "target": _place(effect.get("to"))}
            return _(
                "%(name)s: %(count)s from %(source)s to %(target)s", name=name, count=effect.get("count", 1), **ends
            )
        case "teleporter":
            ends = {"source": _place(effect.get("from")), "target": _place(effect.get("to"))}
            return _("%(name)s's teleporter from %(source)s to %(target)s", name=name, **ends)
        case "die":
            ends = {"source": _side(effect.get("from")), "target": _side(effect.get("to"))}
            return _("%(name)s's die: %(source)s to %(target)s", name=name, **ends)
        case "vaccines":
            return _("%(name)s: %(count)s vaccine markers", name=name, count=_signed(effect))
        case "kp":
            return _("%(name)s: %(count)s KP", name=name, count=_signed(effect))
        case "explore":
            return _("%(room)s is open", room=room(effect.get("room")))
        case "used":
            card = technology_in(header, effect.get("id"))
            return _("%(card)s is used", card=card) if effect.get("used") else _("%(card)s is ready", card=card)
        case "room_action":
            return (
                _("%(name)s: room action used", name=name)
                if effect.get("used")
                else _("%(name)s: room action free", name=name)
            )
        case _:
            return ""


def _place(name: object) -> str:
    words = {"supply": _("Supply"), "species": _("Species card"), "place": _("Own place")}
    return words.get(str(name)) or room(name)


def _side(symbol: object) -> str:
    return str(translated(SYMBOLS[symbol])) if symbol in SYMBOLS else _("no die")


def _signed(effect: Line) -> str:
    count = effect.get("count", 0)
    return f"+{count}" if isinstance(count, int) and count > 0 else str(count)
