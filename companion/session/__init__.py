"""One table in play: its state, the transactions that change it, and the repository of games that it comes from."""
