"""The way to switch the computer off from the tablet: two different buttons, since no undo reaches this deed."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template
from werkzeug.wrappers import Response

from companion.model.snapshot import Status
from web.request.context import house, snapshot

power_off = Blueprint("power_off", __name__)


@power_off.get("/house")
def page() -> str:
    """What switching off does, and whether it can be done from here."""
    return render_template("house.html", possible=house().power_off is not None, sure=False, **_standing())


@power_off.get("/house/off")
def sure() -> str | Response:
    """Ask once more, with another button in another place."""
    if house().power_off is None:
        return redirect("/house", 303)
    return render_template("house.html", possible=True, sure=True, **_standing())


@power_off.post("/house/off")
def off() -> str:
    """Have the ledger closed and the computer switched off, and leave a page that needs neither."""
    power_off = house().power_off
    if power_off is None:
        abort(404)
    power_off()
    return render_template("power_off.html", **_standing())


def _standing() -> dict[str, object]:
    """Return what becomes of the game on the table."""
    return {"open_game": snapshot().status in (Status.LIVE, Status.PAUSED), "unkept": snapshot().storage}
