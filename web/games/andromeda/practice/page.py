"""The practice game as a page: the board, what has just happened, and what it means in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.autoplay.demo import DemoStatus
from companion.games.andromeda.actions import most_exchanged
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import (
    HAND_LIMIT,
    KINDS,
    TECHNOLOGY_POINTS,
    Phase,
    State,
    label_of,
    name_of,
    stations_on,
)
from companion.kernel.validation import Line
from web.components.players import Face, faces
from web.components.practice import practice
from web.games.andromeda.actions.turn import last_draws
from web.games.andromeda.components.board import picture
from web.games.andromeda.components.layout import bar, where
from web.games.andromeda.history.sentences import tell
from web.games.andromeda.setup.demo import RECORD
from web.http.i18n import _, lazy, ngettext, translated
from web.request.game_pages import Scene

SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"), ("yellow", "Dora"))
CARD_OF = {
    "setup": "setup",
    "deal": "cards",
    "transport": "transport",
    "lay": "lay",
    "excuse": "lay",
    "swap": "swap",
    "keep": "swap",
    "leave": "swap",
    "take_back": "swap",
    "exchange": "exchange",
    "move": "move",
    "establish": "establish",
    "draw": "establish",
    "ship": "ship",
    "technology": "technology",
    "end_turn": "round",
}
"""Which rules card explains a line."""

EARNED = {
    "silver": lazy("No joker in the set: it also earns a silver credit, worth 2 points."),
    "gold": lazy("No joker in the set: it also earns a gold credit, worth 3 points."),
    "platinum": lazy("No joker in the set: it also earns a platinum credit, worth 4 points."),
    "diamond": lazy("No joker in the set: it also earns a diamond credit, worth 5 points."),
}


@dataclass(frozen=True)
class Laid:
    """What lies before one player in a trading phase: planets by slot, credits by kind."""

    face: Face
    planets: tuple[str, ...]
    credits: tuple[str, ...]


def practice_header() -> Line:
    """Return the header of a practice game: four made-up players on the example board."""
    return {**RECORD, "players": [{"colour": colour, "name": name} for colour, name in SEATS], "first": "red"}


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice as it stands."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    words, phase = where(state)
    own = {"draws": last_draws(state), "laid": _laid(state), "phase": phase, "picture": picture(snapshot)}
    told = practice(shown, words, tell, lambda line, *around: _explained(shown, line))
    return Scene("andromeda/practice.html", own | told, bar(state, ""))


def _explained(shown: DemoStatus, line: Line) -> tuple[str, str]:
    return meaning(line, shown.practice.before, shown.practice.state), CARD_OF[str(line["do"])]


def _laid(state: State) -> tuple[Laid, ...]:
    """Return the sets on the table, all cards open: nobody here has anything to hide."""
    if state.trading is None:
        return ()
    known, sets = faces(state.setting.seats), state.trading.sets
    return tuple(
        Laid(known[colour], tuple(c for c in cards if c in PLANETS), tuple(c for c in cards if c in KINDS))
        for colour, cards in sets.items()
    )


def meaning(line: Line, before: State, after: State) -> str:
    """Return in one sentence or two why *line* matters, as it turned *before* into *after*."""
    text = MEANINGS[str(line["do"])](line, before, after)
    earned = _earned(line, before, after)
    return f"{text} {earned}" if earned else text


def _earned(line: Line, before: State, after: State) -> str:
    seat = line.get("player") or getattr(before.attempt, "player", "")
    if not seat or before.phase is not Phase.ACTIONS:
        return ""
    for kind in KINDS:
        if after.players[seat].credit(kind) > before.players[seat].credit(kind):
            return str(translated(EARNED[kind]))
    return ""


def _deal(line: Line, before: State, after: State) -> str:
    return _("Every hand is filled to its ship's limit: nine cards at first.")


def _setup(line: Line, before: State, after: State) -> str:
    return _("Each face-up card puts one station on its planet.")


def _transport(line: Line, before: State, after: State) -> str:
    cards = after.players[line["player"]].transport
    if line["move"] == "pass":
        return ngettext(
            "A transport card costs no action. %(num)s is left, saved for a better moment.",
            "A transport card costs no action. %(num)s are left, saved for a better moment.",
            cards,
        )
    return ngettext(
        "That costs no action, but only %(num)s transport card is left now.",
        "That costs no action, but only %(num)s transport cards are left now.",
        cards,
    )


def _lay(line: Line, before: State, after: State) -> str:
    if line["player"] == before.starter:
        return _("The starting player plays face up. The others may not play the same.")
    return _("The others play face down, nothing that %(name)s has played.", name=name_of(before, before.starter))


def _swap(line: Line, before: State, after: State) -> str:
    return _("Whole sets change hands; nobody may refuse. The new cards go into the hand.")


def _keep(line: Line, before: State, after: State) -> str:
    return _("The other player may keep the new cards and is then done trading.")


def _leave(line: Line, before: State, after: State) -> str:
    return _("Left on the table, the set can be swapped again.")


def _take_back(line: Line, before: State, after: State) -> str:
    return _("After the starting player nobody has to swap.")


def _exchange(line: Line, before: State, after: State) -> str:
    most = most_exchanged(before, line["player"])
    return _("Discard cards and draw as many: up to %(most)s in one action.", most=most)


def _move(line: Line, before: State, after: State) -> str:
    cards = line["cards"] + len(line.get("jokers", ()))
    return _("Every two cards carry one station, so %(cards)s carry up to %(most)s.", cards=cards, most=cards // 2)


def _establish(line: Line, before: State, after: State) -> str:
    attempt = after.attempt
    draws = attempt.draws if attempt is not None else 0
    there = stations_on(before, line["planet"])
    return ngettext(
        "That gives %(num)s draw with the ring: %(own)s of the %(all)s stations on %(planet)s are %(name)s's.",
        "That gives %(num)s draws with the ring: %(own)s of the %(all)s stations on %(planet)s are %(name)s's.",
        draws,
        own=there[line["player"]],
        all=sum(there.values()),
        planet=label_of(before, line["planet"]),
        name=name_of(before, line["player"]),
    )


def _draw(line: Line, before: State, after: State) -> str:
    attempt = before.attempt
    assert attempt is not None, "a draw belongs to an attempt"
    if line["colour"] == attempt.player:
        took = after.tried[-1].took
        return _("It takes the best free centre, worth %(points)s points. The action is over.", points=took)
    left = after.attempt.draws_left if after.attempt else 0
    if not left:
        return _("It flies home to Earth. That was the last draw: no centre this time.")
    return ngettext(
        "It flies home to Earth. %(num)s draw left.",
        "It flies home to Earth. %(num)s draws left.",
        left,
    )


def _ship(line: Line, before: State, after: State) -> str:
    return _("A bigger ship holds more cards: now %(cards)s.", cards=HAND_LIMIT[after.players[line["player"]].ship])


def _technology(line: Line, before: State, after: State) -> str:
    level = after.players[line["player"]].technology
    return ngettext(
        "Technology helps, and level %(level)s is worth %(num)s point at the end.",
        "Technology helps, and level %(level)s is worth %(num)s points at the end.",
        TECHNOLOGY_POINTS[level],
        level=level,
    )


def _end_turn(line: Line, before: State, after: State) -> str:
    return _("You may skip actions.")


def _excuse(line: Line, before: State, after: State) -> str:
    return _("A player without a legal card sits out until next round.")


MEANINGS: Mapping[str, Callable[[Line, State, State], str]] = {
    "deal": _deal,
    "draw": _draw,
    "end_turn": _end_turn,
    "establish": _establish,
    "exchange": _exchange,
    "excuse": _excuse,
    "keep": _keep,
    "lay": _lay,
    "leave": _leave,
    "move": _move,
    "setup": _setup,
    "ship": _ship,
    "swap": _swap,
    "take_back": _take_back,
    "technology": _technology,
    "transport": _transport,
}
