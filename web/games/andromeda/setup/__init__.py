"""The pages before the first round: a new game, its board, the set-up cards, the deal."""
