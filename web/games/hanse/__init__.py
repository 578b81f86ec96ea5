"""The pages of Die Kosmische Hanse."""

from web.games.hanse.pages import HansePages

PAGES = HansePages()

__all__ = ["PAGES"]
