"""The pages of Andromeda, as the service finds them."""

from web.games.andromeda.pages import AndromedaPages

PAGES = AndromedaPages()

__all__ = ["PAGES"]
