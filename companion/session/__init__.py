"""One live game: its state, the transactions that change it, and the repository of games."""
