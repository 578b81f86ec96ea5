"""The pages of Andromeda."""

from web.games.andromeda.cover import COVER

__all__ = ["COVER"]
