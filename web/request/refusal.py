"""Refused forms: show the form's page again with the entered values and the reason, and mark the wrong field.

The entered values stay in memory (`web.request.held`) until that page is shown. `web.http.refill` puts them into its
form. Pages and templates need no code for that, but the form must send its page's URL as `back`.
"""

from __future__ import annotations

from flask import Response, flash, redirect, request, session
from werkzeug.wrappers import Response as BaseResponse

from web.http.i18n import translated
from web.http.refill import Entered, refilled
from web.request.context import at_the_table, here, local, services
from web.request.held import Held

ENTERED = "entered"
"""The key in the session cookie under which the key of the entered values is stored."""
PAGE = 200


def refused(reason: str, otherwise: str = "/", field: str = "") -> BaseResponse:
    """Redirect to the page of the form in this request, or to *otherwise* if the form doesn't name its page.

    *field* is the wrong field; a form with only one field doesn't need it.
    """
    back, said = local(request.form.get("back"), otherwise), str(translated(reason))
    flash(said)
    entered = Entered(request.path, tuple(request.form.items(multi=True)), said, field)
    session[ENTERED] = _held().hold((back, entered), entered.size)
    return redirect(back, 303)


def refused_form(fault: Exception) -> BaseResponse | None:
    """Return the response to a refused form, or None if the request isn't a form from a page."""
    if request.method != "POST" or not request.form.get("back", "").startswith("/"):
        return None
    return refused(fault.args[0], field=getattr(fault, "field", ""))


def with_what_was_entered(response: Response) -> Response:
    """Put the entered values of a refused form back into the form's page."""
    if ENTERED not in session or response.status_code != PAGE or response.mimetype != "text/html":
        return response
    found = _held().find(session[ENTERED])
    if found is None or found[0] == here():
        _held().drop(session.pop(ENTERED))
    if found is not None and found[0] == here():
        response.set_data(refilled(response.get_data(as_text=True), found[1]))
    return response


def _held() -> Held[tuple[str, Entered]]:
    """Return the store for forms; guests have a separate one, so that they can't displace players' forms."""
    return services().forms if at_the_table() else services().forms_of_strangers
