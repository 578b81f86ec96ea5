"""History in sentences: one short one for each line of a record, names first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from companion.games.wreck.cards import PERSONAL
from companion.games.wreck.rooms import ROOMS
from companion.games.wreck.terms import SYMBOLS
from companion.kernel.i18n import Said
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from web.http.formatting import listed
from web.http.i18n import _, lazy, ngettext, translated

BY_HAND = "put right by hand"
"""The reason that a record has of a correction for which nobody gave another."""


@shows("_names", "_technologies")
class Words:
    """The names of one game: players by colour, technologies by id."""

    def __init__(self, header: Line) -> None:
        self._names = {player["colour"]: player["name"] for player in header.get("players", ())}
        self._technologies = {each["id"]: each["name"] for each in header.get("technologies", ())}

    def name(self, colour: object) -> str:
        """Return the name of the player of *colour*."""
        return str(self._names.get(colour, colour))

    def technology(self, id: object) -> str:
        """Return what a technology is called: the table's word, else a number or the name that everybody knows."""
        if self._technologies.get(id):
            return str(self._technologies[id])
        shared = {"teleporter": _("Teleporter"), "vaccine": _("Vaccine")}
        return shared.get(str(id)) or _("Technology %(num)s", num=[*self._technologies, id].index(id) + 1)

    def who(self, line: Line) -> dict[str, str]:
        """Return what fills a sentence about whoever plays *line*."""
        return {"name": self.name(line["player"])}


def tell(line: Line, header: Line) -> str:
    """Return one sentence for *line* of the game that *header* began."""
    teller = TELLERS.get(str(line.get("do")))
    return teller(line, Words(header)) if teller else str(line.get("do"))


def room(name: object) -> str:
    """Return the table's word for a room."""
    return str(translated(ROOMS[str(name)].label)) if name in ROOMS else str(name)


def dice(symbols: Iterable[str]) -> str:
    """Return dice in words, equal ones counted."""
    counted = Counter(symbols)
    return listed(f"{count} {translated(SYMBOLS[symbol])}" for symbol, count in counted.items())


def place(name: object) -> str:
    """Return the table's word for a place of a researcher or a teleporter."""
    words = {"supply": _("Supply"), "species": _("Species card"), "place": _("Own place")}
    return words.get(str(name)) or room(name)


def mission(name: object) -> str:
    """Return the table's word for a mission."""
    return _("a personal mission") if name == PERSONAL else _("general mission %(num)s", num=str(name)[1:])


def effect_in_words(effect: Line, header: Line) -> str:
    """Return one effect of a card or a correction in a few words; of one that is not whole as much as there is."""
    say = Words(header)
    name = say.name(effect.get("colour", ""))
    match effect.get("what"):
        case "researchers":
            ends = {"source": place(effect.get("from")), "target": place(effect.get("to"))}
            return _(
                "%(name)s: %(count)s from %(source)s to %(target)s", name=name, count=effect.get("count", 1), **ends
            )
        case "teleporter":
            ends = {"source": place(effect.get("from")), "target": place(effect.get("to"))}
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
            card = say.technology(effect.get("id"))
            return _("%(card)s is used", card=card) if effect.get("used") else _("%(card)s is ready", card=card)
        case "room_action":
            return (
                _("%(name)s: room action used", name=name)
                if effect.get("used")
                else _("%(name)s: room action free", name=name)
            )
        case _:
            return ""


def _side(symbol: object) -> str:
    return str(translated(SYMBOLS[symbol])) if symbol in SYMBOLS else _("no die")


def _signed(effect: Line) -> str:
    count = effect.get("count", 0)
    return f"+{count}" if isinstance(count, int) and count > 0 else str(count)


def _plain(sentence: Said) -> Callable[[Line, Words], str]:
    """Return a teller for a sentence that names the player and nothing else."""
    return lambda line, say: _(sentence.pattern, **say.who(line))


def _open(line: Line, say: Words) -> str:
    card = line.get("card")
    if not card:
        return _("The next general mission is open")
    return _("General mission: %(card)s, %(kp)s KP", card=card["name"] or _("no name"), kp=card["kp"])


def _roll(line: Line, say: Words) -> str:
    again = len(line.get("rerolls", ()))
    text = _("%(name)s rolls %(dice)s", **say.who(line), dice=dice(line.get("dice", ())))
    return f"{text}. {ngettext('Rerolled once', 'Rerolled %(num)s times', again)}" if again else text


