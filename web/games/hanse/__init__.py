"""The pages of Die Kosmische Hanse."""

from web.games.hanse.cover import COVER

__all__ = ["COVER"]
