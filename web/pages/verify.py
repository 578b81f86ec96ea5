"""Verify the companion's draws of a game: the page shows the seal, the players' words and every lot, to be checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from companion.kernel.errors import Malformed
from companion.kernel.said import said
from web.commands.table import carry_out
from web.http.request_parsing import LARGEST
from web.request.apart import made_apart
from web.request.context import services, snapshot

verify = Blueprint("verify", __name__)


@verify.get("/games/<int:game_id>/verify")
@made_apart(words=said("Opening the draws"), for_viewer=True)
def page(game_id: int) -> str:
    """Show the sealed draws of a game; a script in the browser checks them."""
    sealed = _sealed(game_id)
    live = snapshot().game_id == game_id and "seed" not in (sealed or {})
    return render_template("verify.html", game_id=game_id, sealed=sealed, told=_sealed_json(sealed), live=live)


@verify.get("/games/<int:game_id>/verify.html")
@made_apart()
def file(game_id: int) -> Response:
    """Return the page as one file that works without a server."""
    sealed = _sealed(game_id) or abort(404)
    folder = Path(current_app.root_path) / "static"
    script, style = ((folder / name).read_text(encoding="utf-8") for name in ("verify.js", "verify.css"))
    inside = {"script": f"<script>{script}</script>", "style": f"<style>{style}</style>"}
    words = {**inside, "sealed": sealed, "told": _sealed_json(sealed), "game_id": game_id}
    answer = Response(render_template("verify_file.html", **words), mimetype="text/html")
    answer.headers["Content-Disposition"] = f'attachment; filename="game-{game_id}-draws.html"'
    return answer


@verify.post("/games/<int:game_id>/words")
def words(game_id: int) -> Redirect:
    """Add a player's words to the seed of the live game."""
    if snapshot().game_id != game_id:
        abort(404)
    carry_out("words", {"words": request.form.get("words", "")})
    return redirect(f"/games/{game_id}/verify", 303)


def _sealed(game_id: int) -> dict[str, Any] | None:
    """Return the data about the seed and the lots in the record, or None if no seed was sealed."""
    try:
        header, *lines = services().table.archive.record(game_id) if game_id < LARGEST else abort(404)
    except Malformed:
        abort(404)
    if "sealed" not in header:
        return None
    sealed: dict[str, Any] = header["sealed"]
    unused = sealed.get("lots", [])
    return {**sealed, "lots": [*(lot for line in lines for lot in line.get("lots", ())), *unused]}


def _sealed_json(sealed: dict[str, Any] | None) -> str:
    return json.dumps(sealed or {}, ensure_ascii=False, separators=(",", ":"))
