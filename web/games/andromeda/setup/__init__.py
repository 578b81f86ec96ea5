"""Before play: a new game, its board, the cards that lie face up, the deal."""
