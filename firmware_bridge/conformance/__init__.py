"""Checks that a ring conforms to the protocol and its limits. Reports as text, JSON or an HTML page."""
