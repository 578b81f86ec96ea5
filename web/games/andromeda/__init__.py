"""The pages of Andromeda, as the service finds them."""

from web.games.andromeda.cover import COVER

__all__ = ["COVER"]
