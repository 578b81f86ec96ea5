"""The pages of Die Kosmische Hanse, as the service finds them."""

from web.games.hanse.cover import COVER

__all__ = ["COVER"]
