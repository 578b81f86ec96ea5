"""The big screen: a read-only view of the table for everybody in a room, on a television or as an overlay of a stream.

Anybody on the network may open it without a PIN (`web.request.endpoint_access`). It shows only public information, even
on a player's own phone, since others can see it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request

from companion.kernel.values import replace
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, Status
from web.after_game.over import Over
from web.after_game.standings import headline, leaders
from web.components.players import Face, faces, listed
from web.http.i18n import _, languages, speak, translated
from web.pages.history import sentence
from web.request.context import cover_at_the_table, pages_at_the_table, services, snapshot, words
from web.request.game_pages import BigScreen, Headline, ScreenPages

# The settings in the URL of a big screen: parts, size, theme. For each invalid setting there is a sentence.

TURN, SCORE, CLOCK, STORY = "turn", "score", "clock", "story"
EVERY_GAMES = (TURN, SCORE, CLOCK, STORY)
"""The parts that exist for every game."""
THEMES = ("dark", "light")
SETTINGS = ("parts", "size", "overlay", "theme", "language")
LEAST, USUAL, LARGEST = 40, 100, 400


@dataclass(frozen=True)
class ScreenWish:
    """The settings in a big screen's URL.

    *parts* are the names of parts to show (empty: the usual parts). *size* is in percent. *faults* are sentences about
    invalid settings.
    """

    parts: tuple[str, ...] = ()
    size: int = USUAL
    overlay: bool = False
    theme: str = THEMES[0]
    language: str = ""
    faults: tuple[str, ...] = ()


def wish_of(query: Mapping[str, str], games: Collection[str]) -> ScreenWish:
    """Return the settings in *query*. *games* are the names of the parts of all games.

    Invalid settings are reported and ignored.
    """
    known = (*EVERY_GAMES, *games)
    named = tuple(filter(None, (part.strip() for part in query.get("parts", "").split(","))))
    return ScreenWish(
        parts=tuple(part for part in dict.fromkeys(named) if part in known),
        size=_percent(query.get("size", "")) or USUAL,
        overlay="overlay" in query,
        theme=_one_of(query, "theme", THEMES) or THEMES[0],
        language=_one_of(query, "language", languages().rows),
        faults=(*_unknown_parts(named, known), *_unknown_settings(query)),
    )


def _one_of(query: Mapping[str, str], name: str, words: Collection[str]) -> str:
    asked = query.get(name, "")
    return asked if asked in words else ""


def _percent(text: str) -> int:
    """Return the percentage in *text*, or 0 if it is invalid or out of range."""
    plain = text.removesuffix("%")
    return int(plain) if plain.isascii() and plain.isdigit() and LEAST <= int(plain[:6]) <= LARGEST else 0


def _unknown_parts(named: Collection[str], known: Collection[str]) -> list[str]:
    return [
        _("There's no part called %(part)s. Choose from: %(parts)s.", part=part[:40], parts=", ".join(known))
        for part in named
        if part not in known
    ][:1]


def _unknown_settings(query: Mapping[str, str]) -> list[str]:
    found = []
    if "size" in query and not _percent(query["size"]):
        found.append(_("size must be %(least)s to %(largest)s percent.", least=LEAST, largest=LARGEST))
    for name, choices in (("theme", THEMES), ("language", tuple(languages().rows))):
        if name in query and query[name] not in choices:
            found.append(_("%(setting)s must be one of: %(words)s.", setting=name, words=", ".join(choices)))
    unknown = next((name for name in query if name not in SETTINGS), "")
    if unknown:
        every = ", ".join(SETTINGS)
        found.append(_("There's no setting called %(setting)s. Choose from: %(all)s.", setting=unknown[:40], all=every))
    return found


screen = Blueprint("screen", __name__)
LINES = 4
"""Number of moves in the part `story`."""


@screen.get("/screen")
def page() -> str:
    """Show public information in full-screen size."""
    wish = _wished()
    if wish.language:
        speak(wish.language)
        wish = _wished()  # parsed again, so that error sentences are in that language
    return render_template("screen.html", wish=wish, scale=wish.size / 100, **_shown(snapshot(), wish))


def _wished() -> ScreenWish:
    of_games = dict.fromkeys(part for cover in services().covers.values() for part in cover.screen)
    return wish_of(request.args.to_dict(), tuple(of_games))


def _shown(seen: Snapshot, wish: ScreenWish) -> dict[str, Any]:
    if seen.game is None:
        return {"big": None, "over": None}
    pages = pages_at_the_table()
    own = pages.screen if pages is not None else None
    wanted = wish.parts or usual(own, wish.overlay)
    big = own.show(seen, wanted) if own is not None else any_game(seen, seen.game)
    if seen.status is Status.ABANDONED and seen.game_id is not None:
        over = Over(seen.game_id, cover_at_the_table(), seen, (), seen.absent)
        big = replace(big, headline=replace(big.headline, words=headline(over), colour=_lone(leaders(over))))
    return {
        "big": big,
        "over": None if wish.overlay else big.over,
        "wanted": wanted,
        "faces": faces(seen.game.seats(seen.state)),
        "movers": _framed(seen, seen.game),
        "lines": _story(seen) if STORY in wanted else (),
    }


def _framed(seen: Snapshot, game: AnyGame) -> Collection[str]:
    """Return the players with a frame around their score: those the table waits for, or the winners."""
    result = game.result(seen.state)
    if result is not None:
        return result.winners
    return () if seen.status.over else game.waited_for(seen.state)


def usual(own: ScreenPages | None, overlay: bool) -> tuple[str, ...]:
    """Return the default parts. For a game without its own parts, they include the history in sentences."""
    if own is None:
        parts: tuple[str, ...] = (STORY,)
    else:
        parts = own.over_picture if overlay else own.usual
    return (TURN, SCORE, *(() if overlay else (CLOCK,)), *parts)


def any_game(seen: Snapshot, game: AnyGame) -> BigScreen:
    """Return a big screen that works for any game. It says who is on the move, or who has won with how many points."""
    known = faces(game.seats(seen.state))
    result = game.result(seen.state)
    if result is not None:
        return BigScreen(Headline(str(translated(result.why)), _lone(result.winners)), result.totals)
    return BigScreen(_on_the_move(known, game.waited_for(seen.state), seen))


def _on_the_move(known: Mapping[str, Face], movers: Collection[str], seen: Snapshot) -> Headline:
    step = seen.timing.name if seen.timing is not None else ""
    return Headline(
        listed(known[colour].name for colour in movers) if movers else "",
        _lone(movers),
        str(translated(words().steps.get(step, ""))),
    )


def _lone(colours: Collection[str]) -> str:
    return next(iter(colours)) if len(colours) == 1 else ""


def _story(seen: Snapshot) -> list[str]:
    """Return the newest moves in sentences, without undone moves and without hidden cards."""
    lines = tuple(line for line in seen.recent if not line.undone)[:LINES]
    return [sentence(line, seen) for line in lines]
