"""The pages of the wreck."""

from web.games.wreck.cover import COVER

__all__ = ["COVER"]
