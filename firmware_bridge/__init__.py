"""The ring: its wire, its link, its simulation. Knows no game and no page."""
