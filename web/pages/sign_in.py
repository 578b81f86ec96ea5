"""The pages on which the host signs in with the PIN, and signs out again, on each device."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, session
from werkzeug.wrappers import Response

from web.http.i18n import _
from web.request.context import local, services, this_device
from web.request.endpoint_access import csrf, patience
from web.request.refusal import refused

sign_in = Blueprint("sign_in", __name__)


@sign_in.get("/pin")
def show() -> str:
    """Show the form for the PIN."""
    return render_template("pin.html", onwards=local(request.args.get("next")))


@sign_in.post("/pin")
def enter() -> Response:
    """Sign this device in as the host if the PIN is right."""
    address, device = request.remote_addr or "", session.get("device")
    patience(services().access.admit(address, device))
    onwards = local(request.form.get("next"))
    offered = "".join(request.form.get("pin", "").split())
    if not services().access.enter(offered, address, device):
        return refused(_("Wrong PIN. It's printed where the companion runs."), "/pin")
    new_session()
    session["device"], session["host"] = services().access.sign_in(session.get("device"), this_device())
    return redirect(onwards, 303)


@sign_in.post("/pin/leave")
def leave() -> Response:
    """Sign the host out on this device. The device keeps its seat, if it has one."""
    new_session()
    return redirect("/", 303)


def new_session() -> None:
    """Begin a new session with this device's name and seat. The old session and copies of its cookie become invalid."""
    services().access.devices.leave(session.get("device"))
    carried = {name: session[name] for name in ("device", "seat") if name in session}
    session.clear()
    session.permanent = True
    session.update(carried)
    csrf()  # set it in the first cookie, or a response that is already under way could overwrite a later one
