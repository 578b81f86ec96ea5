"""The program as a Debian package: update and rollback, never during a game."""
