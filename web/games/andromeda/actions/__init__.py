"""The pages of a player's turn."""
