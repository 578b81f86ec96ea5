"""Pages about the past of a game, and its end."""
