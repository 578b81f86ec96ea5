"""The pages of the open draw table, as the service finds them."""

from web.games.draws.pages import DrawPages

PAGES = DrawPages()

__all__ = ["PAGES"]
