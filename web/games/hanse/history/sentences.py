"""History in sentences: one short one for each line of a record, names first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.hanse.cards import LABELS
from companion.games.hanse.places import LABELS as PLANETS
from companion.games.hanse.places import label_of
from companion.kernel.i18n import Said
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from web.http.i18n import _, lazy, ngettext, translated


@shows("_names")
class Words:
    """The names of one game, and its places and cards in the reader's language."""

    def __init__(self, header: Line) -> None:
        self._names = {player["colour"]: player["name"] for player in header["players"]}

    def name(self, line: Line) -> str:
        """Return the name of whoever plays *line*."""
        return str(self._names.get(line.get("player"), line.get("player", "")))

    def planet(self, id: object) -> str:
        """Return what a planet is called."""
        return PLANETS.get(str(id), str(id))

    def place(self, id: str) -> str:
        """Return what a place is called."""
        return str(translated(label_of(id)))

    def card(self, name: str) -> str:
        """Return what a card is called."""
        return str(translated(LABELS[name]))


def tell(line: Line, header: Line) -> str:
    """Return one sentence for *line* of the game that *header* began."""
    teller = TELLERS.get(str(line.get("do")))
    return teller(line, Words(header)) if teller else str(line.get("do"))


def _plain(sentence: Said) -> Callable[[Line, Words], str]:
    """Return a teller for a sentence that names the player and nothing else."""
    return lambda line, say: _(sentence.pattern, name=say.name(line))


def _choose(line: Line, say: Words) -> str:
    if line["take"] == "first":
        return _("%(name)s moves first", name=say.name(line))
    return _("%(name)s names the planet", name=say.name(line))


def _hyperjump(line: Line, say: Words) -> str:
    if line["direction"] == "inward":
        return _("%(name)s jumps to the innermost orbit", name=say.name(line))
    return _("%(name)s jumps to the outermost orbit", name=say.name(line))


def _roll(line: Line, say: Words) -> str:
    dice = ", ".join(map(str, line.get("dice", ())))
    return _("%(name)s rolls %(dice)s", name=say.name(line), dice=dice)


def _fly(line: Line, say: Words) -> str:
    if line["to"] in PLANETS:
        return _("%(name)s lands on %(planet)s", name=say.name(line), planet=say.planet(line["to"]))
    return _("%(name)s flies: %(place)s", name=say.name(line), place=say.place(line["to"]))


def _flip(line: Line, say: Words) -> str:
    sides = ", ".join(f"{say.planet(each['to'])} {each['value']}" for each in line["cards"])
    return _("%(name)s turns over: %(sides)s", name=say.name(line), sides=sides)


def _intervene(line: Line, say: Words) -> str:
    return _("%(name)s plays %(card)s", name=say.name(line), card=say.card(line["card"]))


def _end_turn(line: Line, say: Words) -> str:
    thrown = len(line.get("discard", ()))
    if not thrown:
        return _("%(name)s ends the turn", name=say.name(line))
    return ngettext(
        "%(name)s discards %(num)s card and ends the turn",
        "%(name)s discards %(num)s cards and ends the turn",
        thrown,
        name=say.name(line),
    )


def _correct(line: Line, say: Words) -> str:
    name = say.name(line)
    match {**line}:
        case {"megagalax": amount}:
            return _("%(name)s: corrected to %(num)s Megagalax", name=name, num=amount)
        case {"hand": amount}:
            return ngettext(
                "%(name)s: hand corrected to %(num)s card",
                "%(name)s: hand corrected to %(num)s cards",
                amount,
                name=name,
            )
        case {"place": place}:
            return _("%(name)s: ship corrected, %(place)s", name=name, place=say.place(place))
        case {"technologies": cards}:
            return _("%(name)s: technologies corrected, %(cards)s", name=name, cards=_counted(cards, say))
        case {"discards": cards}:
            return _("%(name)s: discards corrected, %(cards)s", name=name, cards=_counted(cards, say))
        case {"goods": goods}:
            return _("Goods corrected: %(planets)s", planets=", ".join(map(say.planet, goods)))
        case {"container": held}:
            return _("%(name)s: container %(num)s corrected", name=name, num=held["index"] + 1)
        case _:
            raise AssertionError("each correction has its sentence")


def _counted(cards: Mapping[str, Any], say: Words) -> str:
    return ", ".join(f"{say.card(card)} {count}" for card, count in cards.items())


TELLERS: Mapping[str, Callable[[Line, Words], str]] = {
    "goods": lambda line, say: _("The goods of %(planet)s are out", planet=say.planet(line["planet"])),
    "choose": _choose,
    "start": lambda line, say: _("Both ships start on %(planet)s", planet=say.planet(line["planet"])),
    "hyperjump": _hyperjump,
    "roll": _roll,
    "fly": _fly,
    "tunnel": _plain(lazy("%(name)s flies through the sun")),
    "load": lambda line, say: _("%(name)s loads for %(planet)s", name=say.name(line), planet=say.planet(line["to"])),
    "unload": lambda line, say: _("%(name)s unloads container %(num)s", name=say.name(line), num=line["container"] + 1),
    "flip": _flip,
    "buy": lambda line, say: _("%(name)s buys %(card)s", name=say.name(line), card=say.card(line["card"])),
    "intervene": _intervene,
    "allow": _plain(lazy("%(name)s allows it")),
    "neutralise": _plain(lazy("%(name)s neutralises it")),
    "end_turn": _end_turn,
    "correct": _correct,
}