def _offer(line: Line, say: Words) -> str:
    return _("%(name)s offers %(dice)s", **say.who(line), dice=dice(line["dice"]))


def _accept(line: Line, say: Words) -> str:
    if line["die"] is None:
        return _("%(name)s takes the offer", **say.who(line))
    return _("%(name)s takes the offer and %(die)s", **say.who(line), die=translated(SYMBOLS[line["die"]]))


def _contaminate(line: Line, say: Words) -> str:
    rooms = listed(room(each) for each in line["remove"])
    if not rooms:
        return _("%(name)s loses nobody to contamination", **say.who(line))
    return ngettext(
        "%(name)s loses %(num)s researcher: %(rooms)s",
        "%(name)s loses %(num)s researchers: %(rooms)s",
        len(line["remove"]),
        rooms=rooms,
        **say.who(line),
    )


def _train(line: Line, say: Words) -> str:
    return ngettext(
        "%(name)s trains %(num)s researcher", "%(name)s trains %(num)s researchers", line["count"], **say.who(line)
    )


def _called(line: Line, say: Words, rooms: list[str]) -> str:
    where = listed(room(each) for each in dict.fromkeys(rooms))
    return ngettext(
        "%(name)s calls %(num)s researcher: %(rooms)s",
        "%(name)s calls %(num)s researchers: %(rooms)s",
        len(rooms),
        rooms=where,
        **say.who(line),
    )


def _call(line: Line, say: Words) -> str:
    return _called(line, say, line["to"])


def _move(line: Line, say: Words) -> str:
    steps = listed(f"{room(one)} → {room(other)}" for one, other in line["steps"])
    return _("%(name)s moves %(steps)s", **say.who(line), steps=steps)


def _explore(line: Line, say: Words) -> str:
    return _("%(name)s explores: %(room)s", **say.who(line), room=room(line["room"]))


def _technology(line: Line, say: Words) -> str:
    card = {"card": say.technology(line["id"])}
    if line.get("room"):
        return _("%(name)s places a teleporter: %(room)s", **say.who(line), room=room(line["room"]))
    return _("%(name)s uses %(card)s", **say.who(line), **card)


def _armoury(line: Line, say: Words) -> str:
    whom = {"other": say.name(line["colour"]), "room": room(line["from"])}
    return _("%(name)s sends %(other)s's researcher home: %(room)s", **say.who(line), **whom)


def _hangar(line: Line, say: Words) -> str:
    return _("%(name)s flies from the hangar: %(room)s", **say.who(line), room=room(line["to"]))


def _communications(line: Line, say: Words) -> str:
    if "train" in line:
        return _train({**line, "count": 1}, say)
    return _called(line, say, line["to"])


def _reactor(line: Line, say: Words) -> str:
    (one, here), (other, there) = line["swap"]
    both = {"one": say.name(one), "here": room(here), "other": say.name(other), "there": room(there)}
    return _("%(name)s swaps %(one)s (%(here)s) with %(other)s (%(there)s)", **say.who(line), **both)


def _fulfil(line: Line, say: Words) -> str:
    card = line.get("card") or {}
    text = _("%(name)s fulfils %(mission)s", **say.who(line), mission=card.get("name") or mission(line["mission"]))
    return f"{text}: {_('%(kp)s KP', kp=card['kp'])}" if card else text


def _correct(line: Line, say: Words) -> str:
    return _("Corrected") if line["reason"] == BY_HAND else _("Corrected: %(reason)s", reason=line["reason"])


TELLERS: dict[str, Callable[[Line, Words], str]] = {
    "open": _open,
    "exchange": _plain(lazy("%(name)s swaps the personal mission")),
    "roll": _roll,
    "offer": _offer,
    "accept": _accept,
    "decline": _plain(lazy("%(name)s passes the offer on")),
    "contaminate": _contaminate,
    "train": _train,
    "call": _call,
    "move": _move,
    "explore": _explore,
    "technology": _technology,
    "armoury": _armoury,
    "hangar": _hangar,
    "quarters": _move,
    "communications": _communications,
    "bridge": _plain(lazy("%(name)s looks at personal missions")),
    "reactor": _reactor,
    "fulfil": _fulfil,
    "end_turn": _plain(lazy("%(name)s ends the turn")),
    "correct": _correct,
}
