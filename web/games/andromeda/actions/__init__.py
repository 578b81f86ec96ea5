"""A player's turn: what can be done, and what it gives."""
