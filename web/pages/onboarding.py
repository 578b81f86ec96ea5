"""The pages for the first evening: a few settings that are entered once.

Steps can be done in any order and interrupted.

Finished settings are stored with the copy in the ledger. A board that is only half entered stays in this device's
session.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, session
from werkzeug.wrappers import Response

from companion.kernel.errors import Malformed
from companion.model.boxes import Copy
from companion.ports.ring import RingState
from web.http.i18n import COOKIE, _
from web.http.request_parsing import copy_name
from web.pages.calibration_steps import OTHERS
from web.request.context import (
    instrument_view,
    is_host,
    plays_itself,
    ring_colours,
    ring_view,
    services,
    snapshot,
    who,
)
from web.request.game_pages import BoardPages, GameCover
from web.request.refusal import refused

onboarding = Blueprint("onboarding", __name__)
STEPS = ("language", "board", "cubes", "ring")
FIELDS = ("keep", "label_", "sure", "value_")
LONGEST = 61
"""Longest value in the session.

It is one character longer than allowed, so that a longer value is still refused, and short enough for a cookie.
"""
DRAFT, TICKED = "board_draft", "welcomed"


@onboarding.get("/welcome")
def page() -> str:
    """Show all steps and which of them are done, or the form of the `step` in the query. Guests must ask the host."""
    step = request.args.get("step", "") if is_host() else ""
    return FORMS[step]() if step in FORMS else render_template("onboarding.html", **_context(), step="")


def _board() -> str:
    """Return the form for the values printed on the copy's board."""
    copy = _copy()
    pages = _board_pages()
    fields = pages.fields(copy.board) if copy and copy.board else {}
    scene = pages.form(fields | session.get(DRAFT, {}))
    name = session.get(DRAFT, {}).get("keep") or (copy.name if copy else "")
    return render_template(scene.template, **scene.context, name=name)


@onboarding.post("/welcome/board")
def keep_board() -> Response:
    """Store the board with the copy. Until the board is complete, its values stay in the session."""
    pages = _board_pages()
    form = {name: value[:LONGEST] for name, value in request.form.items() if name.startswith(FIELDS)}
    session[DRAFT] = form
    if "later" in request.form:
        return redirect("/welcome", 303)
    try:
        board = pages.entered(form)
        _keep(copy_name(form), board, None)
    except Malformed as fault:
        return refused(fault.reason, "/welcome?step=board", fault.field)
    session.pop(DRAFT)
    return _ticked("board")


def _cubes() -> str:
    """Return the form for the colours of the cubes."""
    copy = _copy()
    known = tuple(copy.colours) if copy else ring_colours()
    offered = dict.fromkeys((*ring_colours(), *OTHERS, *known))
    return render_template("onboarding.html", step="cubes", known=known, offered=offered)


@onboarding.post("/welcome/cubes")
def keep_cubes() -> Response:
    """Store the colours with the copy."""
    try:
        _keep("", None, request.form.getlist("colour"))
    except Malformed as fault:
        return refused(fault.reason, "/welcome?step=cubes", fault.field)
    return _ticked("cubes")


def _ring() -> str:
    """Return whether there is a ring, and which steps its setup still needs."""
    view = instrument_view()
    return render_template(
        "onboarding.html",
        step="ring",
        measures=ring_view().state is not RingState.NONE,
        calibrated=view.calibration is not None,
    )


FORMS = {"board": _board, "cubes": _cubes, "ring": _ring}
"""The forms of the steps that have one."""


@onboarding.post("/welcome/tick")
def tick() -> Response:
    """Mark a step as done on this device."""
    step = request.form.get("step", "")
    return _ticked(step) if step in STEPS else redirect("/welcome", 303)


def _context() -> dict[str, Any]:
    copy, ticked = _copy(), session.get(TICKED, [])
    done = {
        "board": "board" in ticked or bool(copy and copy.board),
        "cubes": "cubes" in ticked,
        "ring": "ring" in ticked or instrument_view().calibration is not None,
        "language": "language" in ticked or COOKIE in request.cookies,
    }
    asked, following = _asked(), next((step for step in _asked() if not done[step]), "")
    facts = {"asked": asked, "copy": copy, "done": done, "drafted": _drafted(), "next_step": following}
    return {**facts, "plays_itself": plays_itself()}


def _asked() -> tuple[str, ...]:
    """Return the steps to show. The steps for board and cubes are included only if a game needs them."""
    boards = () if _with_board() is None else ("board",)
    cubes = ("cubes", "ring") if ring_colours() else ()
    return ("language", *boards, *cubes)


def _drafted() -> int:
    """Return the number of board values in the session."""
    draft: Mapping[str, str] = session.get(DRAFT, {})
    return sum(bool(value.strip()) for name, value in draft.items() if name.startswith("value_"))


def _ticked(step: str) -> Response:
    session[TICKED] = sorted({*session.get(TICKED, []), step})
    return redirect("/welcome", 303)


def _keep(name: str, board: Mapping[str, Any] | None, colours: list[str] | None) -> None:
    """Store the copy under *name* with new values. A value of None keeps the stored value."""
    before = _copy()
    if board is None and before is not None:
        board = before.board
    if colours is None:
        colours = list(before.colours) if before else list(ring_colours())
    word = name or (before.name if before else _("Our copy"))
    services().table.save_copy(Copy(word, _copied(board), board, {each: each for each in colours}), who())


def _copy() -> Copy | None:
    """Return the copy on the table, or else the copy that was stored last."""
    copies = services().table.archive.copies()
    return next((each for each in copies if each.name == snapshot().copy), copies[0] if copies else None)


def _copied(board: Mapping[str, Any] | None) -> str:
    """Return the name of the game to which the copy belongs: one with such a board, or else the first game."""
    cover = _with_board() if board is not None else None
    return (cover or next(iter(services().covers.values()))).name


def _with_board() -> GameCover | None:
    """Return the cover of the first game with a board whose printed values must be entered."""
    return next((cover for cover in services().covers.values() if cover.asks_board), None)


def _board_pages() -> BoardPages:
    cover = _with_board()
    return (cover.pages.board if cover is not None else None) or abort(404)
