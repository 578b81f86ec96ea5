"""The rules on cards: what a game says of itself, whether one lies on the table or not."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from web.request.context import cover_at_the_table, house, local, pages_at_the_table, snapshot
from web.request.game_pages import Pages

rules = Blueprint("rules", __name__)


@rules.get("/rules", defaults={"card": ""})
@rules.get("/rules/<card>")
def page(card: str) -> str:
    """All cards, or one of them; the arrow leads back to where it was asked for."""
    scene = _pages().rules(card, snapshot())
    if scene is None:
        abort(404)
    games = house().covers.values()
    back = local(request.args.get("from"), "/rules" if card else "/")
    return render_template(scene.template, **scene.context, back=back, games=games)


def card_here() -> str:
    """Return the card that helps on the page being shown, empty where none does."""
    pages = pages_at_the_table()
    return "" if pages is None else pages.card_at(snapshot(), request.path)


def _pages() -> Pages:
    """Return the pages of the game that is asked for, else of that on the table, else of the first one on the shelf."""
    asked = house().covers.get(request.args.get("game", ""))
    return (asked or cover_at_the_table() or next(iter(house().covers.values()))).pages
