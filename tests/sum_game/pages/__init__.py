"""The pages of Sum to 31, as the service finds them."""

from tests.sum_game.pages.cover import COVER

__all__ = ["COVER"]
