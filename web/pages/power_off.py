"""Switch the computer off from the tablet. Its page asks first, since it can't be undone."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from companion.model.snapshot import Status
from web.request.context import services, snapshot

power_off = Blueprint("power_off", __name__)


@power_off.get("/house/off")
def page() -> str:
    """Show what switching off does, whether it is possible, and two buttons for the host."""
    return render_template("power_off.html", possible=services().power_off is not None, **_context())


@power_off.post("/house/off")
def off() -> str:
    """Close the ledger, switch the computer off, and return a page that works without the server."""
    power_off = services().power_off
    if power_off is None:
        abort(404)
    power_off()
    return render_template("goodbye.html", **_context())


def _context() -> dict[str, object]:
    """Return the template values that say what happens to the live game."""
    return {"open_game": snapshot().status in (Status.LIVE, Status.PAUSED), "unkept": snapshot().storage}
