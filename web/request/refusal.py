"""The one answer to a form that is refused: its page again, with what was entered, the field at fault and why.

What was entered is held in memory until the page that the form was on is shown
(`web.request.held`), and put into that page's form by `web.http.refill`. So no
page and no template does anything for it: it sends `back`, its own address, along.
"""

from __future__ import annotations

from flask import Response, flash, redirect, request, session
from werkzeug.wrappers import Response as BaseResponse

from web.http.i18n import translated
from web.http.refill import Entered, refilled
from web.request.context import at_the_table, here, house, local
from web.request.held import Held

ENTERED = "entered"
"""The key in a session that finds what was entered on this device."""
PAGE = 200


def refused(reason: str, otherwise: str = "/", field: str = "") -> BaseResponse:
    """Lead back to the page of the form that this request sends, *otherwise* where it doesn't say which.

    *field* is the one at fault; a form with a single field needs none.
    """
    back, said = local(request.form.get("back"), otherwise), str(translated(reason))
    flash(said)
    entered = Entered(request.path, tuple(request.form.items(multi=True)), said, field)
    session[ENTERED] = _held().hold((back, entered), entered.size)
    return redirect(back, 303)


def refused_form(fault: Exception) -> BaseResponse | None:
    """Return the answer to a form from a page that refused it by *fault*; None for whatever else asks."""
    if request.method != "POST" or not request.form.get("back", "").startswith("/"):
        return None
    return refused(fault.args[0], field=getattr(fault, "field", ""))


def with_what_was_entered(response: Response) -> Response:
    """Put into the page what was entered on it before it was refused."""
    if ENTERED not in session or response.status_code != PAGE or response.mimetype != "text/html":
        return response
    found = _held().find(session[ENTERED])
    if found is None or found[0] == here():
        _held().drop(session.pop(ENTERED))
    if found is not None and found[0] == here():
        response.set_data(refilled(response.get_data(as_text=True), found[1]))
    return response


def _held() -> Held[tuple[str, Entered]]:
    """Return where forms are held: what strangers send takes no room from those who play."""
    return house().forms if at_the_table() else house().forms_of_strangers
