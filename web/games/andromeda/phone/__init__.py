"""The phone of one player."""
