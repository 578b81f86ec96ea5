"""The pages of play and their commands. The game determines the content of the pages."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlsplit

from flask import Blueprint, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MovedOn, Status
from web.after_game.over import EARLY
from web.after_game.screens import rematch
from web.commands.declaration import under
from web.commands.table import COMMANDS, NotYours, carry_out, may
from web.http.formatting import initials, listed
from web.http.i18n import _
from web.pages.after import final_page
from web.pages.history import changes, rows
from web.request.context import (
    at_the_table,
    is_host,
    local,
    may_act,
    moves_here,
    pages_at_the_table,
    players,
    snapshot,
    viewer,
)
from web.request.game_pages import Elsewhere, Final, Found, Look, NotNow, Pages, Reserved
from web.request.refusal import refused

table = Blueprint("table", __name__)

ADDRESS = "X-Address"
"""The response header with the path of the included page."""
PAGE = 200


@table.get("/table", defaults={"path": ""})
@table.get("/table/<path:path>")
def scene(path: str) -> str | Response:
    """Show the present step, or the game's page at *path*."""
    if snapshot().game is None:
        return redirect("/", 303)
    pages = pages_at_the_table()
    look = Look(snapshot(), viewer(), request.args.to_dict(), may_act())
    found = _found(pages, look, path) if pages else None
    if pages is None or found is None:
        abort(404)
    if isinstance(found, Final):
        return final_page(look, pages)
    if isinstance(found, Elsewhere):
        return redirect(f"/table/{found.path}".rstrip("/"), 303)
    why = _why_not_here(pages.reserved, path)
    if isinstance(found, NotNow):
        why = why or found.reason
    if why or isinstance(found, NotNow):
        return render_template("fault.html", title=_("Not possible now"), reason=why, kept_out=False, in_play=True)
    return render_template(found.template, **pages.context(look, found))


def _found(pages: Pages, look: Look, path: str) -> Found | None:
    """Return the page at *path*. In a game that was ended early, the pages for acting lead to its final page."""
    if look.snapshot.status is Status.ABANDONED and not path:
        return Final()
    found = pages.scene(look, path)
    stopped = look.snapshot.status is Status.ABANDONED and path.startswith(pages.reserved.movers)
    return Elsewhere() if found is not None and stopped else found


def _why_not_here(reserved: Reserved, path: str) -> str:
    """Return why this device can't act on the page at *path* now.

    Return "" if it can, or if the page is only for reading.
    """
    if path.startswith(reserved.host) and not is_host():
        return _("Only the host can do that. Ask at the tablet.")
    if not path.startswith(reserved.movers):
        return ""
    if snapshot().status not in (Status.LIVE, Status.FINISHED):
        return _("The game is paused. Resume it first.")
    if not at_the_table():
        return _("Only players can do that.")
    return "" if may_act() else _waits()


def _waits() -> str:
    seen, names = snapshot(), players()
    waited_for = seen.game.waited_for(seen.state) if seen.game else ()
    if not waited_for:
        return _("The game is over.")
    return _("Waiting for %(names)s.", names=listed([names[each][0] for each in waited_for]))


@table.get("/table/menu")
def menu() -> str | Response:
    """Show the menu with everything except moves. The query `of` opens one of its rows."""
    seen, pages = snapshot(), pages_at_the_table()
    if seen.game is None:
        return redirect("/", 303)
    titles = {"settings": _("Settings")} | ({"end": _("End the game?")} if may("abandon") else {})
    seats, of = seen.game.seats(seen.state), request.args.get("of", "")
    facts = {
        "of": of if of in titles else "",
        "title": titles.get(of) or _("Menu"),
        "seats": seats,
        "again": rematch(seen, pages.after) if pages and seen.status.over else {},
        "early": EARLY,
        "letters": initials([seat.name for seat in seats]),
        "gone": [seat for seat in seats if seat.colour in seen.absent],
        "timed": bool(seen.pace.limits or seen.game.pace.bank.steps),
        "left": seen.left_over,
    }
    return render_template("menu.html", **facts)


@table.get("/table/countdown")
def countdown() -> str:
    """Return an empty page with the countdown 3-2-1.

    A script puts the countdown over a page with a half-filled form, so that the form isn't lost.
    """
    return render_template("frame.html")


@table.get("/table/undo")
def undo() -> str | Response:
    """Show what undo would change. If it would undo a draw, ask for the reason."""
    seen = snapshot()
    if seen.undoable is None:
        return redirect("/table", 303)
    gone = tuple(move for move in moves_here() if move.line.id >= seen.undoable.id and not move.line.undone)
    began = next((rows((move,), seen)[0] for move in moves_here() if move.line.id == seen.undoable.attempt), None)
    facts = {"rows": rows(gone[::-1], seen), "changes": changes(gone[::-1], seen), "began": began}
    return render_template("undo.html", undoable=seen.undoable, **facts)


@table.post(f"/table/<{under(COMMANDS, '/table')}:deed>")
def deed(deed: str) -> Response:
    """Execute a command and redirect. If it is refused, show its page again with the reason."""
    return _done(deed)


@table.post(f"/games/<{under(COMMANDS, '/games')}:change>")
def switch(change: str) -> Response:
    """Put another game of the ledger on the table."""
    return _done(change)


def _done(word: str) -> Response:
    try:
        carry_out(word, request.form.to_dict())
    except NotYours as fault:
        return refused(str(fault.description), "/table")
    except (Refused, Malformed, MovedOn) as fault:
        return refused(fault.reason, "/table", getattr(fault, "field", ""))
    return _onward(local(request.form.get("next"), "/table"))


def _onward(path: str) -> Response:
    """Redirect to *path*.

    If a script requested only a part of a page, return the page at *path* at once, with its path in a header.

    The page is then requested as by a browser, with all permission checks. This needs a new request context, since the
    present one has cached the state before the command. If the result isn't a page, the browser is redirected after
    all.
    """
    plain = path.isascii() and "%" not in path
    if request.headers.get("X-Part") != "main" or not plain:
        return redirect(path, 303)
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    with app.app_context(), app.request_context(_asking_for(path)):
        answer: Response = app.full_dispatch_request()
    if answer.status_code != PAGE:
        return redirect(path, 303)
    del answer.headers["Set-Cookie"]  # the response to the command sets the cookie
    answer.headers[ADDRESS] = path
    return answer


def _asking_for(path: str) -> dict[str, object]:
    """Return the WSGI environment of the present request, changed to a GET request for *path*."""
    address = urlsplit(path)
    body = {"wsgi.input": BytesIO(), "CONTENT_LENGTH": "0", "CONTENT_TYPE": ""}
    asked = {"REQUEST_METHOD": "GET", "PATH_INFO": address.path, "QUERY_STRING": address.query}
    environ = {name: value for name, value in request.environ.items() if not name.startswith("werkzeug.")}
    return {**environ, **body, **asked}
