"""The table companion: the rules of the games, their records, the ledger that stores them, and the live table."""
