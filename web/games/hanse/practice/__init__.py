"""The practice game as a page."""
