"""The program as a Debian package: a newer one put in place, or the one before it, never in the middle of a game."""
