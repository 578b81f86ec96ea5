"""Pages about the past of a game: its moves, its points, its luck."""
