"""A damaged game up to its last readable line: show it, download its record, or continue it as a new game."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response, abort, redirect, render_template
from werkzeug.wrappers import Response as BaseResponse

from companion.kernel.errors import Refused
from companion.kernel.languages import DEFAULT
from companion.kernel.said import said
from companion.ledger import Unreadable
from companion.model.snapshot import Who
from companion.session.archive import PartialGame
from companion.session.commands import Switch
from companion.session.table import Table
from web.http.request_parsing import LARGEST
from web.pages.history import rows
from web.pages.timeline_rows import gathered
from web.request.apart import IMPORT, done_in_thread, made_apart
from web.request.context import look_again, partial_game, services, who
from web.server.making import Work

so_far = Blueprint("so_far", __name__)


@so_far.get("/games/<int:game_id>/so-far")
@made_apart(words=said("Opening the game"), for_viewer=True)
def page(game_id: int) -> str:
    """Show the readable part of the game, newest line first, and why it ends there."""
    found = _found(game_id, partial_game)
    header = found.record[0]
    facts = {
        "number": game_id,
        "names": [player["name"] for player in header["players"]],
        "damage": found.damage,
        "rows": gathered(rows(found.moves[::-1], found.snapshot)),
    }
    return render_template("so_far.html", **facts)


@so_far.get("/games/<int:game_id>/so-far/record")
@made_apart()
def record(game_id: int) -> Response:
    """Return the record of the readable part with hidden information, for the owner."""
    lines = _found(game_id, services().table.archive.partial).record
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    response = Response(text, mimetype="application/x-ndjson")
    response.headers["Content-Disposition"] = f'attachment; filename="game-{game_id}-so-far.jsonl"'
    return response


@so_far.post("/games/<int:game_id>/so-far")
def resume(game_id: int) -> BaseResponse:
    """Begin a new game with all readable lines, and put it on the table. The damaged game stays unchanged."""
    table, by = services().table, Who(who().name, "import")
    work = Work(f"{IMPORT}{game_id} {table.archive.newest_of(game_id)}", DEFAULT, host=True)
    number = done_in_thread(work, partial(_gone_on, table, game_id, by))
    table.execute(Switch(number), who())
    look_again()
    return redirect("/table", 303)


def _gone_on(table: Table, game_id: int, by: Who) -> int:
    return table.importer.import_record(_found(game_id, table.archive.partial, table).record, by).game


def _found(game_id: int, read: Callable[[int], PartialGame], table: Table | None = None) -> PartialGame:
    if not 0 < game_id < LARGEST or (table or services().table).archive.entry(game_id) is None:
        abort(404)
    try:
        return read(game_id)
    except Unreadable as fault:
        raise Refused(fault.refusal) from fault
