"""History in sentences: one short one for each line of a record, names first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.andromeda.board import EXAMPLE, PLANETS, shown_label
from companion.games.andromeda.state import KINDS
from companion.kernel.i18n import Said, word
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from web.http.formatting import listed
from web.http.i18n import _, lazy, ngettext, translated


@shows("_names")
class Words:
    """The names of one game: players by colour, planets by slot."""

    def __init__(self, header: Line) -> None:
        self._names = {player["colour"]: player["name"] for player in header["players"]}
        rows = header.get("board", {}).get("planets", ())
        self._labels = {planet.id: planet.label for planet in EXAMPLE.planets} | {
            row["id"]: shown_label(row["label"]) for row in rows
        }

    def name(self, colour: object) -> str:
        """Return the name of the player of *colour*."""
        return str(self._names.get(colour, colour))

    def planet(self, slot: object) -> str:
        """Return the table's word for a planet."""
        return str(translated(self._labels.get(slot, slot)))

    def card(self, card: object) -> str:
        """Return what a card laid for trading is called."""
        if card is None:
            return _("a card")
        if card in KINDS:
            return _("a %(kind)s credit", kind=word(str(card)))
        planet = self.planet(card)
        vowel = planet[:1].lower() in "aeiou"
        return _("an %(planet)s card", planet=planet) if vowel else _("a %(planet)s card", planet=planet)

    def place(self, place: str) -> str:
        """Return what a place of a correction is called."""
        planet, _sep, slot = place.partition("/")
        if planet not in PLANETS:
            return _("Earth")
        return _("a centre of %(planet)s", planet=self.planet(planet)) if slot else self.planet(planet)

    def set(self, line: Line) -> str:
        """Return a set that was played."""
        cards = f"{line['cards']} {self.planet(line['planet'])}"
        jokers = len(line.get("jokers", ()))
        return (
            ngettext("%(set)s and %(num)s joker", "%(set)s and %(num)s jokers", jokers, set=cards) if jokers else cards
        )

    def who(self, line: Line) -> dict[str, str]:
        """Return what fills a sentence about whoever plays *line*."""
        return {"name": self.name(line["player"])}


def tell(line: Line, header: Line) -> str:
    """Return one sentence for *line* of the game that *header* began."""
    teller = TELLERS.get(str(line.get("do")))
    return teller(line, Words(header)) if teller else str(line.get("do"))


def laid(line: Line, header: Line) -> str:
    """Return the name of the card that *line* lays, as it stands beside its picture."""
    card = line["card"]
    if card is None:
        return _("a card")
    return translated(word(str(card))) if card in KINDS else Words(header).planet(card)


def _plain(sentence: Said) -> Callable[[Line, Words], str]:
    """Return a teller for a sentence that names the player and nothing else."""
    return lambda line, say: _(sentence.pattern, **say.who(line))


def _with_set(sentence: Said) -> Callable[[Line, Words], str]:
    return lambda line, say: _(sentence.pattern, **say.who(line), set=say.set(line))


def _transport(line: Line, say: Words) -> str:
    if line["move"] == "pass":
        return _("%(name)s keeps the transport card", **say.who(line))
    planet = say.planet(line["planet"])
    if line["move"] == "to_planet":
        return _("%(name)s flies from Earth to %(planet)s", **say.who(line), planet=planet)
    return _("%(name)s flies home from %(planet)s", **say.who(line), planet=planet)


def _exchange(line: Line, say: Words) -> str:
    return ngettext(
        "%(name)s exchanges %(num)s card", "%(name)s exchanges %(num)s cards", line["cards"], **say.who(line)
    )


def _move(line: Line, say: Words) -> str:
    return ngettext(
        "%(name)s plays %(set)s and moves %(num)s station",
        "%(name)s plays %(set)s and moves %(num)s stations",
        line["stations"],
        **say.who(line),
        set=say.set(line),
    )


def _correct(line: Line, say: Words) -> str:
    if "move" in line:
        return _moved_by_hand(line["move"], say.who(line), say)
    if line.get("bonus") == {}:  # hidden from whoever looks
        return _("%(name)s: credits corrected", **say.who(line))
    if "bonus" in line:
        return _("%(name)s: %(kinds)s credits corrected", **say.who(line), kinds=listed(map(word, line["bonus"])))
    what = next(name for name in AMOUNTS if name in line)
    return _("%(name)s: %(what)s corrected to %(num)s", **say.who(line), what=AMOUNTS[what], num=line[what])


def _moved_by_hand(move: Mapping[str, Any], who: Mapping[str, str], say: Words) -> str:
    return ngettext(
        "%(name)s: %(num)s station corrected, %(source)s to %(target)s",
        "%(name)s: %(num)s stations corrected, %(source)s to %(target)s",
        move["count"],
        **who,
        source=say.place(move["from"]),
        target=say.place(move["to"]),
    )


def _double_exit(line: Line, say: Words) -> str:
    both = listed(say.name(colour) for colour in line["colours"])
    if "out" in line:
        return _("Two at once, %(both)s: %(name)s counts, at random", both=both, name=say.name(line["out"]))
    return _("Two at once, %(both)s: both go back", both=both)


AMOUNTS: Mapping[str, Said] = {
    "ship": lazy("ship level"),
    "technology": lazy("technology level"),
    "transport": lazy("transport cards"),
    "hand": lazy("hand"),
}
TELLERS: Mapping[str, Callable[[Line, Words], str]] = {
    "setup": _plain(lazy("%(name)s's set-up cards are face up")),
    "deal": lambda line, say: _("Cards dealt"),
    "transport": _transport,
    "lay": lambda line, say: _("%(name)s plays %(card)s", **say.who(line), card=say.card(line["card"])),
    "excuse": _plain(lazy("%(name)s has no legal card and sits out")),
    "swap": lambda line, say: _("%(name)s swaps with %(other)s", **say.who(line), other=say.name(line["with"])),
    "keep": _plain(lazy("%(name)s keeps the new cards")),
    "leave": _plain(lazy("%(name)s leaves the new cards on the table")),
    "take_back": _plain(lazy("%(name)s takes the set back")),
    "end_trading": lambda line, say: _("Trading is over"),
    "exchange": _exchange,
    "move": _move,
    "establish": _with_set(lazy("%(name)s plays %(set)s for a centre")),
    "draw": lambda line, say: _("%(name)s's station comes out", name=say.name(line["colour"])),
    "double_exit": _double_exit,
    "stop_drawing": _plain(lazy("%(name)s stops drawing")),
    "ship": _with_set(lazy("%(name)s plays %(set)s for a bigger ship")),
    "technology": _with_set(lazy("%(name)s plays %(set)s for technology")),
    "end_turn": _plain(lazy("%(name)s ends the turn")),
    "correct": _correct,
}
