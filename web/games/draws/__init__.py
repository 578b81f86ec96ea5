"""The pages of the open draw table, as the service finds them."""

from web.games.draws.cover import COVER

__all__ = ["COVER"]
