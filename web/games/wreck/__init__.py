"""The pages of the wreck, as the service finds them."""

from web.games.wreck.pages import WreckPages

PAGES = WreckPages()

__all__ = ["PAGES"]
