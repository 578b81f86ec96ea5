"""The pages of a club: its wall, results, league and people. They belong to `companion club serve`, not to a table."""

from web.club.pages import Club, make_club_app

__all__ = ["Club", "make_club_app"]
