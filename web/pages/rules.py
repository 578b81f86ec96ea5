"""The rules cards of any game, not only of the game on the table."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from web.request.context import cover_at_the_table, local, pages_at_the_table, services, snapshot
from web.request.game_pages import Pages

rules = Blueprint("rules", __name__)


@rules.get("/rules", defaults={"card": ""})
@rules.get("/rules/<card>")
def page(card: str) -> str:
    """Show all cards, or one card. The arrow leads back to the previous page."""
    scene = _pages().rules(card, snapshot())
    if scene is None:
        abort(404)
    games = services().covers.values()
    back = local(request.args.get("from"), "/rules" if card else "/")
    return render_template(scene.template, **scene.context, back=back, games=games)


def card_here() -> str:
    """Return the name of the card that helps on the present page, or an empty text."""
    pages = pages_at_the_table()
    return "" if pages is None else pages.card_at(snapshot(), request.path)


def _pages() -> Pages:
    """Return the pages of the game in the query, else of the live game, else of the first game."""
    asked = services().covers.get(request.args.get("game", ""))
    return (asked or cover_at_the_table() or next(iter(services().covers.values()))).pages
