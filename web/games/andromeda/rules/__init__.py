"""The rules as cards."""
