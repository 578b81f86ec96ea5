"""The pages of the wreck, as the service finds them."""

from web.games.wreck.cover import COVER

__all__ = ["COVER"]
