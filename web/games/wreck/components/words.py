"""Names and short descriptions for pages of the wreck, and its texts on pages that all games share."""

from __future__ import annotations

import re

from companion.games.wreck.rooms import label_of
from companion.games.wreck.tellings import room, technology_in
from companion.games.wreck.terms import SYMBOLS
from companion.kernel.fields import Line
from companion.kernel.said import said
from web.http.i18n import _, translated
from web.request.game_pages import GameWords

DEEDS = {
    "training": said("Train up to 2 researchers"),
    "support": said("Call up to 2 researchers"),
    "improvise": said("Train 1 or call 1"),
    "move": said("Move up to 3 steps"),
    "technology": said("Use a technology"),
    "contamination": said("Lose a researcher"),
}
"""The use of each symbol of a die, in a few words."""
PAYS = {
    "training": said("Pay with Training"),
    "support": said("Pay with Support"),
    "improvise": said("Pay with Improvise"),
    "move": said("Pay with Movement"),
    "technology": said("Pay with Technology"),
}
"""Each symbol of a die as the price of a step or of exploring."""
EFFECTS = {
    "armoury": said("Send any researcher back to its species card"),
    "hangar": said("Fly one researcher from here to any room"),
    "quarters": said("Move 2 steps"),
    "communications": said("Train 1 or call 1"),
    "bridge": said("Draw 2 personal missions, put 2 back"),
    "airlock": said("Where everyone starts"),
    "engine": said("Each call brings 1 more"),
    "reactor": said("Swap two researchers in adjacent rooms"),
    "cryo": said("Needs 2 researchers to control"),
    "laboratory": said("Needs 2 researchers; no teleporters"),
    "zone": said("Needs 2 researchers; contamination hits here first"),
}
"""The effect of each room, in a few words."""
WORDS = GameWords(
    setup=said("players, species, rooms"),
    demo=said("three made-up players, your taps"),
    practice=said(
        "Three made-up players play slowly, and every step is explained. Pause, go step by step, or leave any time."
    ),
    corrections=said("researchers, rooms, dice, KP"),
    leaving=said("Whoever leaves keeps rooms and KP. The companion declines offers and ends the turns."),
    log=said("the whole game"),
    steps={
        "setup": said("Set-up"),
        "offer": said("An offer"),
        "answer": said("An answer"),
        "turn": said("A turn"),
        "cleanup": said("Clean-up"),
    },
    limits={
        "offer": said("An offer"),
        "answer": said("An answer"),
        "turn": said("A turn"),
        "cleanup": said("Clean-up"),
    },
    penalty=said("lose one die"),
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
