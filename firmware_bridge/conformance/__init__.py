"""Checks that a ring conforms to its protocol and limits; reports as text, JSON and an HTML page."""
