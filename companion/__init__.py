"""The table companion: the games, their records, the ledger, and the table."""
