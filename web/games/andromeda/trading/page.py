"""The page of the trading phase: what is asked, whose card lies where, and what one tap does about it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.state import State
from companion.games.andromeda.trading import forbidden_cards
from companion.games.andromeda.trading_view import has_the_word, laying, must_lay, size, trading_of
from companion.model.countdown import NAMING, REVEAL
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces, listed
from web.games.andromeda.components.layout import bar
from web.games.andromeda.trading.choices import CardChoice, ExcuseLine, choices, excuse, naming_now, ways
from web.games.andromeda.trading.seats import card_of, place, swapped, waiting
from web.games.andromeda.trading.step import ANSWER, DECIDE, path_of, step_of
from web.http.i18n import _, lazy
from web.request.game_pages import Look, Scene

STARTER_LAYS = (
    lazy("%(name)s plays a first card"),
    lazy("%(name)s plays a second card"),
    lazy("%(name)s plays a third card"),
    lazy("%(name)s plays a fourth card"),
)
OTHERS_LAY = (
    lazy("Others play a first card"),
    lazy("Others play a second card"),
    lazy("Others play a third card"),
    lazy("Others play a fourth card"),
)
ONE_MORE = ("", "", lazy("Play a third card"), lazy("Play a fourth card"))
WHICH_ONE = ("", "", lazy("Which third card?"), lazy("Which fourth card?"))


def trading_scene(look: Look) -> Scene:
    """Return the page of the trading phase."""
    state: State = look.state
    known = faces(state.setting.seats)
    starter = known[state.starter]
    heading = bar(state, _("Trading"), left_words=_("%(name)s leads", name=starter.name), quiet=True)
    if state.options.trade_record == "off":
        return Scene("andromeda/trading_off.html", {"starter": starter}, heading)
    step = step_of(look.snapshot)
    naming = naming_now(look.snapshot, step, look.query)
    missing = waiting(look.snapshot, step)
    offered = choices(look.snapshot, look.viewer, naming, look.query) if naming else ()
    sits_out = excuse(look.snapshot, look.viewer, naming, look.query) if naming in must_lay(state) else None
    more = {
        "step": step,
        "starter": starter,
        "places": tuple(place(look.snapshot, colour, step, naming) for colour in state.colours),
        "path": path_of(look.snapshot, starter, step),
        "missing": tuple(known[colour] for colour in missing),
        "banned": tuple(card_of(state, card) for card in forbidden_cards(state)) if laying(state) else (),
        "naming": known[naming] if naming else None,
        "choices": offered,
        "excuse": sits_out,
        "refused": _refused(offered, sits_out, look.query),
        "more": "more" in look.query,
        "pick_which": _(WHICH_ONE[size(state)]) if naming and step == DECIDE else "",
        "pick_ask": _pick_ask(state, known, step, naming),
        "ways": ways(look.snapshot, look.viewer, known, step, look.query),
        "swapped": swapped(look.snapshot),
        "orbit": _orbit(state, known, missing) if step == ANSWER else (),
    }
    return Scene("andromeda/trading.html", more | _question(look.snapshot, known, step), heading)


def _refused(offered: tuple[CardChoice, ...], sits_out: ExcuseLine | None, query: Mapping[str, str]) -> str:
    """Return why what was asked for cannot be: a card that was tapped, or to sit out."""
    if sits_out is not None and "excuse" in query:
        return sits_out.reason
    return next((each.reason for each in offered if each.asked), "")


def _pick_ask(state: State, known: Mapping[str, Face], step: str, naming: str) -> str:
    """Return what stands above the cards that can be tapped."""
    if not naming:
        return ""
    if step == DECIDE:
        return _(ONE_MORE[size(state)])
    return _("Name %(name)s's card", name=known[naming].name)


def _question(snapshot: Snapshot, known: Mapping[str, Face], step: str) -> dict[str, str]:
    """Return what the page asks, and a word below it."""
    state: State = snapshot.state
    starter = known[state.starter].name
    word = "" if step in (ANSWER, REVEAL, NAMING) else known[has_the_word(state)[0]].name
    match step:
        case "lay":
            return _said(_(STARTER_LAYS[size(state)], name=starter), _("Face up, for all to see."))
        case "answer":
            return _said(_(OTHERS_LAY[size(state) - 1]), _still(known, waiting(snapshot, step)))
        case "reveal":
            return _said(_("Turn cards over"), _("Together, at zero."))
        case "name":
            return _said(_("Which card was it?"), _still(known, waiting(snapshot, step)))
        case "keep":
            return _said(_("%(name)s: keep or leave?", name=word))
        case "decide":
            return _said(_("%(name)s: swap, or another card?", name=word), _("Swap the whole set. Nobody may refuse."))
        case "trade":
            return _said(_("Who does %(name)s swap with?", name=word), _("The whole set. Nobody may refuse."))
        case _:
            raise AssertionError(f"no step of trading is called {step}")


def _said(ask: str, hint: str = "") -> dict[str, str]:
    return {"ask": ask, "hint": hint}


def _still(known: Mapping[str, Face], missing: tuple[str, ...]) -> str:
    return _("Still to come: %(names)s", names=listed(known[colour].name for colour in missing))


def _orbit(state: State, known: Mapping[str, Face], missing: tuple[str, ...]) -> tuple[tuple[Face, bool], ...]:
    """Return who has answered the newest card, for the circle that a table without a clock sees."""
    excused = trading_of(state).excused
    answering = tuple(c for c in state.colours if c != state.starter and c not in excused)
    return tuple((known[colour], colour not in missing) for colour in answering)
