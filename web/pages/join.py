"""Phones join a seat: the tablet's page shows a QR code, the phone's page the free seats."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request, session
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.kernel.values import dataclass, replace
from web.auth.seats import DIGITS, Sitting
from web.http.i18n import _
from web.pages.sign_in import new_session
from web.request.context import is_host, local, look_again, players, seat, services, sitting, snapshot, this_device
from web.request.endpoint_access import patience
from web.request.refusal import refused

join = Blueprint("join", __name__)


@dataclass(frozen=True)
class JoinSeat:
    """One seat as these pages show it."""

    colour: str
    name: str
    letter: str
    taken: bool


@join.get("/join")
def page() -> str | Response:
    """Show the QR code and the seats on devices of the host and the players. Other devices see only the free seats."""
    table = sitting()
    if table is None:
        return redirect("/", 303)
    own = seat()
    places = tuple(_places(table))
    facts = {"places": places, "own": next((one for one in places if one.colour == own), None)}
    if is_host() or own is not None:
        return render_template("join.html", **facts, **_way_in(table))
    known = "".join(filter(str.isdigit, request.args.get("pin", "")))[:DIGITS]
    claimed = table.claimed_by(session.get("seat"))
    places = tuple(replace(one, taken=one.taken and one.colour != claimed) for one in places)
    return render_template(
        "join_phone.html",
        places=places,
        pin=known,
        freed="seat" in session and claimed is None,
        elsewhere=claimed is not None,
    )


@join.post("/join")
def sit() -> Response:
    """Give this device the seat in the form, if the PIN is right and the seat is free."""
    table, game_id = sitting(), snapshot().game_id
    if table is None or game_id is None:
        return redirect("/", 303)
    seats, colour = services().access.seats, request.form.get("seat", "")
    if not (is_host() or seat() is not None or _pin_is_right(table)):
        return refused(_("Wrong PIN. The host's tablet shows it."), "/join")
    if not colour:  # Enter in the PIN field sends no seat; a player must tap a name
        return redirect(f"/join?pin={table.pin}", 303)
    mark = seats.join(game_id, colour, this_device(), session.get("seat"))
    if mark is None:
        return refused(_taken(table, colour), f"/join?pin={table.pin}")
    new_session()
    session["seat"] = mark
    return redirect("/table", 303)


@join.post("/join/leave")
def get_up() -> Response:
    """Give up this device's seat. The device can then only look."""
    own, game_id = seat(), snapshot().game_id
    if own is not None and game_id is not None:
        services().access.seats.free(game_id, own)
    session.pop("seat", None)
    return redirect("/join", 303)


@join.post("/join/free")
def free() -> Response:
    """Free a seat, so that its phone loses its access. The phone can join again with the PIN."""
    game_id = snapshot().game_id
    if game_id is not None and sitting() is not None:
        services().access.seats.free(game_id, request.form.get("seat", ""))
        look_again()
    return redirect(local(request.form.get("back"), "/join"), 303)


def _pin_is_right(table: Sitting) -> bool:
    address, mark, access = request.remote_addr or "", session.get("seat"), services().access
    patience(access.admit_to_seats(address, mark))
    return access.seats.enter(table, "".join(request.form.get("pin", "").split()), address, mark)


def _taken(table: Sitting, colour: str) -> str:
    if colour not in table.names:
        return _("Nobody plays that colour. Take one of these seats.")
    return _("%(name)s's seat is taken. The host can free it.", name=table.names[colour])


def _places(table: Sitting) -> list[JoinSeat]:
    return [JoinSeat(colour, name, letter, colour in table.joined) for colour, (name, letter) in players().items()]


def _way_in(table: Sitting) -> dict[str, object]:
    """Return the URLs for phones and a QR code with the PIN. Without a reachable URL there is no QR code."""
    way = way_in()
    facts = {"pin": table.pin, "number": way.number.removeprefix("http://"), "why": way.why}
    picture = _code(f"{way.number}/join?pin={table.pin}") if way.number else None
    return facts | {"name": way.name.removeprefix("http://"), "code": picture}


@dataclass(frozen=True)
class WayIn:
    """The URLs for other devices: *number* with an IP address, *name* with a host name.

    If *number* is empty, *why* gives the reason.
    """

    number: str
    name: str
    why: str


def way_in() -> WayIn:
    """Return the URLs for other devices; every page and QR code uses this function."""
    entrances = services().entrances()
    asked_at = request.host_url.rstrip("/")
    number = entrances.number or ("" if _is_this_machine(asked_at) else asked_at)
    if number:
        return WayIn(number, entrances.name, "")
    if entrances.alone:
        return WayIn("", "", _("It's open to this device only. For phones, start the companion with BIND=0.0.0.0."))
    return WayIn("", "", _("The companion is on no network. Connect it, and the code appears here."))


def _is_this_machine(address: str) -> bool:
    """Tell whether *address* is a loopback address, which would mean the device that opens the URL."""
    host = urlsplit(address).hostname or ""
    try:
        own = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return own.is_loopback or own.is_unspecified


def _code(address: str) -> Markup:
    import segno  # imported late: only this page needs it

    picture = segno.make(address, micro=False).svg_inline(border=4, dark="#12141D", light="#FFFFFF", omitsize=True)
    return Markup(picture)  # noqa: S704
