"""The pages before the first turn: a new game, the goods, the first planet."""
