"""The pages of the open draw table."""

from web.games.draws.cover import COVER

__all__ = ["COVER"]
