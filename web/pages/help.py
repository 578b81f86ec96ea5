"""The help sheet: the rules on cards, what can be done now, and every question about the game with its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase
from urllib.parse import urlsplit

from flask import Blueprint, abort, render_template, request

from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.model.facts import LAST, SCORE, Fact
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot
from companion.model.speech import CLOCK, TURN
from companion.speech import score_answer, turn_answer
from web.http.i18n import _, ngettext, translated
from web.pages.history import sentence
from web.request.clock_face import ClockFace, bank_in_words, clock_face, in_words
from web.request.context import (
    cover_at_the_table,
    local,
    may_act,
    pages_at_the_table,
    players,
    seat,
    services,
    snapshot,
    viewer,
)
from web.request.game_pages import GameCover, Look

help_sheet = Blueprint("help", __name__)
DIGITS = "1234567890"
OF_ANY_GAME = (
    Fact(TURN, said("Whose turn is it?")),
    Fact(SCORE, said("What's the score?")),
    Fact(LAST, said("What happened last?")),
    Fact(CLOCK, said("How much time is left?")),
)
"""Questions that exist for every game, with the same keys."""


@dataclass(frozen=True)
class RulesAnswer:
    """An answer to the question *ask*, selected by *key*: its *lines*. *about* names the question for programs."""

    about: str
    key: str
    ask: str
    lines: tuple[str, ...]
    place: bool = False
    picture: str = ""

    @property
    def text(self) -> str:
        """All lines as one text, for speech."""
        return " ".join(self.lines)


@help_sheet.get("/help")
def page() -> str:
    """Show all cards and what can be done now; or one card, the cards of any game, or all questions.

    The query names a *card*, asks for all `cards` or for all questions (`ask`), or names another *game*, whose cards
    are shown. *from* is the page that the sheet leads back to.
    """
    seen, cover, wanted = snapshot(), _cover(), request.args.get("card", "")
    pages = cover.pages
    here = cover_at_the_table() is not None and pages is pages_at_the_table() and "game" not in request.args
    at = local(request.args.get("from"), "/table" if seen.game else "/")
    now = pages.card_at(seen, urlsplit(at).path) or pages.card_at(seen, "/table") if here else ""
    cards = {card.name: card for card in pages.cards}
    if wanted and wanted not in cards:
        abort(404)
    all_cards = not here or "cards" in request.args
    card = cards.get(wanted or ("" if all_cards else now))
    shows = "card" if wanted else "cards" if all_cards else "ask" if "ask" in request.args else "now"
    ruled = pages.ruled(card, seen.state if here else None) if card else ()
    look = Look(seen, viewer(), {}, may_act())
    facts = pages.possible(look) if shows == "now" and pages.possible else {}
    return render_template(
        "help.html",
        shows=shows,
        back=at,
        card=card,
        cards=pages.cards,
        current=now,
        ruled=ruled,
        drawn=pages.card_pictures,
        game=cover.name,
        games=services().covers.values(),
        answers=answers_now() if shows == "ask" else [],
        **facts,
    )


def card_here() -> str:
    """Return the name of the card that helps on the present page, or an empty text."""
    pages = pages_at_the_table()
    return "" if pages is None else pages.card_at(snapshot(), request.path)


def _cover() -> GameCover:
    """Return the game in the query, otherwise the live game, otherwise the first game."""
    asked = services().covers.get(request.args.get("game", ""))
    return asked or cover_at_the_table() or next(iter(services().covers.values()))


def answers_now() -> list[RulesAnswer]:
    """Return the present answers for this device, in the order of their keys."""
    seen = snapshot()
    if seen.game is None:
        return []
    own = () if seen.game.facts is None else seen.game.facts.known(seen.state)
    questions = [*OF_ANY_GAME, *(fact for fact in own if not fact.place)]
    places = [fact for fact in own if fact.place]
    keyed = (*zip(DIGITS, questions, strict=False), *zip(ascii_lowercase, places, strict=False))
    return [_answer(key, fact, seen, seen.game) for key, fact in keyed]


def _answer(key: str, fact: Fact, seen: Snapshot, game: AnyGame) -> RulesAnswer:
    lines = tuple(str(translated(one)) for one in _sentences(fact.word, seen, game))
    return RulesAnswer(fact.word, key, str(translated(fact.ask)), lines, fact.place, fact.picture)


def _sentences(word: str, seen: Snapshot, game: AnyGame) -> Iterable[Said | str]:
    if word == TURN:
        return turn_answer(seen, seat())
    if word == SCORE:
        return score_answer(seen, _points(seen, game), seat())
    if word == LAST:
        return _last(seen)
    if word == CLOCK:
        return _time(clock_face(seen))
    assert game.facts is not None, "all other questions are the game's own"
    return game.facts.answer(seen.state, word, seat())


def _points(seen: Snapshot, game: AnyGame) -> Mapping[str, int]:
    """Return the points that this device may know.

    If the game shows none while it runs, return the points at its end.
    """
    if game.facts is not None:
        return game.facts.points(seen.state, seat())
    result, pages = game.result(seen.state), pages_at_the_table()
    if result is not None:
        return result.totals
    return {} if pages is None or pages.timeline is None else pages.timeline.points(seen.state)


def _last(seen: Snapshot) -> Iterator[str]:
    """Yield a sentence for the newest move.

    If it ended an attempt, also yield one about the stations that must be left.
    """
    moves = (line for line in seen.recent if not line.undone)
    newest = next(moves, None)
    yield _("Nothing yet.") if newest is None else sentence(newest, seen).rstrip(".") + "."
    left = seen.left_over
    if left is not None and left.counted is None and newest is not None and newest.id == left.id:
        names = players()
        there = ", ".join(f"{names[colour][0]} {count}" for colour, count in left.stations.items() if count)
        yield _("Should be left on %(place)s: %(stations)s.", place=left.label, stations=there or _("none"))


def _time(face: ClockFace | None) -> Iterator[str]:
    """Yield sentences about the clock of the step and each player's remaining time bank."""
    banks = [] if face is None else face.banks
    names = players()
    waited_for = [each for each in banks if each.waits]
    if face is not None and face.shown:
        yield _step(face)
    elif len(waited_for) == 1:
        name, left_ms = names[waited_for[0].seat][0], waited_for[0].left_ms
        yield _("%(name)s has %(time)s left.", name=name, time=bank_in_words(left_ms))
    else:
        yield _("This step has no time limit.") if banks else _("No clock is running.")
    if banks:
        left = ", ".join(f"{names[each.seat][0]} {bank_in_words(each.left_ms)}" for each in banks)
        yield _("Time for the whole game: %(left)s.", left=left)


def _step(face: ClockFace) -> str:
    if face.over_s:
        return ngettext("%(num)s second over.", "%(num)s seconds over.", face.over_s)
    if not face.timing.running:
        return _("The clock is stopped at %(time)s.", time=in_words(face.seconds))
    return ngettext("%(num)s second left.", "%(num)s seconds left.", face.seconds)
