"""The trading phase as a page."""
